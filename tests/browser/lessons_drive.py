"""Two questions about lessons in the widget, as the demo customer: what stands there after each, and pictures of it.

It sees the published incident: a count that is answered, and then rows that are said not to exist.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from playwright.async_api import Page, ViewportSize

from bot.sample import records as sample
from tests.browser.widget_page import WidgetPage
from tests.vendors.records_planner import HOW_MANY, WHICH_TEN, day_in_words
from tests.waiting import wait_until

TALL: ViewportSize = {"width": 375, "height": 1300}
ANSWER_S = 40.0  # a turn has 30
_NUMBER, _STUDENT, _DAY, _STATUS = 0, 1, 5, 9  # of a lesson's row

SignIn = Callable[[Page], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the customer reads after a question: all of it, and the rows of its table."""

    text: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """A folder of pictures, numbered in the order in which they are taken."""

    folder: Path

    async def keep(self, page: Page, name: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        number = len(list(self.folder.glob("*.png"))) + 1
        await page.screenshot(path=self.folder / f"{number}-{name}.png")

    async def keep_tall(self, page: Page, name: str) -> None:
        """Keep the same on a phone that is tall enough for all of it."""
        usual = page.viewport_size
        await page.set_viewport_size(TALL)
        await self.keep(page, name)
        if usual is not None:
            await page.set_viewport_size(usual)


def booked_days(today: date) -> tuple[str, ...]:
    """Return the days of all lessons that the demo customer has before them, the next first, in words."""
    lessons = sample.rows_around(today)["lesson"]
    days = sorted(
        str(row[_DAY]) for row in lessons if (row[_STUDENT], row[_STATUS]) == (sample.DEMO_CUSTOMER, "booked")
    )
    return tuple(day_in_words(date.fromisoformat(day)) for day in days)


def incident_in(counted: Seen, ranked: Seen, days: Sequence[str]) -> str | None:
    """Return what is wrong with what the customer reads, in a sentence; None when both answers are right."""
    if str(len(days)) not in counted.text:
        return f"“{HOW_MANY}” is not answered with {len(days)}. The customer reads: {counted.text}"
    wanted = days[:10]
    if len(ranked.rows) != len(wanted):
        return f"“{WHICH_TEN}” is answered with {len(ranked.rows)} rows in place of {len(wanted)}. The customer reads: {ranked.text}"
    wrong = [row for row, day in zip(ranked.rows, wanted, strict=True) if day not in row]
    return f"“{WHICH_TEN}” is answered with a wrong row: {wrong[0]}" if wrong else None


async def drive(page: Page, address: str, sign_in: SignIn, album: Album) -> tuple[Seen, Seen]:
    """Ask both questions, and return what is read after each."""
    await page.goto(address)
    widget = WidgetPage(page)
    await widget.launcher.wait_for()
    await sign_in(page)
    await album.keep(page, "signed-in")
    await widget.open()
    counted = await _asked(widget, HOW_MANY, album, "how-many")
    ranked = await _asked(widget, WHICH_TEN, album, "which-ten")
    await album.keep_tall(page, "whole-chat")
    return counted, ranked


async def _asked(widget: WidgetPage, question: str, album: Album, name: str) -> Seen:
    async def after_it() -> int | None:
        texts = await widget.messages.all_inner_texts()
        asked = [place for place, text in enumerate(texts) if question in text]
        return asked[-1] + 1 if asked and asked[-1] + 1 < len(texts) else None

    await widget.say(question)
    said = widget.messages.nth(await wait_until(after_it, deadline_s=ANSWER_S))
    await album.keep(widget.page, name)
    return Seen(text=await said.inner_text(), rows=tuple(await said.locator("tbody tr").all_inner_texts()))
