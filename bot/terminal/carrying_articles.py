"""Moves the knowledge base of a data file to where the settings have it, vectors too, so that nothing is embedded again."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from bot.adapters.sqlite.taking_out_articles import SqliteArticles
from bot.adapters.system_clock import SystemClock
from bot.content_ports import ArticleCatalogue
from bot.core.knowledge import ArticleId
from bot.errors import Refused
from bot.places import articles_at
from bot.settings import Settings
from bot.sync_ports import Generation, GenerationCheck, GenerationState, KnowledgeWriter, RunRecord

LEASE_MS = 3_600_000
VECTORS_AT_ONCE = 500
_ALL = 1_000_000
_HOLDER = "migrate --from"


async def carry_articles(settings: Settings, connection: sqlite3.Connection) -> Mapping[str, int]:
    """Return how much of each kind was moved now; nothing where the knowledge base goes on in a file or has gone on already."""
    access = articles_at(settings)
    if access is None:
        return {}
    from bot.mongo_knowledge_wiring import opened_mongo_articles  # noqa: PLC0415 - only where it is chosen

    source = SqliteArticles(connection)
    async with opened_mongo_articles(access, fingerprint="") as target:
        move = _Move(source=source, writer=target.writer)
        moved = move.run()
        return {**moved, "decisions": await _decisions(source, target.catalogue)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """One move, through what kb_sync writes with."""

    source: SqliteArticles
    writer: KnowledgeWriter

    def run(self) -> Mapping[str, int]:
        """Move vectors, measurements and generations; the live one comes last."""
        vectors = self._vectors()
        for calibration in self.source.calibrations():
            self.writer.store_calibration(calibration)
        generations = [self._generation(one) for one in self._missing()]
        known = {run.id for run in self.writer.runs(limit=_ALL)}
        runs = [run for run in self.source.runs() if run.id not in known]
        for run in runs:
            self.writer.record_run(run)
        return {"vectors": vectors, "generations": len(generations), "runs": len(runs)}

    def _vectors(self) -> int:
        moved = 0
        for fingerprint, found in groupby(self.source.vectors(), key=lambda one: one[0]):
            while batch := {digest: vector for _, digest, vector in islice(found, VECTORS_AT_ONCE)}:
                known = self.writer.known_vectors(fingerprint, list(batch))
                new = {digest: vector for digest, vector in batch.items() if digest not in known}
                self.writer.remember_vectors(fingerprint, new)
                moved += len(new)
        return moved

    def _missing(self) -> Sequence[Generation]:
        """Return the generations that are still to be moved: none once something else is live there."""
        theirs = [one for one in self.writer.generations() if one.state is GenerationState.LIVE]
        if not theirs:
            return self.source.generations()
        before, live = self._same(theirs[0])
        return self.source.generations()[1:] if before and not live else ()

    def _same(self, theirs: Generation) -> tuple[bool, bool]:
        """Say whether what is live there is the one before ours, and whether it is our live one."""
        there = self.writer.article_digests(theirs.id)
        ours = {
            one.state: {m.article.id: m.digest for m in self.source.members(one.id) if not m.retired}
            for one in self.source.generations()
            if one.fingerprint == theirs.fingerprint
        }
        return ours.get(GenerationState.PREVIOUS) == there, ours.get(GenerationState.LIVE) == there

    def _generation(self, generation: Generation) -> str:
        clock = SystemClock()
        token = self.writer.take_lock(_HOLDER, now_ms=clock.now_ms(), until_ms=clock.now_ms() + LEASE_MS)
        try:
            build = self.writer.open_build(token, generation.fingerprint, at_ms=generation.created_ms)
            self._fill(token, build, generation)
            run = replace(self._run_of(generation), generation=build)
            check = generation.check or GenerationCheck(
                articles=generation.articles, passages=generation.passages
            )
            self.writer.publish(token, build, run, check)
        finally:
            self.writer.release_lock(token)
        return build

    def _fill(self, token: int, build: str, generation: Generation) -> None:
        there = self.writer.article_digests(build)
        retired: list[ArticleId] = []
        for member in self.source.members(generation.id):
            if member.retired:
                retired.append(member.article.id)
            if there.get(member.article.id) == member.digest:
                continue
            self.writer.replace_article(
                token, build, member.article, member.digest, member.passages, at_ms=member.written_ms
            )
        self.writer.retire_articles(token, build, retired)

    def _run_of(self, generation: Generation) -> RunRecord:
        """Return the run that published a generation; one that is not recorded any more is stood in for."""
        published_ms = generation.published_ms or generation.created_ms
        stand_in = RunRecord(
            id=f"moved-{generation.id}",
            source=_HOLDER,
            started_ms=generation.created_ms,
            ended_ms=published_ms,
            outcome="done",
            exit_code=0,
        )
        return next((run for run in self.source.runs() if run.generation == generation.id), stand_in)


async def _decisions(source: SqliteArticles, catalogue: ArticleCatalogue) -> int:
    """Decide what was decided; on articles that are not active any more there is nothing to decide."""
    known = {one.key for one in await catalogue.decisions()}
    moved = 0
    for decision in source.decisions():
        if decision.key in known:
            continue
        try:
            await catalogue.decide(decision)
        except Refused:
            continue
        moved += 1
    return moved
