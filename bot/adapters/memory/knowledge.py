"""The knowledge base in memory: the twin of the SQLite passage index and writer, in plain Python."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.core.indexing import (
    Contents,
    Standing,
    generation_id,
    index_state,
    searched_locales,
    statuses_in_force,
)
from bot.core.knowledge import (
    LOOKED_AT_BESIDE,
    Article,
    ArticleId,
    ArticleStatus,
    ArticleText,
    Calibration,
    FoundPassage,
    IndexState,
    IndexStatus,
    Passage,
    SearchQuery,
    SearchResult,
    Vector,
)
from bot.core.lexical import Words, bm25, terms
from bot.core.vectors import checked_query, checked_vectors
from bot.errors import CandorError, IndexNotReady, StoreUnavailable
from bot.sync_ports import RunRecord

DECIMALS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An article as it was written; `retired` keeps it out of every search."""

    article: Article
    digest: str
    passages: tuple[tuple[Passage, Vector], ...]
    retired: bool = False

    @property
    def standing(self) -> Standing:
        status = ArticleStatus.RETIRED if self.retired else self.article.status
        return Standing(id=self.article.id, status=status, supersedes=self.article.supersedes)


@dataclass(slots=True, kw_only=True)
class _Generation:
    fingerprint: str
    entries: dict[ArticleId, _Entry] = field(default_factory=dict)

    def vectors(self) -> list[Vector]:
        return [vector for entry in self.entries.values() for _, vector in entry.passages]


class MemoryKnowledgeWriter:
    """Holds what was written; MemoryPassageIndex searches it."""

    def __init__(self) -> None:
        self.generations: dict[str, _Generation] = {}
        self.live: str | None = None
        self.runs: dict[str, RunRecord] = {}
        self.calibrations: dict[str, Calibration] = {}
        self._vectors: dict[tuple[str, str], Vector] = {}

    def open_generation(self, fingerprint: str, *, at_ms: int) -> str:
        for generation, contents in self.generations.items():
            if contents.fingerprint == fingerprint:
                return generation
        generation = generation_id(fingerprint, at_ms=at_ms)
        self.generations[generation] = _Generation(fingerprint=fingerprint)
        return generation

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        contents = self.generations.get(generation)
        entries = {} if contents is None else contents.entries
        return {
            article: entry.digest
            for article, entry in entries.items()
            if entry.standing.status is not ArticleStatus.RETIRED
        }

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        found = {digest: self._vectors.get((fingerprint, digest)) for digest in digests}
        return {digest: vector for digest, vector in found.items() if vector is not None}

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        _require_unit_vectors(tuple(vectors.values()), like=())
        self._vectors.update({(fingerprint, digest): vector for digest, vector in vectors.items()})

    def replace_article(
        self, generation: str, article: Article, digest: str, passages: Sequence[tuple[Passage, Vector]]
    ) -> None:
        contents = self._generation(generation)
        _require_unit_vectors([vector for _, vector in passages], like=contents.vectors())
        contents.entries[article.id] = _Entry(article=article, digest=digest, passages=tuple(passages))

    def retire_articles(self, generation: str, articles: Sequence[ArticleId]) -> None:
        entries = self._generation(generation).entries
        entries.update({one: replace(entries[one], retired=True) for one in articles if one in entries})

    def publish(self, generation: str, run: RunRecord) -> None:
        contents = self._generation(generation)
        if self.live != generation:
            self.generations = {generation: contents}
            self.live = generation
        self.record_run(run)

    def record_run(self, run: RunRecord) -> None:
        self.runs[run.id] = run

    def store_calibration(self, calibration: Calibration) -> None:
        self.calibrations[calibration.fingerprint] = calibration

    def _generation(self, generation: str) -> _Generation:
        if generation not in self.generations:
            raise StoreUnavailable(
                f"generation {generation} is gone: another sync published its own; sync again"
            )
        return self.generations[generation]


