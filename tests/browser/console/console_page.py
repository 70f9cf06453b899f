"""The console as an agent sees it: what there is to press, to read and to write in."""

from typing import Protocol

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Locator, Page, expect

from bot.channels.console.guard import COOKIE
from bot.core.conversation import ConversationId


class Agent(Protocol):
    """Who uses a browser: whose cookie, and on which service."""

    cookie: str
    origin: str


class ConsolePage:
    """A browser page in which an agent is signed in."""

    def __init__(self, page: Page, agent: Agent) -> None:
        self.page = page
        self.agent = agent

    @property
    def url(self) -> str:
        return f"{self.agent.origin}/console"

    @property
    def rows(self) -> Locator:
        return self.page.locator("desk-row")

    @property
    def heading(self) -> Locator:
        return self.page.locator("#talk-heading")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def reply(self) -> Locator:
        return self.page.get_by_role("textbox", name="Reply to")

    @property
    def note(self) -> Locator:
        return self.page.get_by_role("textbox", name="New internal note")

    @property
    def problem(self) -> Locator:
        """What was refused in the open conversation."""
        return self.page.locator(".problem")

    @property
    def said(self) -> Locator:
        """What was done, for everybody."""
        return self.page.locator(".toast[role=status]")

    @property
    def side(self) -> Locator:
        return self.page.get_by_role("complementary")

    def row(self, text: str) -> Locator:
        return self.rows.filter(has_text=text)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def sign_in(self) -> None:
        """Give the browser the agent's cookie, which is for secure addresses alone."""
        host = self.url.removeprefix("http")
        await self.page.context.add_cookies(
            [{"name": COOKIE, "value": self.agent.cookie, "url": f"https{host}", "secure": True}]
        )

    async def show(self, route: str = "queue") -> None:
        await self.page.goto(f"{self.url}#/{route}")
        await self.page.get_by_role("heading", name="Candor desk").wait_for()

    async def open(self, conversation: ConversationId) -> None:
        await self.show(f"conversation/{conversation}")
        await self.heading.wait_for()

    async def tab(self, name: str) -> None:
        await self.page.get_by_role("tab", name=name).click()

    async def violations(self) -> list[str]:
        """Return what axe finds."""
        found = await Axe().run(self.page)
        return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found.response["violations"]]


async def console_for(browser: Browser, agent: Agent) -> ConsolePage:
    """Open a browser of its own for *agent*; the caller closes its context."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    console = ConsolePage(await context.new_page(), agent)
    await console.sign_in()
    return console


async def expect_no_sideways_scrolling(page: Page) -> None:
    """The page is as wide as the window."""
    await expect(page.locator("html")).to_have_js_property("scrollWidth", await page.evaluate("innerWidth"))
