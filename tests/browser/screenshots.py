"""`make screenshots`: asks a running Candor the two questions of the published incident, and keeps pictures of what the customer reads.

Everything is real but the model, which is scripted: its first ranking is one that PostgreSQL refuses. Exit code 1 when the incident is seen.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import Page

from bot.adapters.system_clock import SystemClock
from bot.sample import records as sample
from tests.browser.launch import launched_chromium
from tests.browser.lessons_drive import Album, booked_days, drive, incident_in
from tests.browser.whole_app import served, sync_sample
from tests.channels.identity_tokens import IDENTITY_KEY, signed, some_claims
from tests.vendors.anthropic_server import anthropic_server
from tests.vendors.postgres_server import postgres_server, sample_records
from tests.vendors.records_planner import plans_and_words

SITE = "candor"  # what SITE is when it is unset
WINDOW = {"width": 1280, "height": 800}


async def signed_in(page: Page) -> None:
    """Tell the page who its customer is, as the site's own server does; the demo page's own way in is for the sample alone."""
    now_s = SystemClock().now_ms() // 1000
    who = {"sub": sample.DEMO_CUSTOMER, "aud": SITE, "name": "Demo customer", "email": None}
    await page.evaluate("(proof) => candor('identify', proof)", signed(some_claims(now_s, **who)))


async def main(album: Album) -> str | None:
    """Take the pictures; return the sentence that says what is wrong in them."""
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server:
        await sync_sample(Path(folder))
        today = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).date()
        with sample_records(server, today) as records:
            async with _running(Path(folder), records) as address, _page() as page:
                counted, ranked = await drive(page, address, signed_in, album)
    return incident_in(counted, ranked, booked_days(today))


@asynccontextmanager
async def _running(folder: Path, records: str) -> AsyncIterator[str]:
    async with anthropic_server(plans_and_words()) as model:
        settings = {
            "ANTHROPIC_API_KEY": "scripted",
            "ANTHROPIC_BASE_URL": model.url,
            "RECORDS_URL": records,
            "RECORDS_DESCRIPTION": str(sample.DESCRIPTION),
            "WIDGET_JWT_SECRET": IDENTITY_KEY,
        }
        async with served(folder, **settings) as address:
            yield address


@asynccontextmanager
async def _page() -> AsyncIterator[Page]:
    async with launched_chromium() as browser:
        yield await browser.new_page(viewport=WINDOW, reduced_motion="reduce")


def _album(folder: Path) -> Album:
    """Return the folder, without the pictures of an earlier run."""
    for earlier in folder.glob("[1-9]-*.png"):
        earlier.unlink()
    return Album(folder=folder.resolve())


if __name__ == "__main__":
    kept = _album(Path(sys.argv[1]))
    problem = asyncio.run(main(kept))
    sys.stdout.write(f"The pictures are in {kept.folder}\n")
    sys.exit(problem)