class MemoryPassageIndex:
    """Searches what a MemoryKnowledgeWriter holds. A test sets `fails` to make every call fail with it."""

    def __init__(self, writer: MemoryKnowledgeWriter, *, fingerprint: str) -> None:
        self._writer = writer
        self._fingerprint = fingerprint
        self.fails: CandorError | None = None

    async def status(self) -> IndexStatus:
        self._fail_if_told()
        live = self._live()
        found = _candidates(live)
        state, detail = index_state(self._contents(found), expected_fingerprint=self._fingerprint)
        ended = [
            run.ended_ms for run in self._writer.runs.values() if run.ended_ms is not None and not run.error
        ]
        return IndexStatus(
            state=state,
            fingerprint=None if live is None else live.fingerprint,
            generation=self._writer.live,
            articles=0 if live is None else len(self._writer.article_digests(self._writer.live or "")),
            passages=len(found),
            last_sync_ms=max(ended, default=None),
            calibration=self._writer.calibrations.get(self._fingerprint),
            detail=detail,
        )

    async def search(self, query: SearchQuery) -> SearchResult:
        self._fail_if_told()
        candidates = _candidates(self._live())
        state, detail = index_state(self._contents(candidates), expected_fingerprint=self._fingerprint)
        if state is not IndexState.READY or self._writer.live is None:
            raise IndexNotReady(detail)
        checked_query(query.vector, dimension=len(candidates[0].vector))
        allowed = [one for one in candidates if one.found.status in query.statuses]
        locales = searched_locales(query.locales, Counter(one.found.locale for one in allowed))
        there = [one for one in allowed if one.found.locale in locales]
        worded = self._worded(query.words)
        scored = [_scored(one, query.vector, worded) for one in there]
        return SearchResult(
            passages=_nearest_and_worded(scored, query.limit),
            fingerprint=self._fingerprint,
            generation=self._writer.live,
            beside=tuple(_best(there, vector) for vector in query.beside),
        )

    async def article(self, article: ArticleId) -> ArticleText | None:
        self._fail_if_told()
        live = self._live()
        active = () if live is None else _active(live)
        return next((_text(entry) for entry in active if entry.article.id == article), None)

    def _worded(self, wanted: Sequence[Words]) -> Mapping[str, float]:
        """Return the BM25 of the words wanted by the id of each passage and article; other generations count in its statistics."""
        entries = [entry for one in self._writer.generations.values() for entry in one.entries.values()]
        passages = {p.id: terms(p.embedded_text) for entry in entries for p, _ in entry.passages}
        articles = {entry.article.id: _article_terms(entry) for entry in entries}
        scores: dict[str, float] = {}
        for words in wanted:
            for texts in (passages, articles):
                for id_, score in zip(texts, bm25(words.terms, list(texts.values())), strict=True):
                    scores[id_] = scores.get(id_, 0.0) + words.weight * score
        return scores

    def _fail_if_told(self) -> None:
        if self.fails is not None:
            raise self.fails

    def _live(self) -> _Generation | None:
        return None if self._writer.live is None else self._writer.generations[self._writer.live]

    def _contents(self, candidates: Sequence["_Candidate"]) -> Contents:
        live = self._live()
        return Contents(
            live_fingerprint=None if live is None else live.fingerprint,
            building=bool(self._writer.generations),
            passages=len(candidates),
            searchable=sum(one.found.status is ArticleStatus.ACTIVE for one in candidates),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    found: FoundPassage
    vector: Vector


def _candidates(live: _Generation | None) -> list[_Candidate]:
    """Return the passages of all articles but the retired ones, their cosine still 0."""
    if live is None:
        return []
    statuses = statuses_in_force(entry.standing for entry in live.entries.values())
    return [
        _Candidate(found=_unscored(entry, passage, statuses[article]), vector=vector)
        for article, entry in live.entries.items()
        for passage, vector in entry.passages
        if statuses[article] is not ArticleStatus.RETIRED
    ]


def _active(live: _Generation) -> list[_Entry]:
    statuses = statuses_in_force(entry.standing for entry in live.entries.values())
    return [entry for article, entry in live.entries.items() if statuses[article] is ArticleStatus.ACTIVE]


def _text(entry: _Entry) -> ArticleText:
    article = entry.article
    return ArticleText(
        id=article.id,
        title=article.title,
        url=article.url,
        locale=article.locale,
        last_modified_ms=article.last_modified_ms,
        passages=tuple(sorted((passage for passage, _ in entry.passages), key=lambda one: one.position)),
    )


def _unscored(entry: _Entry, passage: Passage, status: ArticleStatus) -> FoundPassage:
    article = entry.article
    return FoundPassage(
        passage=passage,
        title=article.title,
        url=article.url,
        cosine=0.0,
        status=status,
        locale=article.locale,
        last_modified_ms=article.last_modified_ms,
        evergreen=article.evergreen,
        article_digest=entry.digest,
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


def _article_terms(entry: _Entry) -> tuple[str, ...]:
    texts = (entry.article.title, *(passage.text for passage, _ in entry.passages))
    return tuple(term for text in texts for term in terms(text))


def _require_unit_vectors(vectors: Sequence[Vector], *, like: Sequence[Vector]) -> None:
    """Raise RetrievalUnavailable unless all are unit vectors of the size of those that they are *like*."""
    if vectors:
        checked_vectors(vectors, count=len(vectors), dimension=len((*like, *vectors)[0]))
