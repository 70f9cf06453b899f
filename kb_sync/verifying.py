"""Reads a build before it goes live, and refuses one that does not hold what was planned or finds less than what is live."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.indexing import evenly_spread
from bot.core.knowledge import ArticleId, PassageId
from bot.errors import GenerationRefused
from bot.sync_ports import CheckedQuestion, Generation, GenerationCheck, KnowledgeWriter
from kb_sync.checks import (
    AMONG_FIRST,
    CANARIES,
    Expected,
    Found,
    checked,
    is_worse,
    lost_canaries,
    problems,
)
from kb_sync.embedding import Embedding, slices
from kb_sync.plan import Contents
from kb_sync.questions import ASKED, Question

_LOOKED_UP = 500  # vectors at once
_SHARED = 50  # so many articles may hold a canary's very text

Passages = Sequence[tuple[PassageId, ArticleId, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A generation to check, what it must hold, and the one that it would replace.

    `passages` is None when not all of them were cut in this run.
    """

    generation: Generation
    contents: Contents
    passages: int | None
    live: Generation | None
    titles: Mapping[ArticleId, str]

    @property
    def is_of_another_model(self) -> bool:
        return self.live is not None and self.live.fingerprint != self.generation.fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifying:
    """How builds are checked; `golden` are the operator's own questions, none when no file was named."""

    writer: KnowledgeWriter
    embedding: Embedding
    golden: tuple[Question, ...] = ()
    may_be_worse: bool = False

    async def verify(self, build: Build) -> GenerationCheck:
        """Return what the build was found to hold; GenerationRefused when it may not go live."""
        generation = build.generation
        passages = self.writer.passages_of_generation(generation.id, limit=max(generation.passages, 1))
        self._require_whole(build, passages)
        self._require_canaries(build, passages)
        recorded = _recorded(build.live)
        active = frozenset(article for _, article, _ in passages)
        asked = self.golden or recorded or _titles(build.titles, passages)
        answers = await self._asked(generation, asked, active)
        if build.is_of_another_model:
            self._require_as_good(build, await self._asked(generation, recorded, active))
        return GenerationCheck(articles=generation.articles, passages=generation.passages, questions=answers)

    def _require_whole(self, build: Build, passages: Passages) -> None:
        generation = build.generation.id
        dimensions: set[int] = set()
        vectorless: list[PassageId] = []
        for some in slices(passages, _LOOKED_UP):
            known = self.writer.known_vectors(build.generation.fingerprint, [digest for *_, digest in some])
            dimensions.update(len(vector) for vector in known.values())
            vectorless.extend(passage for passage, _, digest in some if digest not in known)
        found = Found(
            contents=Contents(
                digests=self.writer.article_digests(generation),
                retired=self.writer.retired_articles(generation),
            ),
            passages=build.generation.passages,
            dimensions=frozenset(dimensions),
            vectorless=tuple(vectorless),
        )
        expected = Expected(
            contents=build.contents, dimension=self.embedding.dimension, passages=build.passages
        )
        if wrong := list(problems(found, expected)):
            raise GenerationRefused(_refusal("; ".join(wrong)))

    def _require_canaries(self, build: Build, passages: Passages) -> None:
        """Require that some passages, looked for with their own vectors, are found."""
        canaries = evenly_spread(passages, CANARIES)
        digests = [digest for *_, digest in canaries]
        known = self.writer.known_vectors(build.generation.fingerprint, digests)
        found = self.writer.nearest(build.generation.id, [known[digest] for digest in digests], limit=_SHARED)
        if lost := lost_canaries([article for _, article, _ in canaries], found):
            raise GenerationRefused(_refusal(f"a search does not find {', '.join(lost)} by its own passage"))

    async def _asked(
        self, generation: Generation, questions: Sequence[Question], active: frozenset[ArticleId]
    ) -> tuple[CheckedQuestion, ...]:
        if not questions:
            return ()
        vectors = await self.embedding.vectors_of([one.text for one in questions])
        found = self.writer.nearest(generation.id, vectors, limit=AMONG_FIRST)
        return checked(questions, found, active=active)

    def _require_as_good(self, build: Build, after: Sequence[CheckedQuestion]) -> None:
        before = () if build.live is None or build.live.check is None else build.live.check.questions
        if not self.may_be_worse and is_worse(before, after):
            raise GenerationRefused(_worse(before, after))


def _recorded(live: Generation | None) -> tuple[Question, ...]:
    """Return the questions that were asked of the live generation."""
    if live is None or live.check is None:
        return ()
    return tuple(Question(text=one.text, gold=one.gold) for one in live.check.questions)


def _titles(titles: Mapping[ArticleId, str], passages: Passages) -> tuple[Question, ...]:
    """Return titles as questions, for want of any that were recorded."""
    active = dict.fromkeys(article for _, article, _ in passages)
    titled = [Question(text=titles[one], gold=(one,)) for one in active if one in titles]
    return evenly_spread(titled, ASKED)


def _refusal(problem: str) -> str:
    return (
        f"the new generation was not put to use: {problem}; nothing was changed, run again to build it anew"
    )


def _worse(before: Sequence[CheckedQuestion], after: Sequence[CheckedQuestion]) -> str:
    hits = {one.text: one.hit for one in before}
    lost = [one.text for one in after if hits.get(one.text) and not one.hit]
    return (
        f"the new generation was not put to use: of {len(after)} recorded questions, "
        f"{sum(one.hit for one in after)} find their article among the first {AMONG_FIRST} instead of "
        f"{sum(hits.get(one.text, False) for one in after)}, such as {lost[0]!r} no longer; nothing was changed. "
        "Look at those questions, and run with --accept-worse if it shall be so"
    )
