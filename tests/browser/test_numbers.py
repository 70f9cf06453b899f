"""The page of numbers in a real browser: every number in words, for eyes and for screen readers, and what is wrong in red."""

from collections.abc import AsyncIterator
from copy import deepcopy
from typing import Any

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from tests.channels.console.door import Door, opened_door

pytestmark = pytest.mark.browser

SHOW = """async (numbers) => {
  const sheet = document.createElement('link');
  Object.assign(sheet, { rel: 'stylesheet', href: '/console/static/x/console.css' });
  document.head.replaceChildren(document.querySelector('title'), sheet);
  document.body.className = '';
  const main = document.createElement('main');
  const header = document.createElement('header');
  header.innerHTML = '<h1>Candor desk</h1>';
  document.body.replaceChildren(header, main);
  window.asked = [];
  const api = { get: async (path) => { window.asked.push(path); if (!numbers) throw new Error('away'); return numbers; } };
  const { numbersView } = await import('/console/static/x/app/numbers-view.js');
  main.replaceChildren(numbersView(api));
}"""
REASONS = {
    "no_evidence": "no article was found", "customer_asked": "the customer asked for a person",
    "model_abstained": "the articles do not answer it", "unresolved": "the answer did not help",
    "escalation_rule": "a rule", "out_of_time": "it took too long", "turn_lost": "the turn was lost",
    "bot_paused": "the bot is off",
}  # fmt: skip
NONE = {"confirmed": 0, "silent": 0, "came_back": 0}
WEEK: list[dict[str, Any]] = [
    {"day": f"2026-11-{24 + n}", "by_reason": dict.fromkeys(list(REASONS)[: n + 1], n), "answered_alone": NONE}
    for n in range(1, 6)
]  # fmt: skip
TODAY = {"no_evidence": 4, "customer_asked": 1}
BUSY: dict[str, Any] = {
    "now": 1_796_030_000_000,
    "waiting": {"queued": 3, "claimed": 2, "longest_ms": 754_000},
    "today": {
        "handed_over": {
            "total": 5,
            "by_reason": [{"reason": c, "reason_text": REASONS[c], "count": n} for c, n in TODAY.items()],
        },
        "answered_alone": {"confirmed": 6, "silent": 9, "came_back": 2},
        "first_reply_median_ms": 95_000,
        "untruthful": 0,
        "satisfaction": {"count": 12, "mean": 4.25},
    },
    "days": [*WEEK, {"day": "2026-11-30", "by_reason": TODAY, "answered_alone": NONE | {"silent": 9}}],
    "reasons": REASONS,
}
QUIET = BUSY | {
    "waiting": {"queued": 0, "claimed": 0, "longest_ms": 0},
    "today": {
        "handed_over": {"total": 0, "by_reason": []},
        "answered_alone": NONE,
        "first_reply_median_ms": None,
        "untruthful": 0,
        "satisfaction": {"count": 0, "mean": None},
    },
    "days": [{"day": "2026-11-30", "by_reason": {}, "answered_alone": NONE}],
}


@pytest_asyncio.fixture(loop_scope="session")
async def door() -> AsyncIterator[Door]:
    async with opened_door() as opened:
        yield opened


@pytest.fixture
def live_server(door: Door) -> str:
    """The address of the service under test."""
    return door.url


async def show(page: Page, door: Door, numbers: object) -> None:
    await page.goto(f"{door.url}/console/join")
    await expect(page.get_by_role("alert")).to_have_count(1)
    await page.evaluate(SHOW, numbers)
    await expect(page.get_by_role("status")).not_to_have_text("Loading…")


async def texts(page: Page, selector: str) -> list[str]:
    return [text.replace("\n", " ") for text in await page.locator(selector).all_inner_texts()]


async def test_every_number_of_the_day_has_its_words(page, door):
    await show(page, door, BUSY)

    tiles = await page.locator(".tile").all_text_contents()
    assert tiles == [
        "Waiting for a person3", "Longest wait12:34", "With a person2",
        "Handed over5", "First human reply, median1:35", "Satisfaction, mean of 1 to 54.3 (12 rated)",
        "Untruthful handoffs0",
    ]  # fmt: skip
    reasons = page.get_by_role("table", name="Handed over today, by reason").get_by_role("row")
    assert await reasons.all_inner_texts() == [
        "Reason\tHandoffs\t", "No article was found\t4\t", "The customer asked for a person\t1\t"
    ]  # fmt: skip
    await expect(page.get_by_text("Every handoff gave the reason that it had.")).to_be_visible()


async def test_silence_is_shown_apart_and_said_to_be_no_solution(page, door):
    await show(page, door, BUSY)

    assert await texts(page, ".endings dt") == ["Confirmed: 6", "Silent: 9", "Came back: 2"]
    assert "not counted as solved" in (await texts(page, ".endings dd"))[1]


async def test_a_handoff_that_lied_is_an_alarm_in_words_and_in_red(page, door):
    wrong = deepcopy(BUSY)
    wrong["today"]["untruthful"] = 2
    await show(page, door, wrong)

    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("2 handoffs gave reasons that are not what happened")
    await expect(alert).to_have_css("color", "rgb(161, 29, 29)")


async def test_the_chart_says_in_a_table_what_it_shows_and_draws_each_handoff(page, door):
    await show(page, door, BUSY)

    rows = await page.get_by_role("table", name="By day and reason").get_by_role("row").all_inner_texts()
    assert [row.split("\t")[1] for row in rows[1:]] == ["5", "30", "20", "12", "6", "2"]
    assert "4 \u00d7 no article was found; 1 \u00d7 the customer asked for a person" in rows[1]
    heights = "nodes => nodes.reduce((sum, one) => sum + one.height.baseVal.value, 0)"
    drawn = await page.locator(".chart rect").evaluate_all(heights)
    assert drawn == pytest.approx((140 - 18 - 14) / 30 * (2 + 6 + 12 + 20 + 30 + 5))


async def test_a_day_on_which_nothing_happened_is_said_in_words(page, door):
    await show(page, door, QUIET)

    for said in (
        "nobody waits",
        "no reply yet",
        "nobody has rated yet",
        "Nothing was handed over today.",
        "Nothing was answered without",
    ):
        await expect(page.get_by_text(said)).to_be_visible()


async def test_other_days_are_asked_for_and_a_server_that_is_away_is_said(page, door):
    await show(page, door, BUSY)
    await page.get_by_label("Days shown").select_option("30")
    assert await page.evaluate("window.asked") == ["numbers?days=7", "numbers?days=30"]

    await show(page, door, None)
    await expect(page.get_by_role("status")).to_have_text("away")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
async def test_it_can_be_read_by_everybody_and_fits_a_phone(page, door, scheme, width):
    await page.emulate_media(color_scheme=scheme)
    await page.set_viewport_size({"width": width, "height": 740})
    await show(page, door, BUSY)
    await expect(page.locator(".tile").first).to_have_css("border-top-style", "solid")

    found = await Axe().run(page)

    assert [f"{v['id']}: {v['nodes'][0]['html']}" for v in found.response["violations"]] == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
