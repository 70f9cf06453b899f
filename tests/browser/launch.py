"""Starts Chromium for a test, through Playwright's asynchronous interface.

The synchronous one brings an event loop of its own, which ends a pytest run in asyncio mode.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

from tests.browser.executable import system_chromium

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Containers give /dev/shm 64 MB, and a page that fills it crashes.
    "--disable-dev-shm-usage",
    # The browser is its own process, which the suite's guard against the internet does not see.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
)


@asynccontextmanager
async def launched_chromium() -> AsyncIterator[Browser]:
    """A browser that reaches this machine only; open pages through a context of their own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=system_chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()
