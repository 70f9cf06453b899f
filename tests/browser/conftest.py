"""A running service and a page in Chromium. Whatever serves at `live_server` is what the browser tests drive.

One browser serves all of them, in one event loop, because starting one takes longer than most of the tests.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Dialog, Page, Request, expect

from tests.browser.launch import launched_chromium
from tests.browser.widget_page import WidgetPage
from tests.channels.rig import Rig, running_rig

PATIENCE_MS = 20_000  # a busy machine is not a failure
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that share the browser in the browser's loop."""
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def rig() -> AsyncIterator[Rig]:
    async with running_rig() as running:
        yield running


@pytest.fixture
def live_server(rig: Rig) -> str:
    """The address of the service under test."""
    return rig.url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with launched_chromium() as chromium:
        yield chromium


@pytest.fixture
def foreign_requests() -> list[str]:
    """Every address that the page asked for and that is not the service's."""
    return []


@pytest.fixture
def violations() -> list[str]:
    """Dialogs, script errors, and what the page's own policy had to stop; none may be left at the end."""
    return []


@pytest_asyncio.fixture(loop_scope="session")
async def page(
    browser: Browser, live_server: str, foreign_requests: list[str], violations: list[str]
) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = await context.new_page()

    def note_request(request: Request) -> None:
        if not request.url.startswith(live_server):
            foreign_requests.append(request.url)

    def note_message(message: ConsoleMessage) -> None:
        if "Security Policy" in message.text:
            violations.append(message.text)

    async def note_dialog(dialog: Dialog) -> None:
        violations.append(f"{dialog.type}: {dialog.message}")
        await dialog.dismiss()

    context.on("request", note_request)
    context.on("weberror", lambda error: violations.append(str(error.error)))
    context.on("console", note_message)
    context.on("dialog", note_dialog)
    yield page
    await context.close()
    assert violations == []


@pytest_asyncio.fixture(loop_scope="session")
async def widget(page: Page, live_server: str) -> WidgetPage:
    """The demo page with its widget loaded and closed."""
    await page.goto(f"{live_server}/")
    widget = WidgetPage(page)
    await widget.launcher.wait_for()
    return widget
