"""An office whose agents use the console in Chromium."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page as BrowserPage

from tests.browser.console.console_page import ConsolePage
from tests.channels.console.office import Office, Page, opened_office


@pytest_asyncio.fixture(loop_scope="session")
async def office() -> AsyncIterator[Office]:
    async with opened_office() as opened:
        yield opened


@pytest.fixture
def live_server(office: Office) -> str:
    """The address of the service under test."""
    return office.url


@pytest_asyncio.fixture(loop_scope="session")
async def maria(office: Office) -> Page:
    return await office.hire("Maria Lopez")


@pytest_asyncio.fixture(loop_scope="session")
async def ben(office: Office) -> Page:
    return await office.hire("Ben Okri")


@pytest_asyncio.fixture(loop_scope="session")
async def console(page: BrowserPage, maria: Page) -> ConsolePage:
    """Maria's browser, signed in and blank."""
    console = ConsolePage(page, maria)
    await console.sign_in()
    return console
