"""The browser tests' own footing: Chromium starts, draws, and does not leave this machine."""

import pytest
from playwright.async_api import Error

from tests.browser.launch import launched_chromium

pytestmark = pytest.mark.browser


async def test_a_page_runs_in_chromium_and_has_a_font_to_draw_with():
    async with launched_chromium() as browser:
        page = await browser.new_page()

        await page.set_content("<span>iiii</span><br><span>WWWW</span>")

        widths = await page.eval_on_selector_all("span", "spans => spans.map(s => s.offsetWidth)")
        assert 0 < widths[0] < widths[1]


async def test_chromium_finds_no_host_beyond_this_machine():
    async with launched_chromium() as browser:
        page = await browser.new_page()

        with pytest.raises(Error, match="ERR_NAME_NOT_RESOLVED"):
            await page.goto("http://elsewhere.example/")
