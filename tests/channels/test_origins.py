"""R-W1: which Origin may talk to the server, as a table and on the wire."""

import aiohttp
import pytest

from bot.channels.proxies import Proxies
from bot.channels.widget.origins import is_allowed, to_origins
from bot.errors import Misconfigured
from tests.channels.rig import running_rig

OWN = "https://help.shop.example"
LISTED = frozenset({"https://www.shop.example", "https://shop.example:8443"})

REFUSED = {
    "missing": None,
    "empty": "",
    "null": "null",
    "foreign": "https://evil.example",
    "suffix": "https://www.shop.example.evil.example",
    "prefix": "https://evil-www.shop.example",
    "subdomain": "https://a.www.shop.example",
    "parent": "https://shop.example",
    "scheme": "http://www.shop.example",
    "port": "https://www.shop.example:8443",
    "default port": "https://www.shop.example:443",
    "upper case": "https://WWW.SHOP.EXAMPLE",
    "slash": "https://www.shop.example/",
    "path": "https://www.shop.example/x",
    "space": "https://www.shop.example ",
    "two": "https://www.shop.example, https://evil.example",
    "wildcard": "*",
    "dot": "https://www.shop.example.",
    "user": "https://www.shop.example@evil.example",
    "look-alike": "https://www.shоp.example",  # noqa: RUF001 - the look-alike letter is the point
    "own with other scheme": "http://help.shop.example",
}


@pytest.mark.parametrize("origin", [OWN, *sorted(LISTED)])
def test_own_and_listed_origins_are_allowed(origin):
    assert is_allowed(origin, own=OWN, listed=LISTED)


@pytest.mark.parametrize("origin", REFUSED.values(), ids=REFUSED.keys())
def test_every_other_origin_is_refused(origin):
    assert not is_allowed(origin, own=OWN, listed=LISTED)


@pytest.mark.parametrize(
    "text",
    ["*", "null", "www.shop.example", "https://shop.example/", "https://*.shop.example", "ftp://a.example"],
)
def test_a_list_with_something_that_is_no_origin_stops_the_start(text):
    with pytest.raises(Misconfigured, match="WIDGET_ORIGINS"):
        to_origins(["https://www.shop.example", text])


@pytest.mark.parametrize("origin", ["null", "https://evil.example", "http://127.0.0.1", None])
async def test_a_foreign_origin_gets_403_before_the_upgrade(origin):
    async with running_rig(origins=LISTED) as rig, aiohttp.ClientSession() as http:
        headers = {} if origin is None else {"Origin": origin}

        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await http.ws_connect(f"{rig.url}/widget/v1/socket", headers=headers)
        async with http.post(f"{rig.url}/widget/v1/sessions", json={}, headers=headers) as response:
            answer = await response.json()

        assert (refused.value.status, response.status) == (403, 403)
        assert answer["error"]["code"] == "origin_refused"


async def test_a_listed_origin_may_open_a_session_and_a_socket():
    headers = {"Origin": "https://www.shop.example"}
    async with running_rig(origins=LISTED) as rig, aiohttp.ClientSession(headers=headers) as http:
        async with http.post(f"{rig.url}/widget/v1/sessions", json={}) as response:
            assert response.status == 201
        async with http.ws_connect(f"{rig.url}/widget/v1/socket") as ws:
            assert not ws.closed


async def test_the_own_origin_is_the_one_that_a_trusted_proxy_names():
    proxies = Proxies.from_texts(["127.0.0.0/8"])
    headers = {"Host": "help.shop.example", "Origin": OWN, "X-Forwarded-Proto": "https"}
    async with running_rig(proxies=proxies) as rig, aiohttp.ClientSession(headers=headers) as http:
        response = await http.post(f"{rig.url}/widget/v1/sessions", json={})

        assert response.status == 201


async def test_a_forwarded_scheme_from_a_stranger_is_not_believed():
    headers = {"Host": "help.shop.example", "Origin": OWN, "X-Forwarded-Proto": "https"}
    async with running_rig() as rig, aiohttp.ClientSession(headers=headers) as http:
        response = await http.post(f"{rig.url}/widget/v1/sessions", json={})

        assert response.status == 403
