"""What kb_sync writes, in memory: the twin of the SQLite knowledge writer, in plain Python."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.adapters.memory.knowledge_contents import KeptGeneration, Member, Version
from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.indexing import (
    Standing,
    evenly_spread,
    generation_id,
    passage_digest,
    statuses_in_force,
    with_decisions,
)
from bot.core.knowledge import Article, ArticleId, ArticleStatus, Calibration, Passage, PassageId, Vector
from bot.core.vectors import checked_vectors
from bot.errors import GenerationRefused, RetrievalUnavailable, StoreUnavailable, SyncBusy, SyncFenced
from bot.sync_ports import Generation, GenerationCheck, GenerationState, Near, RunRecord, SyncLock

_DECIMALS = 6


class MemoryKnowledgeWriter:
    """Holds what was written; MemoryPassageIndex searches it."""

    def __init__(self) -> None:
        self.kept: dict[str, KeptGeneration] = {}
        self.versions: dict[tuple[str, ArticleId, str], Version] = {}
        self.vectors: dict[tuple[str, str], Vector] = {}
        self.records: dict[str, RunRecord] = {}
        self.calibrations: dict[str, Calibration] = {}
        self.decisions: dict[PairKey, Decision] = {}
        self._rolled_back = ""
        self._lock: SyncLock | None = None
        self._token = 0
        self._newest_ms = 0

    @property
    def live(self) -> KeptGeneration | None:
        """Return the generation that is searched."""
        return self._in_state(GenerationState.LIVE)

    def standings(self, generation: KeptGeneration) -> tuple[Standing, ...]:
        """Return what each article says, with what people decided."""
        decided = [
            (one.loser, one.winner) for one in self.decisions.values() if one.kind is DecisionKind.SUPERSEDED
        ]
        return with_decisions((member.standing for member in generation.members.values()), decided)

    def take_lock(self, holder: str, *, now_ms: int, until_ms: int) -> int:
        if self._lock is not None and self._lock.until_ms > now_ms:
            held = self._lock
            raise SyncBusy(held.holder, since_ms=held.taken_ms, until_ms=held.until_ms)
        self._token += 1
        self._lock = SyncLock(token=self._token, holder=holder, taken_ms=now_ms, until_ms=until_ms)
        return self._token

    def renew_lock(self, token: int, *, until_ms: int) -> None:
        self._lock = replace(self._held(token), until_ms=until_ms)

    def release_lock(self, token: int) -> None:
        if self._lock is not None and self._lock.token == token:
            self._lock = None

    def lock(self) -> SyncLock | None:
        return self._lock

    def generations(self) -> tuple[Generation, ...]:
        newest = sorted(self.kept.values(), key=lambda one: one.created_ms, reverse=True)
        return tuple(one.counted() for one in newest)

    def open_build(self, token: int, fingerprint: str, *, at_ms: int) -> str:
        self._held(token)
        build = self._in_state(GenerationState.BUILDING)
        if build is not None and build.fingerprint == fingerprint:
            return build.id
        if build is not None:
            del self.kept[build.id]
        self._newest_ms = max(at_ms, self._newest_ms + 1)  # so that an id is never used again
        new = generation_id(fingerprint, at_ms=self._newest_ms)
        self.kept[new] = KeptGeneration(id=new, fingerprint=fingerprint, created_ms=self._newest_ms)
        return new

    def article_digests(self, generation: str) -> Mapping[ArticleId, str]:
        return {one: m.version.digest for one, m in self._members(generation).items() if not m.is_retired}

    def retired_articles(self, generation: str) -> frozenset[ArticleId]:
        return frozenset(one for one, member in self._members(generation).items() if member.is_retired)

    def carry_over(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        into = self._build(token, build)
        if (live := self.live) is None:
            return
        for one in articles:
            member = live.members.get(one)
            if member is not None and (member.is_retired or live.fingerprint == into.fingerprint):
                into.members[one] = member

    def replace_article(
        self,
        token: int,
        build: str,
        article: Article,
        digest: str,
        passages: Sequence[Passage],
        *,
        at_ms: int,
    ) -> None:
        into = self._build(token, build)
        digests = {passage.id: passage_digest(passage.embedded_text) for passage in passages}
        if missing := sum((into.fingerprint, one) not in self.vectors for one in set(digests.values())):
            raise RetrievalUnavailable(f"article {article.id}: {missing} of its texts have no vector")
        before = self.live.members.get(article.id) if self.live is not None else None
        same = before is not None and before.version.digest == digest
        version = Version(
            fingerprint=into.fingerprint,
            article=article,
            digest=digest,
            passages=tuple(passages),
            digests=digests,
            written_ms=before.version.written_ms if before is not None and same else at_ms,
        )
        into.members[article.id] = Member(
            version=self.versions.setdefault((into.fingerprint, article.id, digest), version),
            is_retired=article.status is ArticleStatus.RETIRED,
            added_ms=at_ms if before is None else before.added_ms,
        )

    def retire_articles(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        into = self._build(token, build)
        live = {} if self.live is None else self.live.members
        for one in articles:
            if (member := into.members.get(one) or live.get(one)) is not None:
                into.members[one] = replace(member, is_retired=True)

    def leave_out(self, token: int, build: str, articles: Sequence[ArticleId]) -> None:
        members = self._build(token, build).members
        for one in articles:
            members.pop(one, None)

    def known_vectors(self, fingerprint: str, digests: Sequence[str]) -> Mapping[str, Vector]:
        found = {digest: self.vectors.get((fingerprint, digest)) for digest in digests}
        return {digest: vector for digest, vector in found.items() if vector is not None}

    def remember_vectors(self, fingerprint: str, vectors: Mapping[str, Vector]) -> None:
        before = [vector for (one, _), vector in self.vectors.items() if one == fingerprint]
        new = tuple(vectors.values())
        if new:
            checked_vectors(new, count=len(new), dimension=len([*before, *new][0]))
        self.vectors.update({(fingerprint, digest): vector for digest, vector in vectors.items()})

    def nearest(self, generation: str, vectors: Sequence[Vector], *, limit: int) -> tuple[Near, ...]:
        active = self._active(generation)
        fingerprint = self._generation(generation).fingerprint
        return tuple(self._nearest(active, fingerprint, vector)[:limit] for vector in vectors)

    def passages_of_generation(
        self, generation: str, *, limit: int
    ) -> tuple[tuple[PassageId, ArticleId, str], ...]:
        rows = [
            (passage.id, passage.article_id, version.digests[passage.id])
            for version in self._active(generation)
            for passage in sorted(version.passages, key=lambda one: one.position)
        ]
        return evenly_spread(rows, limit)

    def discard_build(self, token: int, build: str) -> None:
        self._build(token, build)
        del self.kept[build]

    def publish(self, token: int, build: str, run: RunRecord, check: GenerationCheck) -> None:
        into = self._build(token, build)
        if (before := self._in_state(GenerationState.PREVIOUS)) is not None:
            del self.kept[before.id]
        if self.live is not None:
            self.live.state = GenerationState.PREVIOUS
        into.state, into.check, into.published_ms = GenerationState.LIVE, check, run.ended_ms
        self._rolled_back = ""
        self.record_run(run)
        self._collect()

    def roll_back(self, token: int, run: RunRecord, *, refused: str) -> Generation:
        self._held(token)
        live, before = self.live, self._in_state(GenerationState.PREVIOUS)
        if live is None or before is None:
            raise GenerationRefused("there is no generation before the live one to go back to")
        if (build := self._in_state(GenerationState.BUILDING)) is not None:
            del self.kept[build.id]
        live.state, before.state, before.published_ms = before.state, live.state, run.ended_ms
        self._rolled_back = refused
        self.record_run(run)
        return before.counted()

    def rolled_back(self) -> str:
        return self._rolled_back

    def record_run(self, run: RunRecord) -> None:
        self.records.pop(run.id, None)  # so that the one written last comes last
        self.records[run.id] = run

    def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        newest = sorted(self.records.values(), key=lambda run: run.started_ms)[::-1]
        return tuple(newest[:limit])

    def store_calibration(self, calibration: Calibration) -> None:
        self.calibrations[calibration.fingerprint] = calibration

    def _held(self, token: int) -> SyncLock:
        if self._lock is None or self._lock.token != token:
            raise SyncFenced("another sync has taken the lock since; this one writes nothing more")
        return self._lock

    def _in_state(self, state: GenerationState) -> KeptGeneration | None:
        return next((one for one in self.kept.values() if one.state is state), None)

    def _build(self, token: int, build: str) -> KeptGeneration:
        self._held(token)
        generation = self._generation(build)
        if generation.state is not GenerationState.BUILDING:
            raise StoreUnavailable(f"generation {build} was published and is never changed; sync again")
        return generation

    def _generation(self, generation: str) -> KeptGeneration:
        if generation not in self.kept:
            raise StoreUnavailable(f"generation {generation} is gone; sync again")
        return self.kept[generation]

    def _members(self, generation: str) -> Mapping[ArticleId, Member]:
        kept = self.kept.get(generation)
        return {} if kept is None else kept.members

    def _active(self, generation: str) -> list[Version]:
        kept = self._generation(generation)
        statuses = statuses_in_force(self.standings(kept))
        return [
            kept.members[one].version for one in sorted(kept.members) if statuses[one] is ArticleStatus.ACTIVE
        ]

    def _nearest(self, active: Sequence[Version], fingerprint: str, vector: Vector) -> Near:
        best = [
            (
                version.article.id,
                max(self._cosine(fingerprint, digest, vector) for digest in version.digests.values()),
            )
            for version in active
            if version.digests
        ]
        return tuple(sorted(best, key=lambda pair: (-pair[1], pair[0])))

    def _cosine(self, fingerprint: str, digest: str, vector: Vector) -> float:
        pairs = zip(self.vectors[fingerprint, digest], vector, strict=True)
        return round(sum(one * other for one, other in pairs), _DECIMALS)

    def _collect(self) -> None:
        """Drop the versions that no generation has, and the vectors of their passages that no other version has."""
        held = {id(member.version) for one in self.kept.values() for member in one.members.values()}
        gone = {key: version for key, version in self.versions.items() if id(version) not in held}
        self.versions = {key: version for key, version in self.versions.items() if key not in gone}
        kept = {
            (one.fingerprint, digest) for one in self.versions.values() for digest in one.digests.values()
        }
        for version in gone.values():
            for digest in version.digests.values():
                if (version.fingerprint, digest) not in kept:
                    self.vectors.pop((version.fingerprint, digest), None)
