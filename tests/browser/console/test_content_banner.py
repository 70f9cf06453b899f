"""The banner that says in the whole console that the articles are out of date, since when, and where help stands."""

import pytest
from playwright.async_api import Route, expect

from tests.browser.console.console_page import ConsolePage

pytestmark = pytest.mark.browser

HEALTH = "**/console/v1/content/health"
LATE = {
    "now": 1_796_036_400_000, "last_good": 1_790_000_000_000, "every_s": 900, "late": True, "old": False,
    "runs": [], "generation": None, "previous": None,
}  # fmt: skip
FINE = LATE | {"late": False}


async def tell(console: ConsolePage, health: dict[str, object]) -> None:
    """Let the service say how the syncs went."""

    async def answer(route: Route) -> None:
        await route.fulfill(json=health)

    await console.page.unroute(HEALTH)
    await console.page.route(HEALTH, answer)


def banner(console: ConsolePage):
    return console.page.locator(".late-sync")


async def test_every_agent_is_told_since_when_the_articles_are_late_and_what_to_do(console):
    await tell(console, LATE)
    await console.show()

    await expect(banner(console)).to_contain_text("have not been synced since")
    await expect(banner(console)).to_contain_text("A sync is expected every 15 min.")
    found = await console.violations()
    await banner(console).get_by_role("link", name="What to do").click()
    await expect(console.page.get_by_role("heading", name="What to do")).to_be_visible()
    await expect(console.page.locator("#panel-health")).to_contain_text("python -m kb_sync --every 15m")
    assert found == []


async def test_the_banner_goes_within_a_minute_of_a_good_sync(console):
    await console.page.clock.install()
    await tell(console, LATE)
    await console.show()
    await expect(banner(console)).to_contain_text("A sync is expected")

    await tell(console, FINE)
    await console.page.clock.fast_forward(61_000)
    await expect(banner(console)).to_be_empty()


async def test_the_same_words_are_not_put_there_again(console):
    await console.page.clock.install()
    await tell(console, LATE)
    await console.show()
    await expect(banner(console)).to_contain_text("A sync is expected")
    said = await banner(console).locator("p").element_handle()

    async with console.page.expect_response(HEALTH):
        await console.page.clock.fast_forward(61_000)
    assert await said.evaluate("node => node.isConnected")


async def test_customers_hearing_of_it_is_said_too(console):
    await tell(console, LATE | {"old": True})
    await console.show("numbers")

    await expect(banner(console)).to_contain_text("customers are told so")


async def test_while_all_is_well_there_is_no_banner(console):
    await tell(console, FINE)
    async with console.page.expect_response(HEALTH):
        await console.show()

    await expect(banner(console)).to_be_empty()
