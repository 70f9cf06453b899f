"""The content page's routes about the articles: their health, the list, and pairs to decide on."""

from dataclasses import dataclass

from aiohttp import web

from bot.channels.bodies import json_answer, json_body
from bot.channels.console.content_articles import to_articles, to_decision, to_health, to_pairs, to_whole
from bot.channels.console.content_frames import DecisionBody, to_status, to_tag, to_words
from bot.channels.console.guard import Guard
from bot.channels.console.library import WRITES_TEXTS
from bot.channels.console.showing import Showing
from bot.channels.problems import ProblemJson
from bot.core.content import PairKey
from bot.core.knowledge import ArticleId
from bot.service.content import Content

CONTENT = "/console/v1/content"
PAIR = CONTENT + "/pairs/{key:[0-9a-f]{32}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentLibrary:
    """Reads for every role; decisions by those who write articles."""

    content: Content
    guard: Guard
    showing: Showing

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get(f"{CONTENT}/health", self.health, allow_head=False),
            web.get(f"{CONTENT}/articles", self.articles, allow_head=False),
            web.get(f"{CONTENT}/articles/{{id}}", self.article, allow_head=False),
            web.get(f"{CONTENT}/pairs", self.pairs, allow_head=False),
            web.post(PAIR, self.decide),
            web.delete(PAIR, self.withdraw),
        ]

    async def health(self, request: web.Request) -> web.Response:
        """What the banner of the whole console is made of, too."""
        await self.guard.agent(request)
        return json_answer(to_health(await self.content.health(), now_ms=self.showing.clock.now_ms()))

    async def articles(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        query = request.query
        found = await self.content.articles(
            text=to_words(query.get("q")), status=to_status(query.get("status")), tag=to_tag(query.get("tag"))
        )
        return json_answer(to_articles(found))

    async def article(self, request: web.Request) -> web.Response:
        """Any article that the index knows, a draft or a retired one too."""
        await self.guard.agent(request)
        found = await self.content.article(ArticleId(request.match_info["id"]))
        if found is None:
            raise ProblemJson(404, "article_unknown", "There is no such article.")
        return json_answer(to_whole(found))

    async def pairs(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        return json_answer(to_pairs(await self.content.pairs(), await self.showing.roster.names()))

    async def decide(self, request: web.Request) -> web.Response:
        agent = (await self.guard.agent(request, roles=WRITES_TEXTS)).agent
        body = await json_body(request, DecisionBody)
        key = PairKey(request.match_info["key"])
        decision = await self.content.decide(key, keep=body.keep, who=agent.id)
        return json_answer(to_decision(decision, await self.showing.roster.names()))

    async def withdraw(self, request: web.Request) -> web.Response:
        await self.guard.agent(request, roles=WRITES_TEXTS)
        await self.content.withdraw(PairKey(request.match_info["key"]))
        return web.Response(status=204)
