"""Customers whom a site vouches for, in the widget: known in every browser, and unknown, but answered, where the proof is no good."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.host_page import Shop, opened_shop
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import running_rig
from tests.waiting import wait_until

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def shop():
    async with opened_shop() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def rig(shop: Shop):
    async with running_rig(origins=frozenset({shop.url})) as running:
        yield running


async def known(rig):
    """Return whom the site vouches for in each conversation, the oldest first."""
    store = rig.widget.access.arrivals.store
    return [(await store.profile(state.id)).customer.subject for state in rig.store.states()]


async def signed_out(rig):
    """Say whether the first customer has signed out."""
    first, *_ = rig.store.states()
    return (await rig.widget.access.arrivals.store.profile(first.id)).token_epoch > 0


async def codes(page):
    """Return what the page was told to be wrong."""
    return await page.evaluate("window.told")


async def hears_errors(page):
    await page.add_init_script(
        "window.told = []; addEventListener('candor:error', (event) => told.push(event.detail.code))"
    )


async def test_who_signed_in_elsewhere_goes_on_with_what_was_said_there(shop, rig, page, live_server):
    elsewhere = await rig.open(identity=rig.identity())
    await elsewhere.say("I wrote this on my phone")

    await shop.show(page, live_server, settings={"identity": rig.identity()})
    widget = WidgetPage(page)
    await widget.open()

    await expect(widget.messages.filter(has_text="on my phone")).to_be_visible()
    assert await known(rig) == ["ana"]


@pytest.mark.parametrize("claims", [{"exp": 1}, {"aud": "another"}], ids=["too late", "of another site"])
async def test_who_cannot_prove_it_stays_unknown_is_answered_and_the_page_is_told(
    shop, rig, page, live_server, claims
):
    await hears_errors(page)
    await shop.show(page, live_server, settings={"identity": rig.identity(**claims)})
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("How do I reschedule a class?")

    await expect(widget.button("Yes")).to_be_visible()
    await expect(widget.alert).to_have_text("")
    assert await known(rig) == [None]
    assert set(await codes(page)) == {"identity_refused"}


async def test_a_new_proof_from_the_page_makes_the_customer_known(shop, rig, page, live_server):
    await shop.show(page, live_server, settings={"identity": rig.identity(exp=1)})
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("Something private")
    await expect(widget.messages.filter(has_text="Something private")).to_be_visible()
    await widget.button("Yes").or_(widget.messages.nth(2)).first.wait_for()

    await page.evaluate("(identity) => candor('identify', identity)", rig.identity())

    await expect(widget.messages.filter(has_text="Something private")).to_have_count(0)
    await widget.say("How do I reschedule a class?")
    await expect(widget.button("Yes")).to_be_visible()
    assert await known(rig) == [None, "ana"]


async def test_a_sign_out_leaves_nothing_and_the_same_proof_opens_nothing_again(shop, rig, page, live_server):
    identity = rig.identity()
    await shop.show(page, live_server, settings={"identity": identity})
    widget = WidgetPage(page)
    await widget.open()
    await widget.say("Something private")
    await widget.messages.nth(2).wait_for()

    await page.evaluate("candor('shutdown')")
    await wait_until(lambda: signed_out(rig))
    await page.evaluate("(identity) => candor('boot', {identity})", identity)
    await widget.open()
    await widget.say("How do I reschedule a class?")

    await expect(widget.button("Yes")).to_be_visible()
    await expect(widget.messages.filter(has_text="Something private")).to_have_count(0)
    assert await known(rig) == ["ana", None]
