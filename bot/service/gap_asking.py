"""Asks recorded questions again, as if each were the first message of a conversation today: would an article answer it by now?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.core.asking import question_after
from bot.core.content import Decision
from bot.core.gap_grouping import Point
from bot.core.gaps import AskedAgain
from bot.core.gate import is_enough
from bot.core.knowledge import Calibration
from bot.core.outcome import Handoff, ReasonCode
from bot.core.routing import Question
from bot.service.gap_vectors import digest
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace
from bot.service.triage import Triaging

MOST_AT_ONCE = 200  # questions, each of them up to five searches; the rest waits for the next report


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What today's answers depend on; when any of it changes, every question is asked again."""

    generation: str | None
    fingerprint: str | None
    calibration: Calibration | None
    decisions: tuple[Decision, ...]


@dataclass(slots=True, kw_only=True)
class AskingAgain:
    """A turn's own steps up to the gate. Remembers what was found for each question while the index stays as it is."""

    retrieving: Retrieving
    triaging: Triaging
    can_abstain: bool
    most: int = MOST_AT_ONCE
    _standing: Standing | None = None
    _known: dict[tuple[bytes, str], AskedAgain] = field(default_factory=dict)

    async def today(
        self, points: Iterable[Point], standing: Standing
    ) -> tuple[Mapping[Point, AskedAgain], ReasonCode | None]:
        """Return what is known of the points, and why no more could be asked; None when nothing stood in the way."""
        if standing != self._standing:
            self._standing, self._known = standing, {}
        asked, problem, left = {}, None, self.most
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


def _key(point: Point) -> tuple[bytes, str]:
    return digest(point.text), point.locale
