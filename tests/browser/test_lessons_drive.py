"""The pictures of the published incident: taken here of the sample's records, and seen for what they are when they show it."""

import re
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.adapters.system_clock import SystemClock
from tests.browser.lessons_drive import Album, Seen, booked_days, drive, incident_in
from tests.browser.whole_app import served
from tests.vendors.anthropic_server import anthropic_server
from tests.vendors.records_planner import plans_and_words

DAYS = tuple(f"{day} December 2026" for day in range(1, 15))
COUNTED = Seen(text="You have 14 lessons booked.")
RANKED = Seen(text="Your next 10 lessons:", rows=tuple(f"{day}\tLucía M." for day in DAYS[:10]))
NOTHING = Seen(text="I looked through our articles and found none that answers this.")


@pytest_asyncio.fixture(loop_scope="session")
async def live_server(tmp_path):
    """Candor as `make run` starts it with a key, but without articles: none is asked for here."""
    async with (
        anthropic_server(plans_and_words()) as model,
        served(tmp_path, "--demo", ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=model.url) as address,
    ):
        yield address


async def signs_in(page) -> None:
    await page.get_by_role("button", name="Sign in as a demo customer").press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("You are signed in")


@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_a_demo_customer_is_told_how_many_lessons_and_which_ten_are_next(
    page, live_server, tmp_path, foreign_requests
):
    counted, ranked = await drive(page, live_server, signs_in, Album(folder=tmp_path / "pictures"))

    today = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).date()
    assert incident_in(counted, ranked, booked_days(today)) is None
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["1-signed-in.png", "2-how-many.png", "3-which-ten.png", "4-whole-chat.png"]
    assert foreign_requests == []


def test_right_answers_are_no_incident():
    assert incident_in(COUNTED, RANKED, DAYS) is None


@pytest.mark.parametrize(
    ("counted", "ranked", "said"),
    [
        pytest.param(NOTHING, RANKED, "“How many lessons do I have?” is not answered with 14", id="no count"),
        pytest.param(COUNTED, NOTHING, "“Which 10 are next?” is answered with 0 rows", id="no rows"),
        pytest.param(
            COUNTED, Seen(text="", rows=RANKED.rows[:9]), "with 9 rows in place of 10", id="a row is missing"
        ),
        pytest.param(
            COUNTED, Seen(text="", rows=(*RANKED.rows[:9], "Lucía M.")), "a wrong row: Lucía M.", id="no date"
        ),
    ],
)
def test_what_the_incident_looked_like_is_seen_and_said(counted, ranked, said):
    assert re.search(re.escape(said), incident_in(counted, ranked, DAYS) or "")
