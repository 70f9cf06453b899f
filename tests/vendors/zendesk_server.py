"""A local server that speaks Zendesk's Help Center API: the incremental export, translations and sections, in pages.

It answers from `articles` and `sections`. `faults` plays another reply to the n-th request, the first being 1; `next_page` bends
where a page of the export says that the next one is.
"""

import base64
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from aiohttp import web

from tests.vendors.local_server import Body, LocalServer, Reply, refusal, serving

EMAIL, TOKEN = "agent@acme.example", "0123456789abcdef"
SECTIONS = ({"id": 7, "name": "Lessons"}, {"id": 8, "name": "Payments"})

NextPage = Callable[[str | None], str | None]


@dataclass(slots=True, kw_only=True)
class ZendeskServer(LocalServer):
    """The running server. Read `asked`: path and query of each request."""

    articles: list[Body] = field(default_factory=list)
    sections: Sequence[Mapping[str, object]] = SECTIONS
    page_size: int = 100
    sideloads: bool = True
    faults: dict[int, Reply] = field(default_factory=dict)
    next_page: NextPage = lambda next_page: next_page
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(str(request.rel_url))
        self.headers.append(request.headers.copy())
        if fault := self.faults.get(len(self.asked)):
            return await fault(request, {})
        if request.headers.get("Authorization") != _basic(f"{EMAIL}/token:{TOKEN}"):
            return web.json_response({"error": "Couldn't authenticate you"}, status=401)
        return web.json_response(self._played(request))

    def _played(self, request: web.Request) -> Body:
        if request.path.endswith("/incremental/articles.json"):
            return self._export(int(request.query["start_time"]))
        if request.path.endswith("/sections.json"):
            return self._list(request, "sections", self.sections)
        number = int(request.match_info["article"])
        (one,) = (article for article in self.articles if article["id"] == number)
        return self._list(request, "translations", one["translations"])

    def _export(self, start_s: int) -> Body:
        """Everything changed from *start_s* on, oldest first; a page ends in the second in which the next begins."""
        since = [one for one in sorted(self.articles, key=_changed_s) if _changed_s(one) >= start_s]
        page, rest = since[: self.page_size], since[self.page_size :]
        end_s = _changed_s(page[-1]) if page else start_s
        following = f"{self.url}/api/v2/help_center/incremental/articles.json?start_time={end_s}"
        return {
            "articles": page if self.sideloads else [_bare(one) for one in page],
            **({"sections": list(self.sections)} if self.sideloads else {}),
            "count": len(since),
            "end_time": end_s,
            "next_page": self.next_page(following if rest else None),
        }

    def _list(self, request: web.Request, name: str, held: Sequence[object]) -> Body:
        number = int(request.query["page"])
        rest = held[number * self.page_size :]
        following = f"{self.url}{request.path}?page={number + 1}&per_page={self.page_size}"
        shown = held[(number - 1) * self.page_size : number * self.page_size]
        return {name: list(shown), "count": len(held), "next_page": following if rest else None}


@asynccontextmanager
async def zendesk_server(*articles: Body) -> AsyncIterator[ZendeskServer]:
    """Serve *articles* on a free port of this machine."""
    server = ZendeskServer(articles=list(articles))
    paths = ("incremental/articles.json", "sections.json", "articles/{article}/translations.json")
    async with serving(server, [web.get(f"/api/v2/help_center/{path}", server.answer) for path in paths]):
        yield server


def an_exported_article(number: int = 360001, *translations: Body, changed_s: int = 1_000, **fields) -> Body:
    """Return an article as the export has it, in English unless *translations* say otherwise."""
    moment = datetime.fromtimestamp(changed_s).astimezone().isoformat()
    said = list(translations) or [a_translation()]
    return {
        "id": number,
        "title": said[0]["title"],
        "body": said[0]["body"],
        "locale": said[0]["locale"],
        "source_locale": said[0]["locale"],
        "section_id": 7,
        "label_names": ["calendar"],
        "user_segment_id": None,
        "draft": said[0]["draft"],
        "outdated": False,
        "edited_at": "2026-09-14T08:30:00Z",
        "updated_at": moment,
        "translations": said,
        **fields,
    }


def a_translation(locale: str = "en-us", **fields) -> Body:
    """Return an article's text in one language."""
    return {
        "locale": locale,
        "title": f"How to reschedule ({locale})",
        "body": "<p>Open the calendar.</p>",
        "html_url": f"https://help.acme.example/hc/{locale}/articles/360001",
        "draft": False,
        "hidden": False,
        "outdated": False,
        "updated_at": "2026-09-20T00:00:00Z",
        **fields,
    }


def refuses(status: int, *, retry_after: str | None = None) -> Reply:
    """Fail with *status*."""
    return refusal(status, {"error": "refused"}, retry_after)


def sends_elsewhere(location: str) -> Reply:
    """Answer that everything is at *location*."""

    async def reply(_request: web.Request, _body: Body) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": location})

    return reply


def breaks_off() -> Reply:
    """Send the beginning of a page and drop the connection."""

    async def reply(request: web.Request, _body: Body) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "application/json", "content-length": "9999"})
        await response.prepare(request)
        await response.write(b'{"articles": [{"id": 1')
        assert request.transport is not None
        request.transport.close()
        return response

    return reply


def _bare(article: Body) -> Body:
    return {name: value for name, value in article.items() if name != "translations"}


def _changed_s(article: Body) -> int:
    return int(datetime.fromisoformat(article["updated_at"]).timestamp())


def _basic(credentials: str) -> str:
    return f"Basic {base64.b64encode(credentials.encode()).decode()}"
