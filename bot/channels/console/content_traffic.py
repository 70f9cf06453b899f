"""The content page's routes about what customers asked: gaps, drafts made of them, the search tester and the what-if."""

from dataclasses import dataclass
from urllib.parse import quote

from aiohttp import web

from bot.channels.bodies import json_answer, json_body
from bot.channels.console.content_frames import TryBody, to_span, to_threshold
from bot.channels.console.content_gaps import to_gaps
from bot.channels.console.content_library import CONTENT
from bot.channels.console.content_search import to_supposed, to_tried
from bot.channels.console.guard import Guard
from bot.channels.console.library import WRITES_TEXTS
from bot.channels.console.showing import Showing
from bot.channels.problems import ProblemJson
from bot.service.gaps import MOST_DAYS, Gaps
from bot.service.supposing import LONGEST_DAYS, Supposing
from bot.service.trying import Trying

DRAFT = CONTENT + "/gaps/{id:[A-Za-z0-9_-]{1,64}}/draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentTraffic:
    """Reads for every role; drafts for those who write articles. Nothing here is kept."""

    gaps: Gaps
    trying: Trying
    supposing: Supposing
    guard: Guard
    showing: Showing

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"{CONTENT}/gaps", self.read_gaps, allow_head=False),
            web.get(f"{CONTENT}/gaps.csv", self.table, allow_head=False),
            web.get(DRAFT, self.draft, allow_head=False),
            web.post(f"{CONTENT}/try", self.attempt),
            web.get(f"{CONTENT}/what-if", self.what_if, allow_head=False),
        ]

    async def read_gaps(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        report = await self.gaps.report(_days(request, most=MOST_DAYS))
        shown = self.showing
        return json_answer(to_gaps(report, await shown.roster.names(), shown.replies, shown.locale))

    async def table(self, request: web.Request) -> web.Response:
        """The same for a spreadsheet."""
        await self.guard.agent(request)
        text = await self.gaps.csv(_days(request, most=MOST_DAYS))
        return _file(text, media_type="text/csv", name="gaps.csv")

    async def draft(self, request: web.Request) -> web.Response:
        """A draft that quotes what agents answered, as a file for the source of the articles; nothing is published by it."""
        await self.guard.agent(request, roles=WRITES_TEXTS)
        found = await self.gaps.draft(request.match_info["id"], _days(request, most=MOST_DAYS))
        if found is None:
            raise ProblemJson(404, "gap_unknown", "There is no such gap in these days any more.")
        return _file(found.text, media_type="text/markdown", name=found.file_name)

    async def attempt(self, request: web.Request) -> web.Response:
        """A search that nobody asked for: it is made as a turn makes it, and leaves nothing behind."""
        await self.guard.agent(request)
        body = await json_body(request, TryBody)
        shown = self.showing
        tried = await self.trying.attempt(body.said, locale=body.locale or shown.locale)
        return json_answer(to_tried(tried, body.said, shown.replies, shown.locale))

    async def what_if(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        threshold = to_threshold(request.query.get("threshold"))
        supposed = await self.supposing.what_if(threshold, days=_days(request, most=LONGEST_DAYS))
        return json_answer(to_supposed(supposed, self.showing.replies, self.showing.locale))


def _days(request: web.Request, *, most: int) -> int:
    return to_span(request.query.get("days"), most=most)


def _file(text: str, *, media_type: str, name: str) -> web.Response:
    """Answer with a file to keep: no browser opens it as a page of ours."""
    return web.Response(
        text=text,
        content_type=media_type,
        charset="utf-8",
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )
