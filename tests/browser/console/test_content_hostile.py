"""Texts that are up to no good on the content page: whatever anybody wrote is shown as it is, and runs and loads nothing."""

import pytest
from playwright.async_api import Route, expect

from bot.core.accounts import AgentRole
from tests.browser.console.console_page import ConsolePage, expect_no_sideways_scrolling
from tests.channels.hostile_texts import HOSTILE

pytestmark = pytest.mark.browser

EVIL = "\n".join(HOSTILE)[:4_000]
AT = 1_796_030_000_000
NAMED = {"id": EVIL, "title": EVIL, "url": "javascript:alert(1)", "last_modified": AT}
ARTICLE = NAMED | {
    "category": EVIL, "tags": [EVIL[:100]], "locale": "en", "status": "superseded", "superseded_by": EVIL, "added": AT,
    "changed": AT, "evergreen": True, "old": True, "cited": 1,
}  # fmt: skip
PAIR = {
    "key": "0" * 32, "kind": EVIL, "cosine": 0.9, "coverage": 0.9, "left": NAMED, "right": NAMED, "heading": EVIL,
    "sentences": [{"left": EVIL, "right": "safe", "differs": [EVIL]}],
}  # fmt: skip
QUESTION = {
    "conversation": EVIL, "turn": EVIL, "text": EVIL, "at": AT, "reason": EVIL, "reason_text": EVIL, "triage_text": EVIL,
    "remark": EVIL, "best_cosine": 0.1, "threshold": 0.5, "article": EVIL, "today": {"passes": True, "title": EVIL},
}  # fmt: skip
GAP = {
    "id": EVIL, "label": [EVIL], "count": 1, "last": AT, "triage_text": EVIL, "answered_by": EVIL, "questions": [QUESTION],
    "replies": [{"conversation": EVIL, "agent": EVIL, "text": EVIL, "at": AT}],
}  # fmt: skip
ANSWERS = {
    "articles": {"articles": [ARTICLE], "tags": [EVIL[:100]], "found": 1, "total": 1, "cited_days": 90},
    "pairs": {"pairs": [PAIR], "decided": [PAIR | {"who": EVIL, "at": AT}], "total": 1},
    "gaps": {"gaps": [GAP], "questions": 1, "left_out": 0, "not_asked": 0, "problem": EVIL},
}
BAD = ":is(img, script, style, iframe, object, [onerror], [onload], [style], a[href^='javascript'])"


@pytest.mark.parametrize("tab", ANSWERS)
async def test_whatever_anybody_wrote_runs_nothing_and_loads_nothing(page, office, foreign_requests, tab):
    console = ConsolePage(page, await office.hire("Cleo Marsh", AgentRole.CONTENT))
    await console.sign_in()
    await page.set_viewport_size({"width": 390, "height": 800})

    async def answer(route: Route) -> None:
        await route.fulfill(json=ANSWERS[tab])

    await page.route(f"**/console/v1/content/{tab}?*", answer)
    await page.route(f"**/console/v1/content/{tab}", answer)
    await console.show(f"content/{tab}")

    await expect(page.locator(f"#panel-{tab}")).to_contain_text("<script>alert(1)</script>")
    assert await page.locator(f"main {BAD}").count() == 0
    await expect_no_sideways_scrolling(page)
    assert foreign_requests == []
