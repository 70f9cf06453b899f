"""How a customer rates the help they got once it is over, in a wide and in a narrow window."""

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig
from tests.channels.staff import claim, reply, resolve

pytestmark = pytest.mark.browser

ASKED = "How was the help you got?"


@pytest_asyncio.fixture(loop_scope="session", params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
async def helped(request: pytest.FixtureRequest, rig: Rig, page: Page, widget: WidgetPage) -> WidgetPage:
    """A customer whom an agent has helped, and whose conversation is resolved."""
    await page.set_viewport_size(dict(zip(("width", "height"), request.param, strict=True)))
    await widget.open()
    await widget.say("I want to talk to a person")
    await expect(widget.messages).to_have_count(3)
    (state,) = rig.store.states()
    await claim(rig, state.id)
    await reply(rig, state.id, "Done.")
    await resolve(rig, state.id)
    await expect(widget.frame.get_by_role("group", name=ASKED)).to_be_visible()
    return widget


def score(widget: WidgetPage, name: str):
    return widget.frame.get_by_role("radio", name=name)


async def given(rig: Rig) -> list[tuple[int, str]]:
    (state,) = rig.store.states()
    found = await rig.widget.ratings.ratings.ratings(state.id)
    return [(rating.score, rating.comment) for rating in found]


async def test_a_score_and_a_few_words_reach_the_team_and_are_thanked_for(rig, helped):
    await score(helped, "4 of 5").check()
    await helped.frame.get_by_role("textbox", name="Anything to add?").fill("Quick and kind.")
    await helped.button("Send rating").click()

    await expect(helped.frame.get_by_text("Thank you for your rating.")).to_be_focused()
    assert await given(rig) == [(4, "Quick and kind.")]


async def test_it_can_be_done_by_keyboard_and_the_ends_have_names(rig, page, helped):
    await score(helped, "1 of 5, Very poor").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(score(helped, "5 of 5, Very good")).to_be_checked()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")

    await expect(helped.frame.get_by_text("Thank you for your rating.")).to_be_visible()
    assert await given(rig) == [(5, "")]


async def test_a_rating_that_cannot_be_sent_is_kept_in_the_form(rig, page, helped):
    await page.route("**/rating", lambda route: route.abort())
    await score(helped, "2 of 5").check()
    await helped.button("Send rating").click()
    await expect(helped.frame.get_by_text("That did not work.")).to_be_visible()
    await page.unroute("**/rating")
    await helped.button("Send rating").click()

    await expect(helped.frame.get_by_text("Thank you for your rating.")).to_be_visible()
    assert await given(rig) == [(2, "")]


async def test_after_a_reload_it_is_known_that_the_rating_was_given(page, helped):
    await score(helped, "3 of 5").check()
    await helped.button("Send rating").click()
    await expect(helped.frame.get_by_text("Thank you for your rating.")).to_be_visible()
    await page.reload()
    await helped.open()

    await expect(helped.frame.get_by_text("Thank you for your rating.")).to_be_visible()
    await expect(score(helped, "3 of 5")).to_have_count(0)


async def test_another_question_opens_the_conversation_again_and_takes_the_form_away(helped):
    await helped.say("How do I reschedule a class?")

    await expect(helped.frame.get_by_role("group", name=ASKED)).to_have_count(0)
    await expect(helped.frame.get_by_text("Did this solve it?")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_and_all_of_it_fits(page, helped, scheme):
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await score(helped, "4 of 5").check()
    inner = await helped.inner()
    found = (await Axe().run(inner)).response["violations"]
    boxes = [await label.bounding_box() for label in await helped.frame.locator(".scores label").all()]

    assert [violation["id"] for violation in found] == []
    assert all(box is not None and min(box["width"], box["height"]) >= 24 for box in boxes)
    assert await inner.evaluate("document.documentElement.scrollWidth <= innerWidth")
