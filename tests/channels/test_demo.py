"""The demo page's sign-in: a proof of the sample's customer, and nothing of it where anybody else's records are read."""

import re

import pytest
import pytest_asyncio
from pydantic import SecretStr

from bot.adapters.memory.clock import ManualClock
from bot.identity_wiring import demo_sign_in
from bot.setting_values import SAMPLE
from bot.settings import Settings
from tests.channels.rig import running_rig

OFFER = "Sign in as a demo customer"
KEY = SecretStr("k")
OTHERS = [
    pytest.param({}, id="no records"),
    pytest.param({"records_url": SecretStr("postgresql://db.example/shop")}, id="PostgreSQL"),
    pytest.param({"records_url": "sqlite:shop.db"}, id="SQLite"),
    pytest.param({"records_url": SAMPLE, "anthropic_api_key": None}, id="nobody asks them"),
]


@pytest_asyncio.fixture
async def demo():
    async with running_rig(has_demo=True) as rig:
        yield rig


async def _page(rig, path: str = "/") -> str:
    async with rig.http.get(f"{rig.url}{path}") as answer:
        text: str = await answer.text()
    return text


async def _asked(rig, **headers: str):
    async with rig.http.post(f"{rig.url}/demo/identity", headers=headers) as answer:
        return answer.status, await answer.json()


def _settings(**given: object) -> Settings:
    return Settings.model_construct(**{"anthropic_api_key": KEY, **given})


async def test_the_proof_makes_the_samples_customer_known(demo):
    _, proof = await _asked(demo)

    customer = await demo.open(**proof)

    profile = await demo.widget.access.arrivals.store.profile(customer.conversation)
    assert (profile.customer.subject, profile.customer.name) == ("customer-1001", "Demo customer")


async def test_who_signed_out_a_moment_ago_can_sign_in_again(demo):
    demo.clock.advance(0.3)
    _, proof = await _asked(demo)
    customer = await demo.open(**proof)
    await customer.post("logout", {})
    demo.clock.advance(0.3)

    _, proof = await _asked(demo)
    status, _ = await demo.post("sessions", proof)

    assert status == 200


@pytest.mark.parametrize("origin", ["https://shop.example", "null"])
async def test_another_site_gets_no_proof(origin):
    async with running_rig(has_demo=True, origins=frozenset({"https://shop.example"})) as rig:
        status, problem = await _asked(rig, Origin=origin)

    assert (status, problem["error"]["code"]) == (403, "origin_refused")


async def test_the_page_offers_it_where_there_is_somebody_to_sign_in(demo):
    assert OFFER in await _page(demo)


async def test_elsewhere_there_is_neither_the_offer_nor_the_route(rig):
    page = await _page(rig)
    release, *_ = re.findall(r"/widget/static/(\w+)/", page)
    status, _ = await _asked(rig)

    assert status == 404
    assert OFFER not in page + await _page(rig, f"/widget/static/{release}/demo/index.html")


@pytest.mark.parametrize("given", OTHERS)
def test_nobody_is_signed_in_unless_the_samples_records_are_asked(tmp_path, given):
    settings = _settings(data_dir=tmp_path, **given)

    assert demo_sign_in(settings, ManualClock()) is None
    assert list(tmp_path.iterdir()) == []


def test_the_key_is_made_once_and_is_not_the_sites(tmp_path):
    site = SecretStr("the-sites-own-key-of-thirty-two-bytes-or-more")
    settings = _settings(data_dir=tmp_path, records_url=SAMPLE, widget_jwt_secret=site)

    keys = {demo.key for _ in range(2) if (demo := demo_sign_in(settings, ManualClock()))}

    assert keys == {(tmp_path / "demo.key").read_text()}
    assert keys != {site.get_secret_value()}
