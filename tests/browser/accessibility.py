"""What axe finds in a page or a frame, judged by WCAG 2.2 AA."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Frame, Page

# Targets of at least 24 pixels are new in 2.2, and axe looks at them only when told to.
OPTIONS = {"rules": {"target-size": {"enabled": True}}}


async def violations(where: Page | Frame) -> list[str]:
    """Return each rule that is broken, with the first element that breaks it."""
    found = await Axe().run(where, options=OPTIONS)
    return [f"{broken['id']}: {broken['nodes'][0]['html']}" for broken in found.response["violations"]]
