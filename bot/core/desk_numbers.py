"""The numbers on the desk's page, counted from what happened. Silence is a number of its own and never counted as solved. Pure.

A day is what the calendar of the business hours' time zone shows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from statistics import median

from bot.core.activity import AFTERWARDS_MS, Activity
from bot.core.conversation import Status
from bot.core.desk import QueueRow
from bot.core.ratings import Satisfaction

BACK_AFTER_MS = 30 * 60 * 1000  # who writes sooner goes on with the conversation
ANSWER = "answer"


class Ending(StrEnum):
    """What became of a day's answers in a conversation.

    WITH_PERSON: a handoff or a claim came in that day or in the 24 hours after the day's last answer. Else CONFIRMED: the last feedback
    in the 24 hours after it, and before the next day's first answer, says that it helped. Else CAME_BACK: that feedback says no, or the
    customer wrote between 30 minutes and 24 hours after it. Else SILENT.
    """

    CONFIRMED = "confirmed"
    SILENT = "silent"
    CAME_BACK = "came_back"
    WITH_PERSON = "with_person"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredAlone:
    """In how many conversations of a day the bot answered and no person was needed, by what the customer did then."""

    confirmed: int = 0
    silent: int = 0
    came_back: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DayNumbers:
    """One day; `by_reason` counts its handoffs by code, the most frequent first."""

    day: date
    by_reason: Mapping[str, int]
    answered_alone: AnsweredAlone

    @property
    def handed_over(self) -> int:
        """Return how many handoffs there were."""
        return sum(self.by_reason.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingNow:
    """Who waits for an agent, how many conversations agents have, and how long the longest of those who wait has waited."""

    queued: int
    claimed: int
    longest_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskNumbers:
    """All of the page; `days` end with today, whose median first reply, untruthful handoffs and ratings stand beside."""

    now_ms: int
    waiting: WaitingNow
    days: tuple[DayNumbers, ...]
    first_reply_median_ms: int | None
    untruthful: int
    satisfaction: Satisfaction = field(default_factory=Satisfaction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Days as the clocks of a time zone count them."""

    zone: tzinfo

    def day_of(self, at_ms: int) -> date:
        """Return the day of a moment."""
        return datetime.fromtimestamp(at_ms / 1000, self.zone).date()

    def begins_ms(self, day: date) -> int:
        """Return the first moment of *day*."""
        midnight = datetime.combine(day, time(), tzinfo=self.zone)
        return int(midnight.astimezone(UTC).timestamp() * 1000)

    def days_until(self, at_ms: int, *, count: int) -> tuple[date, ...]:
        """Return *count* days that end with the one of that moment."""
        last = self.day_of(at_ms)
        return tuple(last - timedelta(days=back) for back in reversed(range(count)))


def waiting_now(queue: Iterable[QueueRow], *, now_ms: int) -> WaitingNow:
    """Count who waits in the queue and what agents have; who waits for an agent's next reply is not in the queue."""
    states = [row.conversation for row in queue]
    since = [c.waiting_since_ms for c in states if c.status is Status.QUEUED]
    waits = [max(0, now_ms - at_ms) for at_ms in since if at_ms is not None]
    return WaitingNow(
        queued=len(since),
        claimed=sum(c.status is Status.CLAIMED for c in states),
        longest_ms=max(waits, default=0),
    )


def by_day(
    activities: Sequence[Activity], days: Iterable[date], calendar: Calendar
) -> tuple[DayNumbers, ...]:
    """Count handoffs and answered conversations of each of *days*."""
    reasons: defaultdict[date, Counter[str]] = defaultdict(Counter)
    ended: defaultdict[date, Counter[Ending]] = defaultdict(Counter)
    for activity in activities:
        for handoff in activity.handoffs:
            reasons[calendar.day_of(handoff.opened_ms)][handoff.reason] += 1
        for day, ending in endings(activity, calendar).items():
            ended[day][ending] += 1
    return tuple(
        DayNumbers(
            day=day, by_reason=_most_frequent_first(reasons[day]), answered_alone=_answered_alone(ended[day])
        )
        for day in days
    )


def endings(activity: Activity, calendar: Calendar) -> Mapping[date, Ending]:
    """Return what became of the answers of each day on which the bot gave any in this conversation."""
    answered = sorted(turn.settled_ms for turn in activity.turns if turn.outcome == ANSWER)
    last = {calendar.day_of(at_ms): at_ms for at_ms in answered}
    return {day: _ending(activity, day, at_ms, calendar) for day, at_ms in last.items()}


def first_reply_median(activities: Iterable[Activity], *, since_ms: int) -> int | None:
    """Return the median wait from a handoff, opened since then, to the first reply of an agent; None without any."""
    waits = [
        handoff.replied_ms - handoff.opened_ms
        for activity in activities
        for handoff in activity.handoffs
        if handoff.opened_ms >= since_ms and handoff.replied_ms is not None
    ]
    return int(median(waits)) if waits else None


def _ending(activity: Activity, day: date, last_ms: int, calendar: Calendar) -> Ending:
    people = (*activity.claimed_ms, *(handoff.opened_ms for handoff in activity.handoffs))
    if any(calendar.day_of(at_ms) == day or _follows(at_ms, last_ms) for at_ms in people):
        return Ending.WITH_PERSON
    said = _feedback_on(activity, last_ms)
    if said:
        return Ending.CONFIRMED if said[-1] else Ending.CAME_BACK
    is_back = any(_follows(at_ms, last_ms, after_ms=BACK_AFTER_MS) for at_ms in activity.wrote_ms)
    return Ending.CAME_BACK if is_back else Ending.SILENT


def _feedback_on(activity: Activity, last_ms: int) -> list[bool]:
    """What was said after the next answer is about that one."""
    later = [
        turn.settled_ms for turn in activity.turns if turn.outcome == ANSWER and turn.settled_ms > last_ms
    ]
    next_ms = min(later, default=last_ms + AFTERWARDS_MS + 1)
    return [verdict for at_ms, verdict in activity.helped if _follows(at_ms, last_ms) and at_ms < next_ms]


def _follows(at_ms: int, last_ms: int, *, after_ms: int = 0) -> bool:
    return after_ms <= at_ms - last_ms <= AFTERWARDS_MS


def _most_frequent_first(counted: Counter[str]) -> Mapping[str, int]:
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


def _answered_alone(ended: Counter[Ending]) -> AnsweredAlone:
    return AnsweredAlone(
        confirmed=ended[Ending.CONFIRMED], silent=ended[Ending.SILENT], came_back=ended[Ending.CAME_BACK]
    )
