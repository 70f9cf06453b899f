"""The day on which a question counts as asked: freshness depends on it, so labels that dates decide hold only on their day."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from bot.ports import Clock
from bot.service.answering import Answering


@dataclass(frozen=True, slots=True, kw_only=True)
class OneMoment:
    """A clock whose time of day stands still, so that freshness is the same in every run."""

    clock: Clock
    at_ms: int

    def now_ms(self) -> int:
        return self.at_ms

    def monotonic_s(self) -> float:
        return self.clock.monotonic_s()

    def new_id(self) -> str:
        return self.clock.new_id()


def start_of(day: date) -> int:
    """Return when *day* begins, in UTC."""
    return int(datetime.combine(day, time.min, UTC).timestamp() * 1000)


def asked_at(answering: Answering, at_ms: int | None) -> Answering:
    """Return the steps of a turn at a moment; None leaves them their own clock."""
    if at_ms is None:
        return answering
    clock = OneMoment(clock=answering.clock, at_ms=at_ms)
    return replace(answering, clock=clock, retrieving=replace(answering.retrieving, clock=clock))
