"""What the content team sees and decides: articles, pairs that repeat or contradict each other, and how the syncs went."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.content_ports import ArticleCatalogue
from bot.core.content import DAY_MS, Decision, DecisionKind, ListedArticle, NearPair, PairKey
from bot.core.conversation import AgentId
from bot.core.duplicates import NEAR, ArticlePair, candidates, ordered, pair_of, rarity_among
from bot.core.knowledge import ArticleId, ArticleStatus
from bot.core.staleness import SyncHealth
from bot.errors import Refused
from bot.ports import Clock, PassageIndex
from bot.service.sync_watch import health_of
from bot.sync_ports import Generation, GenerationState, RunRecord
from bot.traffic_ports import TrafficReads

CITED_DAYS = 90
MOST_FOUND = 1_000
MOST_NEAR = 5_000  # passages compared, the nearest; reading them takes a few seconds of one processor
MOST_PAIRS = 100  # shown, the most pressing; deciding on some lets others come up
MOST_RUNS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedArticle:
    """A listed article, how often answers of the last `CITED_DAYS` cite it, and whether its age should worry somebody."""

    listed: ListedArticle
    cited: int
    old: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleList:
    """What was asked for, every tag that any article has, and how many articles there are."""

    articles: tuple[CitedArticle, ...]
    tags: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeArticle:
    """One article with all its text, as the source has it."""

    article: CitedArticle
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedPair:
    """A decision with its articles as they are now; None for one that is gone."""

    decision: Decision
    loser: ListedArticle | None
    winner: ListedArticle | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs that wait for a person, the most pressing first, and those that were decided, the newest first; `total` are all that wait."""

    waiting: tuple[ArticlePair, ...]
    decided: tuple[DecidedPair, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentHealth:
    """How fresh the articles are: the last good sync, the last runs, newest first, what is live, and what could be gone back to."""

    sync: SyncHealth
    runs: tuple[RunRecord, ...]
    live: Generation | None
    previous: Generation | None


@dataclass(slots=True, kw_only=True)
class Compared:
    """The pairs that were found last, and the near passages that they were found among."""

    near: tuple[NearPair, ...] | None = None
    pairs: tuple[ArticlePair, ...] = ()
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def left_among(self, near: Sequence[NearPair]) -> tuple[ArticlePair, ...] | None:
        """Return the pairs that are left where passages only went, as after a decision; None where any came."""
        before = {id(pair) for pair in self.near or ()}
        if not before.issuperset(map(id, near)):
            return None
        articles = {pair.articles for pair in near}
        return tuple(pair for pair in self.pairs if (pair.left.article_id, pair.right.article_id) in articles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content team's page without gaps and search. May raise RetrievalUnavailable and StoreUnavailable.

    `expected_s` is how often a sync is due by the settings; without it, what the last worker said of itself.
    """

    catalogue: ArticleCatalogue
    traffic: TrafficReads
    index: PassageIndex
    clock: Clock
    expected_s: int | None = None
    compared: Compared = field(default_factory=Compared)

    async def articles(
        self, *, text: str = "", status: ArticleStatus | None = None, tag: str = ""
    ) -> ArticleList:
        """Return the articles whose title, tags or body have the words of *text*, of one status and tag where those are given."""
        known = await self.catalogue.articles()
        chosen = [one for one in known if status in (None, one.status) and (not tag or tag in one.tags)]
        if text.strip():
            found = await self._found(text, known)
            chosen = [one for one in chosen if one.id in found]
        return ArticleList(
            articles=await self._cited(chosen),
            tags=tuple(sorted({tag for one in known for tag in one.tags})),
            total=len(known),
        )

    async def article(self, article: ArticleId) -> WholeArticle | None:
        """Return an article of any status; None for an unknown id."""
        whole = await self.catalogue.whole_article(article)
        listed = [one for one in await self.catalogue.articles() if one.id == article]
        if whole is None or not listed:
            return None
        (cited,) = await self._cited(listed)
        return WholeArticle(article=cited, body=whole.body)

    async def pairs(self) -> Pairs:
        """Return what waits for a decision and what was decided."""
        decisions = await self.catalogue.decisions()
        decided = frozenset(one.key for one in decisions)
        waiting = [pair for pair in await self._pairs() if pair.key not in decided]
        known = {one.id: one for one in await self.catalogue.articles()}
        return Pairs(
            waiting=tuple(waiting[:MOST_PAIRS]),
            decided=tuple(
                DecidedPair(decision=one, loser=known.get(one.loser), winner=known.get(one.winner))
                for one in decisions
            ),
            total=len(waiting),
        )

    async def decide(self, key: PairKey, *, keep: ArticleId | None, who: AgentId) -> Decision:
        """Let one article of a pair supersede the other, or keep both as distinct when *keep* is None.

        It counts from now on, for searches too, until it is withdrawn. Refused for a pair that does not wait any more.
        """
        waiting = {pair.key: pair for pair in (await self.pairs()).waiting}
        pair = waiting.get(key)
        if pair is None:
            raise Refused("this pair does not wait any more: an article was changed, or somebody has decided")
        decision = _decision(pair, keep, who=who, at_ms=self.clock.now_ms())
        await self.catalogue.decide(decision)
        return decision

    async def withdraw(self, key: PairKey) -> None:
        """Undo a decision; one that is not there is left alone."""
        await self.catalogue.withdraw(key)

    async def health(self) -> ContentHealth:
        """Return how the last syncs went and what is live."""
        status = await self.index.status()
        generations = {one.state: one for one in await self.catalogue.generations()}
        return ContentHealth(
            sync=health_of(status, expected_s=self.expected_s, now_ms=self.clock.now_ms()),
            runs=await self.catalogue.runs(limit=MOST_RUNS),
            live=generations.get(GenerationState.LIVE),
            previous=generations.get(GenerationState.PREVIOUS),
        )

    async def _found(self, text: str, known: Sequence[ListedArticle]) -> frozenset[ArticleId]:
        """Look for the words of *text*; a whole id, whose beginning most ids may share, means that article alone."""
        named = frozenset(one.id for one in known if one.id.casefold() == text.strip().casefold())
        return named or frozenset(await self.catalogue.find_articles(text, limit=MOST_FOUND))

    async def _cited(self, articles: Sequence[ListedArticle]) -> tuple[CitedArticle, ...]:
        now_ms = self.clock.now_ms()
        citations: Mapping[ArticleId, int] = await self.traffic.citations(
            since_ms=now_ms - CITED_DAYS * DAY_MS
        )
        return tuple(
            CitedArticle(listed=one, cited=citations.get(one.id, 0), old=one.is_old(now_ms=now_ms))
            for one in articles
        )

    async def _pairs(self) -> tuple[ArticlePair, ...]:
        """Compare the articles again when they or the decisions have changed, in a thread, because it takes seconds."""
        async with self.compared.reading:
            near = await self.catalogue.near_pairs(least=NEAR, limit=MOST_NEAR)
            if near != self.compared.near:
                left = self.compared.left_among(near)
                self.compared.pairs = await asyncio.to_thread(_compare, near) if left is None else left
                self.compared.near = near
            return self.compared.pairs


def _compare(near: Sequence[NearPair]) -> tuple[ArticlePair, ...]:
    grouped = candidates(near)
    rarity = rarity_among(grouped)
    return ordered(pair for one in grouped if (pair := pair_of(one, rarity)))


def _decision(pair: ArticlePair, keep: ArticleId | None, *, who: AgentId, at_ms: int) -> Decision:
    left, right = pair.left.article_id, pair.right.article_id
    if keep not in (None, left, right):
        raise Refused(f"{keep} is not one of the pair")
    return Decision(
        key=pair.key,
        kind=DecisionKind.DISTINCT if keep is None else DecisionKind.SUPERSEDED,
        loser=right if keep == left else left,
        winner=left if keep == left else right,
        who=who,
        at_ms=at_ms,
    )
