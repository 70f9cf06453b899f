"""The widget as its customer sees it: what there is to press, to read and to write in."""

from playwright.async_api import Frame, FrameLocator, Locator, Page, expect


class WidgetPage:
    """A page with the widget on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    @property
    def launcher(self) -> Locator:
        return self.frame.get_by_role("button", name="Open chat")

    @property
    def composer(self) -> Locator:
        return self.frame.get_by_role("textbox", name="Your message")

    @property
    def messages(self) -> Locator:
        """Everything said, the greeting first."""
        return self.frame.locator(".list candor-message")

    @property
    def state(self) -> Locator:
        return self.frame.locator(".state")

    @property
    def alert(self) -> Locator:
        return self.frame.locator(".alert")

    def button(self, name: str) -> Locator:
        return self.frame.get_by_role("button", name=name, exact=True)

    async def open(self) -> None:
        await self.launcher.click()
        await expect(self.composer).to_be_focused()

    async def say(self, text: str) -> None:
        await self.composer.fill(text)
        await self.composer.press("Enter")

    async def inner(self) -> Frame:
        handle = await self.page.locator("iframe").element_handle()
        frame = await handle.content_frame()
        assert frame is not None
        return frame
