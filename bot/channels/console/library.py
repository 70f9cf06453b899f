"""What agents read across conversations: the queue, their colleagues, past conversations, and canned replies, which some also write."""

from dataclasses import dataclass

from aiohttp import web

from bot.channels.bodies import json_answer, json_body
from bot.channels.console.frames import CannedReplyBody, to_search_text
from bot.channels.console.guard import Guard
from bot.channels.console.showing import Showing
from bot.channels.console.views import to_canned, to_found
from bot.core.accounts import AgentRole
from bot.core.desk import CannedReply
from bot.service.canned import CannedReplies
from bot.service.desk import DeskService

WRITES_TEXTS = frozenset({AgentRole.CONTENT, AgentRole.ADMIN})
CANNED = "/console/v1/canned"
CANNED_REPLY = CANNED + "/{id:[A-Za-z0-9_-]{1,64}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The routes that are about no single conversation."""

    desk: DeskService
    guard: Guard
    showing: Showing

    @property
    def canned(self) -> CannedReplies:
        """The texts that agents insert."""
        return CannedReplies(desk=self.desk.desk)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/console/v1/queue", self.read_queue, allow_head=False),
            web.get("/console/v1/agents", self.read_agents, allow_head=False),
            web.get("/console/v1/search", self.search, allow_head=False),
            web.get(CANNED, self.read_canned, allow_head=False),
            web.put(CANNED_REPLY, self.save_canned),
            web.delete(CANNED_REPLY, self.remove_canned),
        ]

    async def read_queue(self, request: web.Request) -> web.Response:
        """The list with which the socket begins, for a page that has none."""
        agent = (await self.guard.agent(request)).agent
        rows = [await self.showing.row(row, agent.id) for row in await self.desk.queue()]
        return json_answer({"now": self.showing.clock.now_ms(), "rows": rows})

    async def read_agents(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        return json_answer({"agents": await self.showing.roster.colleagues()})

    async def search(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        return json_answer(to_found(await self.desk.search(to_search_text(request.query.get("q")))))

    async def read_canned(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        return json_answer({"canned": [to_canned(reply) for reply in await self.canned.all()]})

    async def save_canned(self, request: web.Request) -> web.Response:
        await self.guard.agent(request, roles=WRITES_TEXTS)
        body = await json_body(request, CannedReplyBody)
        reply = CannedReply(id=request.match_info["id"], title=body.title, text=body.text, locale=body.locale)
        return json_answer(to_canned(await self.canned.save(reply)))

    async def remove_canned(self, request: web.Request) -> web.Response:
        await self.guard.agent(request, roles=WRITES_TEXTS)
        await self.canned.remove(request.match_info["id"])
        return web.Response(status=204)
