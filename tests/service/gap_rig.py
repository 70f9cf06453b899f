"""The whole service with gaps read over it: customers ask in conversations of their own, agents answer, articles come."""

from dataclasses import dataclass, field, replace

from bot.adapters.memory.clusters import PlainClusters
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.memory.traffic import MemoryTraffic
from bot.core.audit import Change
from bot.core.content import Decision, ListedArticle
from bot.core.conversation import AgentId, ConversationId
from bot.core.gaps import Gap
from bot.core.knowledge import Article
from bot.core.turn import Turn
from bot.errors import CandorError
from bot.service.gap_builds import Unpublished
from bot.service.gaps import Gaps
from tests.builders import a_conversation, an_agent_message
from tests.knowledge_builders import begin_build
from tests.service.rig import Rig, a_rig
from tests.service.shelf import ARTICLES, _passage_of, _vector_of

ANNA = AgentId("anna")
DAYS = 30


@dataclass(slots=True, kw_only=True)
class ShelfCatalogue:
    """What the gaps read of the catalogue; a test puts articles on it and says when they came."""

    listed: list[ListedArticle] = field(default_factory=list)
    decided: tuple[Decision, ...] = ()
    fails: CandorError | None = None

    async def articles(self) -> tuple[ListedArticle, ...]:
        if self.fails is not None:
            raise self.fails
        return tuple(self.listed)

    async def decisions(self) -> tuple[Decision, ...]:
        return self.decided


@dataclass(slots=True, kw_only=True)
class GapRig:
    """The service, what is beside it, and the gaps over both."""

    rig: Rig
    desk: MemoryDeskStore
    customers: MemoryCustomerStore
    catalogue: ShelfCatalogue
    gaps: Gaps

    async def ask(self, text: str, *, conversation: str = "c1") -> Turn:
        """Let the customer of a conversation ask, and return the turn."""
        return await (await self.conversation(conversation)).ask(text)

    async def conversation(self, name: str) -> Rig:
        """Return the service at a conversation, opened if it is new."""
        opened = await self.rig.store.open_conversation(a_conversation(id=ConversationId(name)))
        self.rig.said += 1
        return replace(self.rig, conversation=opened.id)

    async def agent_answers(self, text: str, *, conversation: str = "c1") -> None:
        """Let an agent claim the conversation and reply."""
        there = await self.conversation(conversation)
        now_ms = there.clock.now_ms()
        await there._move((await there.state()).claimed_by(ANNA, now_ms=now_ms))
        held = await there.state()
        said = an_agent_message(text, author=ANNA, at_ms=now_ms)
        change = Change(who=ANNA, what="replied", at_ms=now_ms, messages=(said,))
        await there.store.change(held, held.replied_by(ANNA, now_ms=now_ms), change)

    def sync(self, *articles: Article) -> None:
        """Publish *articles* beside those that are there, now."""
        now_ms = self.rig.clock.now_ms()
        self.catalogue.listed += [
            ListedArticle(id=one.id, title=one.title, added_ms=now_ms, changed_ms=now_ms) for one in articles
        ]
        self.rig.shelf.publish([*ARTICLES, *articles])

    def write(self, article: Article, *, fingerprint: str | None = None) -> str:
        """Write an article into a build, as a sync does that is not through yet; return the build."""
        shelf = self.rig.shelf
        passage = _passage_of(article)
        written = [(article, [(passage, _vector_of(passage.embedded_text))])]
        return begin_build(shelf.writer, fingerprint or str(shelf.embedder.fingerprint), written)

    async def found(self) -> tuple[Gap, ...]:
        """Return the gaps of the last days."""
        return (await self.gaps.report(DAYS)).gaps


async def a_gap_rig(**fields) -> GapRig:
    """Open the service over a shelf of articles; *fields* are the rig's."""
    rig = await a_rig(**fields)
    customers = MemoryCustomerStore(rig.store)
    desk, catalogue = MemoryDeskStore(rig.store, customers), ShelfCatalogue()
    traffic = MemoryTraffic(rig.store, customers, desk)
    unpublished = Unpublished(writer=rig.shelf.writer)
    gaps = Gaps.over(traffic, catalogue, rig.turns.answering, PlainClusters, unpublished=unpublished)
    return GapRig(rig=rig, desk=desk, customers=customers, catalogue=catalogue, gaps=gaps)
