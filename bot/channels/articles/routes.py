"""Serves each active article as a page, so that an answer can link to it even where the article has no address of its own."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from aiohttp import web

from bot.channels.articles.page import STATIC, article_page, no_such_article, not_readable_now
from bot.channels.problems import RETRY_AFTER_S
from bot.channels.static_files import StaticFiles, files_of
from bot.core.article_pages import FOLDER as ARTICLES
from bot.core.knowledge import ArticleId, ArticleText
from bot.errors import RetrievalUnavailable

FOLDER = Path(__file__).parent / "static"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Articles:
    """The article pages. `read` gives an article that customers may read, None when there is none."""

    read: Callable[[ArticleId], Awaitable[ArticleText | None]]
    files: StaticFiles = field(default_factory=lambda: files_of(FOLDER))

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"{ARTICLES}{{article}}", self.show),
            web.get(f"{STATIC}/{{release}}/{{name}}", self.file),
        ]

    async def show(self, request: web.Request) -> web.Response:
        """The article, or a page that says in words why it is not there: who comes here came by a link."""
        release = self.files.release
        try:
            article = await self.read(ArticleId(request.match_info["article"]))
        except RetrievalUnavailable as exc:
            log.warning("article_unavailable", error=str(exc))
            unavailable = _html(not_readable_now(release=release), status=503)
            unavailable.headers["Retry-After"] = str(RETRY_AFTER_S)
            return unavailable
        if article is None:
            return _html(no_such_article(release=release), status=404)
        return _html(article_page(article, release=release), status=200)

    async def file(self, request: web.Request) -> web.Response:
        caching = self.files.caching_for(request.match_info["release"])
        return self.files.respond(request, request.match_info["name"], cached=caching)


def _html(page: str, *, status: int) -> web.Response:
    headers = {"Content-Security-Policy": POLICY}
    return web.Response(text=page, content_type="text/html", status=status, headers=headers)
