"""The live generation for people who keep it, in memory: the twin of the SQLite catalogue, in plain Python."""

from collections.abc import Iterator
from itertools import combinations

from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.knowledge_contents import KeptGeneration, Member
from bot.core.content import (
    ComparedPassage,
    Decision,
    ListedArticle,
    NearPair,
    PairKey,
    holds_word,
    replacements,
    words_sought,
)
from bot.core.indexing import statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Passage, Vector
from bot.errors import CandorError, Refused
from bot.sync_ports import Generation, RunRecord

DECIMALS = 6
Placed = tuple[str, ComparedPassage, Vector]


class MemoryArticleCatalogue:
    """Reads what a MemoryKnowledgeWriter holds. A test sets `fails` to make every call fail with it."""

    def __init__(self, writer: MemoryKnowledgeWriter) -> None:
        self._writer = writer
        self.fails: CandorError | None = None

    async def articles(self) -> tuple[ListedArticle, ...]:
        live = self._live()
        if live is None:
            return ()
        known = self._writer.standings(live)
        in_force, replaced = statuses_in_force(known), replacements(known)
        return tuple(
            _listed(member, in_force[one], replaced.get(one)) for one, member in sorted(live.members.items())
        )

    async def find_articles(self, text: str, *, limit: int) -> tuple[ArticleId, ...]:
        live, sought = self._live(), words_sought(text)
        if live is None or not sought:
            return ()
        found = (
            one for one, m in live.members.items() if all(holds_word(word, _texts(m)) for word in sought)
        )
        return tuple(sorted(found))[:limit]

    async def whole_article(self, article: ArticleId) -> Article | None:
        live = self._live()
        member = None if live is None else live.members.get(article)
        return None if member is None else member.version.article

    async def near_pairs(self, *, least: float, limit: int) -> tuple[NearPair, ...]:
        live = self._live()
        placed = () if live is None else tuple(self._placed(live))
        pairs = [
            _pair(one, other)
            for one, other in combinations(placed, 2)
            if one[0] == other[0] and one[1].article_id != other[1].article_id
        ]
        near = [pair for pair in pairs if pair.cosine >= least]
        return tuple(sorted(near, key=_order)[:limit])

    async def decisions(self) -> tuple[Decision, ...]:
        self._live()
        return tuple(sorted(self._writer.decisions.values(), key=lambda one: (-one.at_ms, one.key)))

    async def decide(self, decision: Decision) -> None:
        live = self._live()
        others = {key: one for key, one in self._writer.decisions.items() if key != decision.key}
        before, self._writer.decisions = self._writer.decisions, others
        statuses = {} if live is None else statuses_in_force(self._writer.standings(live))
        for article in (decision.loser, decision.winner):
            if statuses.get(article) is not ArticleStatus.ACTIVE:
                self._writer.decisions = before
                raise Refused(f"article {article} is not active any more, so there is nothing to decide")
        self._writer.decisions = {**others, decision.key: decision}

    async def withdraw(self, key: PairKey) -> None:
        self._live()
        self._writer.decisions.pop(key, None)

    async def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        self._live()
        return self._writer.runs(limit=limit)

    async def generations(self) -> tuple[Generation, ...]:
        self._live()
        return self._writer.generations()

    def _live(self) -> KeptGeneration | None:
        if self.fails is not None:
            raise self.fails
        return self._writer.live

    def _placed(self, live: KeptGeneration) -> Iterator[Placed]:
        """Yield the passages of active articles with their locale and vector."""
        statuses = statuses_in_force(self._writer.standings(live))
        for article, member in live.members.items():
            if statuses[article] is ArticleStatus.ACTIVE:
                version = member.version
                for passage in version.passages:
                    vector = self._writer.vectors[live.fingerprint, version.digests[passage.id]]
                    yield version.article.locale, _compared(version.article, passage), vector


def _listed(member: Member, status: ArticleStatus, replaced: ArticleId | None) -> ListedArticle:
    article = member.version.article
    return ListedArticle(
        id=article.id,
        title=article.title,
        url=article.url,
        category=article.category,
        tags=article.tags,
        locale=article.locale,
        status=status,
        superseded_by=replaced,
        last_modified_ms=article.last_modified_ms,
        added_ms=member.added_ms,
        changed_ms=member.version.written_ms,
        evergreen=article.evergreen,
    )


def _texts(member: Member) -> Iterator[str]:
    article = member.version.article
    yield from (article.id, article.title, *article.tags)
    yield from (passage.embedded_text for passage in member.version.passages)


def _compared(article: Article, passage: Passage) -> ComparedPassage:
    return ComparedPassage(
        passage=passage,
        title=article.title,
        body=article.body,
        url=article.url,
        last_modified_ms=article.last_modified_ms,
    )


def _pair(one: Placed, other: Placed) -> NearPair:
    cosine = sum(a * b for a, b in zip(one[2], other[2], strict=True))
    left, right = sorted((one[1], other[1]), key=lambda side: side.article_id)
    return NearPair(left=left, right=right, cosine=round(cosine, DECIMALS))


def _order(pair: NearPair) -> tuple[float, str, str]:
    return -pair.cosine, pair.left.passage.id, pair.right.passage.id
