"""What the content page shows, over a shelf of articles and whatever traffic a test records."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from bot.adapters.memory.catalogue import MemoryArticleCatalogue
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.clusters import PlainClusters
from bot.channels.console.content import ContentPage, ContentServices
from bot.channels.console.guard import Guard
from bot.channels.console.showing import Showing
from bot.channels.web import answer_in_json, serving
from bot.core.conversation import ConversationId
from bot.core.knowledge import ArticleId
from bot.core.policy import TurnPolicy
from bot.core.traffic import AgentReply, GapMark, QuestionTurn
from bot.service.answering import Answering, unheard
from bot.service.content import Content
from bot.service.drafting import Drafting
from bot.service.gaps import Gaps
from bot.service.retrieving import Retrieving
from bot.service.supposing import Supposing
from bot.service.triage import Triaging
from bot.service.trying import Trying
from bot.traffic_ports import TrafficReads
from tests.service.rig import RULES
from tests.service.shelf import Shelf
from tests.service.stand_ins import ScriptedAnswerer


@dataclass(slots=True, kw_only=True)
class RecordedTraffic:
    """What was recorded, as a test puts it here."""

    turns: Sequence[QuestionTurn] = ()
    marks: Sequence[GapMark] = ()
    replies: Mapping[ConversationId, tuple[AgentReply, ...]] = field(default_factory=dict)
    cited: Mapping[ArticleId, int] = field(default_factory=dict)

    async def question_turns(self, *, since_ms: int, until_ms: int, limit: int) -> tuple[QuestionTurn, ...]:
        return tuple(turn for turn in self.turns if since_ms <= turn.settled_ms < until_ms)[-limit:]

    async def gap_marks(self, *, since_ms: int, until_ms: int) -> tuple[GapMark, ...]:
        return tuple(mark for mark in self.marks if since_ms <= mark.at_ms < until_ms)

    async def agents_replies(self, conversations) -> Mapping[ConversationId, tuple[AgentReply, ...]]:
        return {one: said for one, said in self.replies.items() if one in conversations}

    async def citations(self, *, since_ms: int) -> Mapping[ArticleId, int]:
        return self.cited


def content_services(shelf: Shelf, traffic: TrafficReads, clock: ManualClock) -> ContentServices:
    """Return all that the page needs; the answerer is one that can abstain."""
    policy, catalogue = TurnPolicy(), MemoryArticleCatalogue(shelf.writer)
    retrieving = Retrieving(
        index=shelf.index, embedder=shelf.embedder, rules=RULES, policy=policy, clock=clock
    )
    answering = Answering(
        retrieving=retrieving,
        drafting=Drafting(answerer=ScriptedAnswerer(), policy=policy),
        triaging=Triaging(index=shelf.index, policy=policy.retrieval),
        rules=RULES,
        policy=policy,
        clock=clock,
        tell=unheard,
    )
    return ContentServices(
        content=Content(catalogue=catalogue, traffic=traffic, index=shelf.index, clock=clock),
        gaps=Gaps.over(traffic, catalogue, answering, PlainClusters),
        trying=Trying(retrieving=retrieving, can_abstain=True),
        supposing=Supposing(traffic=traffic, index=shelf.index, policy=policy, clock=clock, can_abstain=True),
    )


@asynccontextmanager
async def opened_content(services: ContentServices, *, guard: Guard, showing: Showing) -> AsyncIterator[str]:
    """Serve the page by itself, and give its address."""
    page = ContentPage(services=services, guard=guard, showing=showing)
    app = web.Application(middlewares=[answer_in_json])
    app.add_routes(page.routes())
    async with serving(app, host="127.0.0.1", port=0) as url:
        yield url
