"""What every response has in common, the files that browsers load, and how the server stops."""

import asyncio
import gzip

import pytest

from bot.channels.static_files import SHARED, StaticFiles
from bot.channels.web import serving
from bot.channels.widget.pages import FOLDER
from bot.errors import Misconfigured, StoreUnavailable
from tests.channels.rig import application, close_code, running_rig


async def _get(rig, path, **headers):
    async with rig.http.get(f"{rig.url}{path}", headers=headers, auto_decompress=False) as response:
        return response.status, response.headers, await response.read()


def _policy(headers) -> dict[str, str]:
    directives = headers["Content-Security-Policy"].split("; ")
    return dict(directive.split(" ", 1) for directive in directives)


@pytest.mark.parametrize(
    "path", ["/", "/widget.js", "/widget/frame", "/articles/KB1", "/healthz", "/widget/v1/events", "/nothing"]
)
async def test_every_response_has_the_security_headers(rig, path):
    _, headers, _ = await _get(rig, path)

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "Server" not in headers


@pytest.mark.parametrize("path", ["/", "/widget/frame"])
async def test_pages_run_only_our_own_files(rig, path):
    status, headers, body = await _get(rig, path)

    policy = _policy(headers)
    assert status == 200
    assert (policy["script-src"], policy["style-src"], policy["img-src"]) == ("'self'", "'self'", "'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert [inline for inline in (b"<style", b" style=", b"onclick") if inline in body] == []


async def test_only_listed_sites_may_show_the_frame():
    async with running_rig(origins=frozenset({"https://b.example", "https://a.example"})) as rig:
        _, frame, _ = await _get(rig, "/widget/frame")
        _, demo, _ = await _get(rig, "/")

        assert _policy(frame)["frame-ancestors"] == "'self' https://a.example https://b.example"
        assert _policy(frame)["connect-src"] == f"'self' {rig.url.replace('http', 'ws')}"
        assert _policy(demo)["frame-ancestors"] == "'none'"


async def test_answers_of_the_api_are_not_kept_by_anyone(rig):
    _, headers, _ = await _get(rig, "/widget/v1/events")

    assert headers["Cache-Control"] == "no-store"


async def test_files_are_kept_until_the_next_release(rig):
    release = StaticFiles(SHARED, FOLDER).release

    _, current, _ = await _get(rig, f"/widget/static/{release}/widget.css")
    _, other, _ = await _get(rig, "/widget/static/0123456789abcdef/widget.css")

    assert "immutable" in current["Cache-Control"]
    assert other["Cache-Control"] == "no-cache"


async def test_a_file_is_not_sent_twice(rig):
    _, headers, _ = await _get(rig, "/widget.js")

    status, _, body = await _get(rig, "/widget.js", **{"If-None-Match": headers["ETag"]})

    assert (status, body) == (304, b"")


async def test_files_are_compressed_for_browsers_that_can_read_it(rig):
    _, plain_headers, plain = await _get(rig, "/widget.js", **{"Accept-Encoding": "identity"})
    _, headers, zipped = await _get(rig, "/widget.js", **{"Accept-Encoding": "gzip, br"})

    assert ("Content-Encoding" in plain_headers, headers["Content-Encoding"]) == (False, "gzip")
    assert gzip.decompress(zipped) == plain


@pytest.mark.parametrize("name", ["nothing.js", "../routes.py", "%2e%2e/routes.py", "app/", "app"])
async def test_no_other_file_can_be_had(rig, name):
    status, headers, _ = await _get(rig, f"/widget/static/x/{name}")

    assert (status, headers["Content-Type"]) == (404, "application/json; charset=utf-8")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [("GET", "/nothing", 404, "not_found"), ("GET", "/widget/v1/sessions", 405, "method_not_allowed")],
)
async def test_a_wrong_address_is_answered_in_json(rig, method, path, status, code):
    async with rig.http.request(method, f"{rig.url}{path}") as response:
        answer = await response.json()

    assert (response.status, answer["error"]["code"]) == (status, code)


async def test_a_store_that_is_down_is_said_without_details(rig, customer):
    async def fails(*args, **kwargs):
        raise StoreUnavailable("disk /dev/secret is full")

    rig.store.snapshot = fails
    status, answer = await customer.events()

    assert (status, answer["error"]["code"]) == (503, "unavailable")
    assert "secret" not in answer["error"]["message"]


async def test_a_defect_shows_no_trace(rig, customer):
    async def fails(*args, **kwargs):
        raise ZeroDivisionError("at line 7 of secret.py")

    rig.store.snapshot = fails
    status, answer = await customer.events()

    assert (status, answer["error"]["code"]) == (500, "internal")
    assert "secret" not in str(answer)


async def test_a_port_that_is_taken_is_said_in_one_sentence(rig):
    port = int(rig.url.rpartition(":")[2])
    app = application(rig.widget, rig.index)

    with pytest.raises(Misconfigured) as refused:
        async with serving(app, host="127.0.0.1", port=port):
            pass

    assert str(refused.value) == (
        f"HOST, PORT: 127.0.0.1:{port} cannot be used (Address already in use); stop what uses it, or set PORT"
    )


async def test_an_address_of_another_machine_is_said_in_one_sentence(rig):
    app = application(rig.widget, rig.index)

    with pytest.raises(
        Misconfigured, match=r"\(Cannot assign requested address\); set another HOST or PORT$"
    ):
        async with serving(app, host="192.0.2.1", port=0):
            pass


async def test_leaving_the_server_closes_sockets_with_1012():
    async with running_rig() as rig:
        customer = await rig.open()
        app = application(rig.widget, rig.index)
        async with serving(app, host="127.0.0.1", port=0) as url:
            ws = await rig.http.ws_connect(f"{url}/widget/v1/socket", headers={"Origin": url})
            await ws.send_json({"type": "auth", "token": customer.token})
            await ws.receive_json(timeout=5)
            reading = asyncio.create_task(close_code(ws))

        assert await reading == 1012


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_body_that_is_not_compressed_as_it_says_is_no_failure_of_ours(rig, caplog, encoding):
    headers = {"Content-Encoding": encoding, "Content-Type": "application/json", "Origin": rig.url}
    url = f"{rig.url}/widget/v1/sessions"

    async with rig.http.post(url, data=b"{}" * 50, headers=headers) as response:
        assert response.status == 400
    assert "Traceback" not in caplog.text
