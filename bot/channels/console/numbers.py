"""The desk's numbers as the console shows them, and the route under which it asks for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from bot.channels.bodies import json_answer
from bot.channels.console.guard import Guard
from bot.channels.wording import reason_in_words
from bot.core.desk_numbers import AnsweredAlone, DayNumbers, DeskNumbers
from bot.core.ratings import Satisfaction
from bot.core.replies import Replies
from bot.errors import InputRejected
from bot.service.numbers import MOST_DAYS, Numbers

DAYS = 7

Event = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersRoute:
    """Answers with the numbers, in the agents' language."""

    numbers: Numbers
    guard: Guard
    replies: Replies
    locale: str

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/console/v1/numbers", self.read, allow_head=False)]

    async def read(self, request: web.Request) -> web.Response:
        await self.guard.agent(request)
        counted = await self.numbers.report(to_days(request.query.get("days")))
        return json_answer(to_numbers(counted, self.replies, self.locale))


def to_days(raw: str | None) -> int:
    """Read for how many days the numbers are wanted."""
    if raw is None:
        return DAYS
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 3 and 1 <= int(raw) <= MOST_DAYS):
        raise InputRejected("days", "is not a number of days", f"send 1 to {MOST_DAYS}")
    return int(raw)


def to_numbers(numbers: DeskNumbers, replies: Replies, locale: str) -> Event:
    """Translate the numbers; reasons come with their words."""
    today = numbers.days[-1]
    return {
        "now": numbers.now_ms,
        "waiting": {
            "queued": numbers.waiting.queued,
            "claimed": numbers.waiting.claimed,
            "longest_ms": numbers.waiting.longest_ms,
        },
        "today": {
            "handed_over": {
                "total": today.handed_over,
                "by_reason": _to_reasons(today.by_reason, replies, locale),
            },
            "answered_alone": _to_answered_alone(today.answered_alone),
            "first_reply_median_ms": numbers.first_reply_median_ms,
            "untruthful": numbers.untruthful,
            "satisfaction": _to_satisfaction(numbers.satisfaction),
        },
        "days": [_to_day(day) for day in numbers.days],
        "reasons": _to_words(numbers.days, replies, locale),
    }


def _to_satisfaction(satisfaction: Satisfaction) -> Event:
    mean = satisfaction.mean
    return {"count": satisfaction.count, "mean": None if mean is None else round(mean, 2)}


def _to_reasons(by_reason: Mapping[str, int], replies: Replies, locale: str) -> list[Event]:
    return [
        {"reason": reason, "reason_text": reason_in_words(reason, replies, locale), "count": count}
        for reason, count in by_reason.items()
    ]


def _to_words(days: tuple[DayNumbers, ...], replies: Replies, locale: str) -> Event:
    """Name each code that occurs: a chart of a week has more of them than today."""
    codes = sorted({reason for day in days for reason in day.by_reason})
    return {reason: reason_in_words(reason, replies, locale) for reason in codes}


def _to_day(day: DayNumbers) -> Event:
    return {
        "day": day.day.isoformat(),
        "by_reason": dict(day.by_reason),
        "answered_alone": _to_answered_alone(day.answered_alone),
    }


def _to_answered_alone(counted: AnsweredAlone) -> Event:
    return {"confirmed": counted.confirmed, "silent": counted.silent, "came_back": counted.came_back}
