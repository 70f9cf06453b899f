"""A running service and a page in Chromium. Whatever serves at `live_server` is what the browser tests drive."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, Request

from tests.browser.launch import launched_chromium
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig, running_rig


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with running_rig() as running:
        yield running


@pytest.fixture
def live_server(rig: Rig) -> str:
    """The address of the service under test."""
    return rig.url


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with launched_chromium() as chromium:
        yield chromium


@pytest.fixture
def foreign_requests() -> list[str]:
    """Every address that the page asked for and that is not the service's."""
    return []


@pytest.fixture
async def page(browser: Browser, live_server: str, foreign_requests: list[str]) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = await context.new_page()
    problems: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith(live_server):
            foreign_requests.append(request.url)

    context.on("request", note)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda entry: problems.append(entry.text) if "Security Policy" in entry.text else None)
    yield page
    await context.close()
    assert problems == []


@pytest.fixture
async def widget(page: Page, live_server: str) -> WidgetPage:
    """The demo page with its widget loaded and closed."""
    await page.goto(f"{live_server}/")
    widget = WidgetPage(page)
    await widget.launcher.wait_for()
    return widget
