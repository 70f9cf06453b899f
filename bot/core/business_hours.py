"""When agents are there: the days and times of `BUSINESS_HOURS` in its time zone, and when they begin next.

Times are what the clocks there show, so that 09:00 stays 09:00 when the clocks change. Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.errors import Misconfigured

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
BACK_DAYS = 7
AHEAD_DAYS = (
    15  # every opening comes once a week, and can fall into the hour that a change of clocks leaves out
)
EXAMPLE = "Mon-Fri 09:00-17:00, Sat 10:00-14:00 Europe/Berlin"

_DAYS = re.compile(r"([a-z]+)(?:-([a-z]+))?", re.IGNORECASE)
_SPAN = re.compile(r"(\d\d?):(\d\d)-(\d\d?):(\d\d)")
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """One span of every week: `weekday` counts from Monday as 0, the times are minutes after midnight."""

    weekday: int
    opens: int
    closes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WallTime:
    """What calendar and clock on the wall show: the weekday counts from Monday as 0, the time is such as 09:00."""

    weekday: int
    time: str
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessHours:
    """The spans of a week in a time zone; there is at least one."""

    openings: tuple[Opening, ...]
    zone: tzinfo

    @classmethod
    def from_text(cls, text: str) -> "BusinessHours":
        """Read the setting; Misconfigured names the part that is wrong, its problem and the remedy."""
        week, _, zone = text.strip().rpartition(" ")
        if not week or any(character.isdigit() for character in zone):
            raise _wrong(text.strip(), "has no time zone at its end", f'write it as in "{EXAMPLE}"')
        openings = tuple(opening for part in week.split(",") for opening in _openings(part.strip()))
        return cls(openings=openings, zone=_zone(zone))

    def is_open(self, at_ms: int) -> bool:
        """Return whether agents are there at that moment."""
        return self.opened_ms(at_ms) is not None

    def opened_ms(self, at_ms: int) -> int | None:
        """Return since when it has been open without a break, looking a week back; None when it is closed."""
        stretches = self._stretches(at_ms)
        return next((begins for begins, ends in stretches if begins <= at_ms < ends), None)

    def next_opening(self, at_ms: int) -> int:
        """Return the first moment from then on at which it is open: the moment itself when it is."""
        return next(max(begins, at_ms) for begins, ends in self._stretches(at_ms) if at_ms < ends)

    def on_the_wall(self, at_ms: int) -> WallTime:
        """Return what the clocks there show at that moment."""
        local = datetime.fromtimestamp(at_ms / 1000, self.zone)
        return WallTime(weekday=local.weekday(), time=f"{local:%H:%M}", zone=str(self.zone))

    def _stretches(self, at_ms: int) -> list[tuple[int, int]]:
        """Return begin and end of each time without a break around the moment, in Unix milliseconds and in order."""
        stretches: list[tuple[int, int]] = []
        for begins, ends in sorted(self._spans(at_ms)):
            if stretches and begins <= stretches[-1][1]:
                since, until = stretches.pop()
                stretches.append((since, max(until, ends)))
            else:
                stretches.append((begins, ends))
        return stretches

    def _spans(self, at_ms: int) -> Iterator[tuple[int, int]]:
        today = datetime.fromtimestamp(at_ms / 1000, self.zone).date()
        for day in (today + timedelta(days=away) for away in range(-BACK_DAYS, AHEAD_DAYS)):
            for opening in self.openings:
                if opening.weekday == day.weekday():
                    begins, ends = self._moment(day, opening.opens), self._moment(day, opening.closes)
                    if begins < ends:
                        yield begins, ends

    def _moment(self, day: date, minutes: int) -> int:
        """Where a time comes twice, its first; where it is left out, as long after midnight as it would have been."""
        days, minute = divmod(minutes, _DAY_MINUTES)
        wall = time(minute // 60, minute % 60)
        local = datetime.combine(day + timedelta(days=days), wall, tzinfo=self.zone)
        return int(local.astimezone(UTC).timestamp() * 1000)


def _openings(part: str) -> Iterator[Opening]:
    """Yield the openings of a part such as "Mon-Fri 09:00-12:00 13:00-17:00"."""
    days, *spans = part.split() or [""]
    if not spans:
        raise _wrong(part, "is not days with their times", 'write it as in "Mon-Fri 09:00-17:00"')
    for weekday in _weekdays(days, part):
        for span in spans:
            opens, closes = _minutes(span, part)
            yield Opening(weekday=weekday, opens=opens, closes=closes)


def _weekdays(days: str, part: str) -> list[int]:
    """Read "Mon", "Mon-Fri" or, over the week's end, "Sat-Mon"."""
    match = _DAYS.fullmatch(days)
    names = [name.casefold() for name in match.groups() if name] if match else []
    if not names or any(name not in WEEKDAYS for name in names):
        raise _wrong(
            part, f'"{days}" is no day', "write Mon, Tue, Wed, Thu, Fri, Sat, Sun or two of them as Mon-Fri"
        )
    first, last = WEEKDAYS.index(names[0]), WEEKDAYS.index(names[-1])
    return [(first + ahead) % 7 for ahead in range((last - first) % 7 + 1)]


def _minutes(span: str, part: str) -> tuple[int, int]:
    match = _SPAN.fullmatch(span)
    if match is None:
        raise _wrong(part, f'"{span}" is no span of time', "write it as in 09:00-17:00")
    first_hour, first_minute, last_hour, last_minute = (int(number) for number in match.groups())
    opens, closes = first_hour * 60 + first_minute, last_hour * 60 + last_minute
    if max(first_minute, last_minute) > 59 or max(opens, closes) > _DAY_MINUTES:
        raise _wrong(part, f'"{span}" is not on the clock', "write times from 00:00 to 24:00")
    if opens >= closes:
        raise _wrong(
            part,
            f'"{span}" does not end after it begins',
            "write a night as two days, as in Fri 22:00-24:00, Sat 00:00-06:00",
        )
    return opens, closes


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise _wrong(name, "is no time zone", "write one such as Europe/Berlin or UTC") from error


def _wrong(part: str, problem: str, remedy: str) -> Misconfigured:
    return Misconfigured(f'BUSINESS_HOURS, "{part}": {problem}; {remedy}')
