"""One sync, from a source to the passage index. What decides is in plan.py; this reads, embeds and writes.

Vectors are kept by the digest of their text as soon as they exist, so that a run which follows a crash embeds none twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from bot.core.chunking import TokenLimit, has_text, passages_of
from bot.core.indexing import Standing, passage_digest, statuses_in_force
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Calibration, Passage, Vector
from bot.errors import SourceRejected, StoreUnavailable
from bot.model_ports import Embedder
from bot.ports import Clock, PassageIndex
from bot.sync_ports import KnowledgeWriter, RunRecord
from kb_sync.digest import article_digest
from kb_sync.plan import SyncPlan, plan
from kb_sync.report import KeptOut, Skipped, SyncReport, withheld_sentence
from kb_sync.sources.source import Source

_BATCH = 16
_NO_TEXT = "it has no text to search for"


class Progress(Protocol):
    """What a person watches while a sync runs."""

    def begin(self, articles: int) -> None:
        """Say how many articles will be written."""
        ...

    def embedded(self, passages: int) -> None:
        """Say that so many more passages were embedded."""
        ...

    def wrote_article(self) -> None:
        """Say that one more article was written."""
        ...


class NoProgress:
    """Watched by nobody."""

    def begin(self, articles: int) -> None:
        pass

    def embedded(self, passages: int) -> None:
        pass

    def wrote_article(self) -> None:
        pass


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A source as it is now: `withdrawn` are the ids that it retires itself."""

    articles: Mapping[ArticleId, Article]
    digests: Mapping[ArticleId, str]
    withdrawn: frozenset[ArticleId]
    skipped: tuple[Skipped, ...]
    kept_out: tuple[KeptOut, ...]
    seen: int


class KnowledgeSync:
    """Brings the passage index to what a source holds."""

    def __init__(
        self, *, embedder: Embedder, index: PassageIndex, writer: KnowledgeWriter, clock: Clock
    ) -> None:
        self._embedder = embedder
        self._fingerprint = str(embedder.fingerprint)
        self._limit = TokenLimit(tokens=embedder.token_limit, count=embedder.count_tokens)
        self._index = index
        self._writer = writer
        self._clock = clock

    async def run(self, source: Source, *, approved: int = 0, progress: Progress) -> SyncReport:
        """Sync *source* and record the run, whatever comes of it."""
        record = RunRecord(id=self._clock.new_id(), source=source.name, started_ms=self._clock.now_ms())
        self._writer.record_run(record)
        try:
            return await self._synced(source, record, approved=approved, progress=progress)
        except BaseException as exc:
            ended = self._clock.now_ms()
            error = str(exc) or type(exc).__name__
            with suppress(StoreUnavailable):  # the first error is the one to report
                self._writer.record_run(replace(record, ended_ms=ended, outcome="failed", error=error))
            raise

    async def preview(self, source: Source, *, approved: int = 0) -> SyncReport:
        """Return what `run` would do, writing nothing."""
        begun = self._clock.monotonic_s()
        reading = _read(source)
        live = await self._index.status()
        is_current = live.fingerprint == self._fingerprint
        stored = self._writer.article_digests(live.generation) if live.generation and is_current else {}
        planned = plan(reading.digests, stored, withdrawn=reading.withdrawn, approved=approved)
        texts = [
            passage.embedded_text
            for one in planned.upserts
            for passage in passages_of(reading.articles[one], self._limit)
        ]
        report = self._report(source, reading, planned, begun=begun)
        return replace(
            report, is_dry_run=True, passages=len(texts), embedded_passages=len(self._unknown(texts))
        )

    async def ship_calibration(self, shipped: Calibration | None) -> None:
        """Store the calibration that came with Candor for this embedder, also over an older one that did; never over one measured here."""
        if shipped is None:
            return
        stored = (await self._index.status()).calibration
        if stored is None or (stored.data == shipped.data and stored.measured_ms < shipped.measured_ms):
            self._writer.store_calibration(shipped)

    async def _synced(
        self, source: Source, record: RunRecord, *, approved: int, progress: Progress
    ) -> SyncReport:
        begun = self._clock.monotonic_s()
        reading = _read(source)
        live = (await self._index.status()).generation
        generation = self._writer.open_generation(self._fingerprint, at_ms=record.started_ms)
        stored = self._writer.article_digests(generation)
        planned = plan(reading.digests, stored, withdrawn=reading.withdrawn, approved=approved)
        if live is not None and live != generation:
            self._require_all_kept(live, reading, approved=approved)
        passages, embedded = await self._write(generation, reading, planned.upserts, progress)
        if planned.retirements:
            self._writer.retire_articles(generation, planned.retirements)
        report = replace(
            self._report(source, reading, planned, begun=begun),
            passages=passages,
            embedded_passages=embedded,
            generation=generation,
        )
        self._writer.publish(generation, _finished(record, report, ended_ms=self._clock.now_ms()))
        return report

    def _require_all_kept(self, live: str, reading: _Reading, *, approved: int) -> None:
        """Refuse to replace *live* by a generation that lacks many of its articles: they could not be kept in it."""
        stored = self._writer.article_digests(live)
        lost = plan(reading.digests, stored, withdrawn=reading.withdrawn, approved=approved).withheld
        if lost:
            raise SourceRejected(
                f"{len(lost)} articles vanished from the source, among them {', '.join(lost[:3])}, while all must be embedded "
                f"anew; nothing was changed. If they were withdrawn on purpose, run again with "
                f"--approve-retirements {len(lost)}"
            )

    async def _write(
        self, generation: str, reading: _Reading, upserts: Sequence[ArticleId], progress: Progress
    ) -> tuple[int, int]:
        """Write articles one by one; return how many passages they have and how many were embedded."""
        progress.begin(len(upserts))
        count = embedded = 0
        for one in upserts:
            article = reading.articles[one]
            passages = passages_of(article, self._limit)
            embedded += await self._embed([passage.embedded_text for passage in passages], progress)
            count += len(passages)
            self._writer.replace_article(
                generation, article, reading.digests[one], self._with_vectors(passages)
            )
            progress.wrote_article()
        return count, embedded

    async def _embed(self, texts: Sequence[str], progress: Progress) -> int:
        """Embed what was never embedded before; return how many texts that were."""
        unknown = self._unknown(texts)
        for batch in _batches(unknown):
            vectors = await self._embedder.embed_passages([unknown[digest] for digest in batch])
            self._writer.remember_vectors(self._fingerprint, dict(zip(batch, vectors, strict=True)))
            progress.embedded(len(batch))
        return len(unknown)

    def _unknown(self, texts: Sequence[str]) -> dict[str, str]:
        by_digest = {passage_digest(text): text for text in texts}
        known = self._writer.known_vectors(self._fingerprint, tuple(by_digest))
        return {digest: text for digest, text in by_digest.items() if digest not in known}

    def _with_vectors(self, passages: Sequence[Passage]) -> list[tuple[Passage, Vector]]:
        digests = [passage_digest(passage.embedded_text) for passage in passages]
        known = self._writer.known_vectors(self._fingerprint, digests)
        return [(passage, known[digest]) for passage, digest in zip(passages, digests, strict=True)]

    def _report(self, source: Source, reading: _Reading, planned: SyncPlan, *, begun: float) -> SyncReport:
        return SyncReport(
            source=source.name,
            fingerprint=self._fingerprint,
            seen=reading.seen,
            added=planned.added,
            changed=planned.changed,
            unchanged=len(planned.unchanged),
            retired=planned.retirements,
            withheld=planned.withheld,
            skipped=reading.skipped,
            kept_out=reading.kept_out,
            seconds=self._clock.monotonic_s() - begun,
        )


