"""Asks recorded questions again, as if each were the first message of a conversation today: would an article answer it by now?

A question that could not be asked is told as it was recorded, and the answer says why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import structlog

from bot.content_ports import ArticleCatalogue
from bot.core.asking import question_after
from bot.core.content import Decision
from bot.core.failures import reason_for
from bot.core.gap_grouping import Point
from bot.core.gaps import AskedAgain
from bot.core.gate import is_enough
from bot.core.knowledge import ArticleId, Calibration
from bot.core.outcome import Handoff, ReasonCode, Triage
from bot.core.routing import Question
from bot.core.turn import Stage
from bot.errors import OutsideFailure
from bot.service.gap_builds import Unpublished
from bot.service.gap_vectors import digest
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace
from bot.service.triage import Triaging

log = structlog.get_logger()

MOST_AT_ONCE = 200  # questions, each of them up to five searches; the rest waits for the next report


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What was found for questions, when articles came or changed last, and why no more could be asked, None when all could."""

    asked: Mapping[Point, AskedAgain] = field(default_factory=dict[Point, AskedAgain])
    changed_ms: Mapping[ArticleId, int] = field(default_factory=dict[ArticleId, int])
    problem: ReasonCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """What answers depend on; when any of it changes, every question is asked again."""

    generation: str | None
    fingerprint: str | None
    calibration: Calibration | None
    decisions: tuple[Decision, ...]


@dataclass(slots=True, kw_only=True)
class AskingAgain:
    """A turn's own steps up to the gate. Remembers what was found for each question while the index stays as it is."""

    retrieving: Retrieving
    triaging: Triaging
    catalogue: ArticleCatalogue
    unpublished: Unpublished | None
    can_abstain: bool
    most: int = MOST_AT_ONCE
    _standing: _Standing | None = None
    _known: dict[tuple[bytes, str], AskedAgain] = field(default_factory=dict)

    async def today(self, points: Iterable[Point]) -> Today:
        """Return what is known of the points by now, those that come first before others."""
        try:
            standing = await self._standing_now()
            articles = await self.catalogue.articles()
        except OutsideFailure as failure:
            log.warning("gaps_not_asked_again", error=type(failure).__name__)
            return Today(problem=reason_for(Stage.INDEX, failure))
        if standing != self._standing:
            self._standing, self._known = standing, {}
        asked, problem = await self._all(points)
        return Today(
            asked=await self._with_builds(asked),
            changed_ms={one.id: max(one.added_ms, one.changed_ms) for one in articles},
            problem=problem,
        )

    async def _standing_now(self) -> _Standing:
        status = await self.retrieving.index.status()
        return _Standing(
            generation=status.generation,
            fingerprint=status.fingerprint,
            calibration=status.calibration,
            decisions=await self.catalogue.decisions(),
        )

    async def _all(self, points: Iterable[Point]) -> tuple[dict[Point, AskedAgain], ReasonCode | None]:
        asked, problem, left = dict[Point, AskedAgain](), None, self.most
        for point in points:
            known = self._known.get(_key(point))
            if known is None and left > 0 and problem is None:
                left -= 1
                known, problem = await self._asked(point)
            if known is not None:
                asked[point] = known
        self._known = {_key(point): found for point, found in asked.items()}
        return asked, problem

    async def _asked(self, point: Point) -> tuple[AskedAgain | None, ReasonCode | None]:
        start = question_after((), point.text, locale=point.locale)
        trace = Trace(clock=self.retrieving.clock, started_ms=self.retrieving.clock.now_ms())
        question = Question(current=start.unanswered[0], bare=point.text)
        try:
            await self.retrieving.retrieve(start, question, trace, can_abstain=self.can_abstain)
        except StageBroken as broken:
            return None, broken.handoff.reason
        if trace.threshold is None:
            return None, ReasonCode.INDEX_NOT_READY
        return await self._found(trace, trace.threshold), None

    async def _found(self, trace: Trace, threshold: float) -> AskedAgain:
        best, passes = trace.ranked[0].found, is_enough(trace.best_cosine, threshold)
        why = Handoff(reason=ReasonCode.NO_EVIDENCE)
        return AskedAgain(
            passes=passes,
            best_cosine=trace.best_cosine,
            threshold=threshold,
            article=best.article_id,
            title=best.title,
            triage=None if passes else await self.triaging.triage(why, trace),
        )

    async def _with_builds(self, asked: Mapping[Point, AskedAgain]) -> Mapping[Point, AskedAgain]:
        """Look for the others in what is written and not published. It is not remembered, because a build grows meanwhile.

        What is there in another language only is there in the build too, and is no more to be found.
        """
        if self.unpublished is None:
            return asked
        stopped = [
            point
            for point, found in asked.items()
            if not found.passes and found.triage is not Triage.OTHER_LANGUAGE
        ]
        try:
            vectors = await self.retrieving.embedder.embed_queries([point.text for point in stopped])
            fingerprint = str(self.retrieving.embedder.fingerprint)
            near = await self.unpublished.nearest(vectors, fingerprint=fingerprint)
        except OutsideFailure as failure:
            log.warning("gaps_not_compared_with_builds", error=type(failure).__name__)
            return asked
        found = (_in_build(asked[point], one) for point, one in zip(stopped, near, strict=True))
        return {**asked, **dict(zip(stopped, found, strict=True))}


def _in_build(asked: AskedAgain, near: tuple[ArticleId, float] | None) -> AskedAgain:
    """A first message is embedded alone, so the gate's score is its cosine to the nearest passage."""
    if near is None or asked.threshold is None or not is_enough(near[1], asked.threshold):
        return asked
    return replace(asked, article=near[0], title="", triage=Triage.NOT_YET_INDEXED)


def _key(point: Point) -> tuple[bytes, str]:
    return digest(point.text), point.locale
