"""Search over the knowledge base in memory: the twin of the SQLite passage index, in plain Python."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.knowledge_contents import KeptGeneration, Version
from bot.core.indexing import Contents, index_state, searched_locales, statuses_in_force
from bot.core.knowledge import (
    LOOKED_AT_BESIDE,
    ArticleId,
    ArticleStatus,
    ArticleText,
    FoundPassage,
    IndexState,
    IndexStatus,
    Passage,
    SearchQuery,
    SearchResult,
    Vector,
)
from bot.core.lexical import Words, bm25, terms
from bot.core.vectors import checked_query
from bot.errors import CandorError, IndexNotReady

DECIMALS = 6


class MemoryPassageIndex:
    """Searches what a MemoryKnowledgeWriter holds. A test sets `fails` to make every call fail with it."""

    def __init__(self, writer: MemoryKnowledgeWriter, *, fingerprint: str) -> None:
        self._writer = writer
        self._fingerprint = fingerprint
        self.fails: CandorError | None = None

    async def status(self) -> IndexStatus:
        self._fail_if_told()
        live = self._writer.live
        found = self._candidates()
        state, detail = index_state(self._contents(found), expected_fingerprint=self._fingerprint)
        runs = tuple(self._writer.records.values())
        good = [run.ended_ms for run in runs if run.outcome == "done" and run.ended_ms is not None]
        intervals = [run.interval_s for run in runs if run.interval_s is not None]
        return IndexStatus(
            state=state,
            fingerprint=None if live is None else live.fingerprint,
            generation=None if live is None else live.id,
            articles=0 if live is None else live.counted().articles,
            passages=len(found),
            last_sync_ms=good[-1] if good else None,
            expected_every_s=intervals[-1] if intervals else None,
            calibration=self._writer.calibrations.get(self._fingerprint),
            detail=detail,
        )

    async def search(self, query: SearchQuery) -> SearchResult:
        self._fail_if_told()
        live = self._writer.live
        candidates = self._candidates()
        state, detail = index_state(self._contents(candidates), expected_fingerprint=self._fingerprint)
        if state is not IndexState.READY or live is None:
            raise IndexNotReady(detail)
        checked_query(query.vector, dimension=len(candidates[0].vector))
        allowed = [one for one in candidates if one.found.status in query.statuses]
        locales = searched_locales(query.locales, Counter(one.found.locale for one in allowed))
        there = [one for one in allowed if one.found.locale in locales]
        worded = self._worded(live, query.words)
        scored = [_scored(one, query.vector, worded) for one in there]
        return SearchResult(
            passages=_nearest_and_worded(scored, query.limit),
            fingerprint=self._fingerprint,
            generation=live.id,
            beside=tuple(_best(there, vector) for vector in query.beside),
        )

    async def article(self, article: ArticleId) -> ArticleText | None:
        self._fail_if_told()
        live = self._writer.live
        if live is None or self._statuses(live).get(article) is not ArticleStatus.ACTIVE:
            return None
        return _text(live.members[article].version)

    def _worded(self, live: KeptGeneration, wanted: Sequence[Words]) -> Mapping[str, float]:
        """Return the BM25 of the words wanted by the id of each passage and article; versions that are not live count in its statistics."""
        versions = tuple(self._writer.versions.values())
        is_live = {id(member.version) for member in live.members.values()}
        passages = [(p.id, v, terms(p.embedded_text)) for v in versions for p in v.passages]
        articles = [(v.article.id, v, _article_terms(v)) for v in versions]
        scores: dict[str, float] = {}
        for words in wanted:
            for texts in (passages, articles):
                found = bm25(words.terms, [text for _, _, text in texts])
                for (id_, version, _), score in zip(texts, found, strict=True):
                    if id(version) in is_live:
                        scores[id_] = scores.get(id_, 0.0) + words.weight * score
        return scores

    def _fail_if_told(self) -> None:
        if self.fails is not None:
            raise self.fails

    def _statuses(self, live: KeptGeneration) -> Mapping[ArticleId, ArticleStatus]:
        return statuses_in_force(self._writer.standings(live))

    def _contents(self, candidates: Sequence["_Candidate"]) -> Contents:
        live = self._writer.live
        return Contents(
            live_fingerprint=None if live is None else live.fingerprint,
            building=bool(self._writer.kept),
            passages=len(candidates),
            searchable=sum(one.found.status is ArticleStatus.ACTIVE for one in candidates),
        )

    def _candidates(self) -> list["_Candidate"]:
        """Return the passages of all articles but the retired ones, their cosine still 0."""
        live = self._writer.live
        if live is None:
            return []
        statuses = self._statuses(live)
        return [
            _Candidate(
                found=_unscored(member.version, passage, statuses[article]),
                vector=self._writer.vectors[live.fingerprint, member.version.digests[passage.id]],
            )
            for article, member in live.members.items()
            if statuses[article] is not ArticleStatus.RETIRED
            for passage in member.version.passages
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    found: FoundPassage
    vector: Vector


def _text(version: Version) -> ArticleText:
    article = version.article
    return ArticleText(
        id=article.id,
        title=article.title,
        url=article.url,
        locale=article.locale,
        last_modified_ms=article.last_modified_ms,
        passages=tuple(sorted(version.passages, key=lambda one: one.position)),
    )


def _unscored(version: Version, passage: Passage, status: ArticleStatus) -> FoundPassage:
    article = version.article
    return FoundPassage(
        passage=passage,
        title=article.title,
        url=article.url,
        cosine=0.0,
        status=status,
        locale=article.locale,
        last_modified_ms=article.last_modified_ms,
        evergreen=article.evergreen,
        article_digest=version.digest,
    )


def _scored(candidate: _Candidate, query: Vector, worded: Mapping[str, float]) -> FoundPassage:
    found = candidate.found
    return replace(
        found,
        cosine=_cosine(candidate.vector, query),
        lexical=worded.get(found.passage.id, 0.0),
        article_lexical=worded.get(found.article_id, 0.0),
    )


def _cosine(vector: Vector, query: Vector) -> float:
    return round(sum(one * other for one, other in zip(vector, query, strict=True)), DECIMALS)


def _best(candidates: Sequence[_Candidate], vector: Vector) -> tuple[float, ...]:
    falling = sorted((_cosine(one.vector, vector) for one in candidates), reverse=True)
    return tuple(falling[:LOOKED_AT_BESIDE])


def _nearest_and_worded(scored: Sequence[FoundPassage], limit: int) -> tuple[FoundPassage, ...]:
    """Return the nearest passages, and as many that hold the words best, together by falling cosine."""
    holding = [found for found in scored if found.lexical > 0]
    near = sorted(scored, key=lambda found: (-found.cosine, found.passage.id))[:limit]
    worded = sorted(holding, key=lambda found: (-found.lexical, found.passage.id))[:limit]
    together = {found.passage.id: found for found in (*near, *worded)}.values()
    return tuple(sorted(together, key=lambda found: (-found.cosine, found.passage.id)))


def _article_terms(version: Version) -> tuple[str, ...]:
    texts = (version.article.title, *(passage.text for passage in version.passages))
    return tuple(term for text in texts for term in terms(text))