def _read(source: Source) -> _Reading:
    """Read *source*; SourceRejected when nothing of it could be searched."""
    sourced = source.read()
    withdrawn = {one.article.id for one in sourced if one.article.status is ArticleStatus.RETIRED}
    kept = [one for one in sourced if one.article.id not in withdrawn]
    textless = [one for one in kept if not has_text(one.article)]
    skipped = tuple(Skipped(id=one.article.id, origin=one.origin, reason=_NO_TEXT) for one in textless)
    without = {one.id for one in skipped}
    articles = {one.article.id: one.article for one in kept if one.article.id not in without}
    if not articles:
        raise SourceRejected(f"{source.name}: no article in it has any text; name another source")
    return _Reading(
        articles=articles,
        digests={one: article_digest(article) for one, article in articles.items()},
        withdrawn=frozenset(withdrawn),
        skipped=skipped,
        kept_out=_kept_out([one.article for one in sourced if one.article.id not in without]),
        seen=len(sourced),
    )


def _kept_out(articles: Sequence[Article]) -> tuple[KeptOut, ...]:
    """Return those that customers will not find once the source is synced."""
    statuses = statuses_in_force(
        Standing(id=one.id, status=one.status, supersedes=one.supersedes) for one in articles
    )
    return tuple(
        KeptOut(id=one.id, title=one.title, status=statuses[one.id])
        for one in articles
        if statuses[one.id] is not ArticleStatus.ACTIVE
    )


def _finished(record: RunRecord, report: SyncReport, *, ended_ms: int) -> RunRecord:
    return replace(
        record,
        ended_ms=ended_ms,
        outcome=report.outcome.value,
        seen=report.seen,
        added=len(report.added),
        changed=len(report.changed),
        unchanged=report.unchanged,
        retired=len(report.retired),
        skipped=len(report.skipped),
        embedded_passages=report.embedded_passages,
        error=withheld_sentence(report),
    )


def _batches(digests: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    ordered = tuple(digests)
    return (ordered[start : start + _BATCH] for start in range(0, len(ordered), _BATCH))
