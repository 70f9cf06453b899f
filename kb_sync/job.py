"""One sync, from a source to the passage index. What decides is in plan.py and checks.py; this puts the parts in order.

Every run that changes anything builds a generation aside, checks it and puts it to use in one step.
"""

import asyncio
from dataclasses import dataclass, field, replace

from bot.core.chunking import TokenLimit
from bot.core.knowledge import Calibration
from bot.errors import GenerationRefused
from bot.model_ports import Embedder
from bot.ports import Clock, PassageIndex
from bot.sync_ports import GenerationCheck, GenerationState, KnowledgeWriter
from kb_sync.building import Building, Cut, cut_articles
from kb_sync.change import Allowed, Change
from kb_sync.embedding import Embedding
from kb_sync.locking import Lease, SyncLocking
from kb_sync.plan import BuildSteps, Contents, build_steps, plan
from kb_sync.progress import NoProgress, Progress, Stage
from kb_sync.questions import Question
from kb_sync.reading import state_of
from kb_sync.recording import RunLog
from kb_sync.report import QuestionsAsked, SyncReport, withheld_sentence
from kb_sync.sources.source import Source
from kb_sync.verifying import Build, Verifying


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncSetup:
    """What an installation sets once for all its runs."""

    lease: Lease = field(default_factory=Lease)
    golden: tuple[Question, ...] = ()
    interval_s: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What one run works with, from the moment at which it holds the lock."""

    token: int
    log: RunLog
    embedding: Embedding
    allowed: Allowed
    progress: Progress
    begun_s: float


class KnowledgeSync:
    """Brings the passage index to what a source holds."""

    def __init__(
        self,
        *,
        embedder: Embedder,
        index: PassageIndex,
        writer: KnowledgeWriter,
        clock: Clock,
        setup: SyncSetup | None = None,
    ) -> None:
        self._embedder = embedder
        self._fingerprint = str(embedder.fingerprint)
        self._limit = TokenLimit(tokens=embedder.token_limit, count=embedder.count_tokens)
        self._index = index
        self._writer = writer
        self._clock = clock
        self._setup = setup or SyncSetup()
        self._locking = SyncLocking(writer=writer, clock=clock, lease=self._setup.lease)

    async def run(self, source: Source, allowed: Allowed | None = None, *, progress: Progress) -> SyncReport:
        """Sync *source* under the lock and record the run, whatever comes of it."""
        log = RunLog(self._writer, self._clock, source=source.name, interval_s=self._setup.interval_s)
        may = allowed or Allowed()

        async def work(token: int) -> SyncReport:
            embedding = Embedding(self._embedder, self._writer, budget=may.tokens)
            run = _Run(
                token=token,
                log=log,
                embedding=embedding,
                allowed=may,
                progress=progress,
                begun_s=self._clock.monotonic_s(),
            )
            return await self._synced(source, run)

        try:
            return await self._locking.hold(work)
        except BaseException as exc:
            log.fail(exc)
            raise

    async def preview(self, source: Source, allowed: Allowed | None = None) -> SyncReport:
        """Return what `run` would do, writing nothing and waiting for nobody."""
        begun_s = self._clock.monotonic_s()
        may = allowed or Allowed()
        change = await self._change(source, may, NoProgress())
        cut = await cut_articles(change.articles, self._limit, NoProgress())
        unknown = Embedding(self._embedder, self._writer).unknown(_texts(cut))
        report = self._report(source.name, change, cut, begun_s=begun_s)
        return replace(
            report,
            is_dry_run=True,
            is_held=change.is_held(self._writer.rolled_back(), may),
            embedded_passages=len(unknown),
            embedded_tokens=sum(self._embedder.count_tokens(text) for text in unknown.values()),
        )

    async def ship_calibration(self, shipped: Calibration | None) -> None:
        """Store the calibration that came with Candor for this embedder, also over an older one that did; never over one measured here."""
        if shipped is None:
            return
        stored = (await self._index.status()).calibration
        if stored is None or (stored.data == shipped.data and stored.measured_ms < shipped.measured_ms):
            self._writer.store_calibration(shipped)

    async def _synced(self, source: Source, run: _Run) -> SyncReport:
        run.log.begin()
        change = await self._change(source, run.allowed, run.progress)
        run.log.plan(change.planned, change.state, live=change.live_id)
        if not change.is_needed:
            self._drop_builds(run.token)
            report = self._report(source.name, change, {}, begun_s=run.begun_s)
            run.log.end(report.outcome, error=withheld_sentence(report))
            return report
        change.require_allowed(run.allowed, rolled_back=self._writer.rolled_back())
        build = self._writer.open_build(run.token, self._fingerprint, at_ms=self._clock.now_ms())
        cut = await self._embedded(change, run)
        steps = await self._filled(build, change, cut, run)
        check = await self._verified(build, steps, change, cut, run)
        report = replace(
            self._report(source.name, change, cut, begun_s=run.begun_s),
            embedded_passages=run.embedding.passages,
            embedded_tokens=run.embedding.tokens,
            questions=_asked(check),
            generation=build,
            previous=change.live_id,
        )
        self._publish(build, report, check, run)
        return report

    async def _change(self, source: Source, allowed: Allowed, progress: Progress) -> Change:
        progress.begin(Stage.READING)
        delivery = await source.read(progress)
        live = next((one for one in self._writer.generations() if one.state is GenerationState.LIVE), None)
        contents = self._contents(live.id) if live else Contents()
        anew = live is not None and live.fingerprint != self._fingerprint
        stored = {} if anew else contents.digests
        state = await asyncio.to_thread(state_of, delivery, name=source.name, stored=stored)
        return Change(
            state=state,
            live=live,
            contents=contents,
            planned=plan(
                state.digests,
                contents.digests,
                withdrawn=state.withdrawn,
                approved=allowed.retirements,
            ),
            anew=anew,
        )

    def _contents(self, generation: str) -> Contents:
        return Contents(
            digests=self._writer.article_digests(generation),
            retired=self._writer.retired_articles(generation),
        )

    async def _embedded(self, change: Change, run: _Run) -> Cut:
        """Cut what is to be written, and see that every passage has a vector."""
        cut = await cut_articles(change.articles, self._limit, run.progress)
        texts = _texts(cut)
        unknown = run.embedding.unknown(texts)
        run.progress.begin(Stage.EMBEDDING, len(unknown))

        def told(passages: int) -> None:
            run.log.embedded(run.embedding.passages, run.embedding.tokens)
            run.progress.advance(passages)

        await run.embedding.embed(unknown, of=len(set(texts)), done=told)
        return cut

    async def _filled(self, build: str, change: Change, cut: Cut, run: _Run) -> BuildSteps:
        built = self._contents(build)
        steps = build_steps(
            change.planned, change.state.digests, live=change.contents, built=built, anew=change.anew
        )
        building = Building(
            writer=self._writer,
            token=run.token,
            build=build,
            at_ms=self._clock.now_ms(),
        )
        await building.fill(steps, change.state, cut, run.progress)
        return steps

    async def _verified(
        self, build: str, steps: BuildSteps, change: Change, cut: Cut, run: _Run
    ) -> GenerationCheck:
        run.progress.begin(Stage.CHECKING)
        verifying = Verifying(
            writer=self._writer,
            embedding=run.embedding,
            golden=self._setup.golden,
            may_be_worse=run.allowed.worse,
        )
        is_all_cut = cut.keys() == steps.target.digests.keys()
        generation = next(one for one in self._writer.generations() if one.id == build)
        titles = {one: article.title for one, article in change.state.articles.items()}
        try:
            return await verifying.verify(
                Build(
                    generation=generation,
                    contents=steps.target,
                    passages=len(_texts(cut)) if is_all_cut else None,
                    live=change.live,
                    titles=titles,
                )
            )
        except GenerationRefused:
            self._writer.discard_build(run.token, build)
            raise

    def _drop_builds(self, token: int) -> None:
        """Drop what an earlier run left half built for a state of the source that is gone."""
        for one in self._writer.generations():
            if one.state is GenerationState.BUILDING:
                self._writer.discard_build(token, one.id)

    def _publish(self, build: str, report: SyncReport, check: GenerationCheck, run: _Run) -> None:
        run.log.embedded(report.embedded_passages, report.embedded_tokens)
        record = run.log.closed(report.outcome, error=withheld_sentence(report))
        self._writer.publish(run.token, build, replace(record, generation=build), check)

    def _report(self, source: str, change: Change, cut: Cut, *, begun_s: float) -> SyncReport:
        planned, state = change.planned, change.state
        return SyncReport(
            source=source,
            fingerprint=self._fingerprint,
            is_anew=change.anew,
            seen=state.seen,
            added=planned.added,
            changed=planned.changed,
            unchanged=len(planned.unchanged),
            retired=planned.retirements,
            withheld=planned.withheld,
            skipped=state.skipped,
            kept_out=state.kept_out,
            source_remarks=state.remarks,
            passages=len(_texts(cut)),
            seconds=self._clock.monotonic_s() - begun_s,
            generation=change.live_id,
        )


def _texts(cut: Cut) -> list[str]:
    return [passage.embedded_text for passages in cut.values() for passage in passages]


def _asked(check: GenerationCheck) -> QuestionsAsked | None:
    if not check.questions:
        return None
    return QuestionsAsked(hits=sum(one.hit for one in check.questions), of=len(check.questions))
