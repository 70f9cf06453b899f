"""The desk's numbers over HTTP: for whoever is signed in, in words, and for no more days than can be counted."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import UTC, date
from typing import Any

import pytest
from aiohttp import web

from bot.channels.console.guard import Guard
from bot.channels.console.numbers import NumbersRoute, to_numbers
from bot.channels.web import answer_in_json, serving
from bot.core.accounts import AgentRole
from bot.core.desk_numbers import AnsweredAlone, Calendar, DayNumbers, DeskNumbers, WaitingNow
from bot.core.ratings import Satisfaction
from bot.service.numbers import Numbers
from tests.channels.console.office import Office, Page
from tests.service.rig import REPLIES


class Silent:
    """An observer that nobody looks at."""

    def outbox_seen(self, *, oldest_s, waiting):
        return

    def queue_seen(self, *, waiting, claimed, longest_s):
        return


@pytest.fixture
async def maria(office: Office, maria: Page) -> AsyncIterator[Page]:
    """Maria's page before a server that has the numbers."""
    numbers = Numbers(
        desk=office.desk_store, clock=office.clock, observer=Silent(), calendar=Calendar(zone=UTC)
    )
    route = NumbersRoute(numbers=numbers, guard=Guard(accounts=office.accounts), replies=REPLIES, locale="en")
    app = web.Application(middlewares=[answer_in_json])
    app.add_routes(route.routes())
    async with serving(app, host="127.0.0.1", port=0) as url:
        yield replace(maria, office=replace(office, url=url))


def shown(**fields) -> Mapping[str, Any]:
    """Return what the console is sent of two days."""
    before = DayNumbers(
        day=date(2026, 11, 29), by_reason={"turn_lost": 1}, answered_alone=AnsweredAlone(silent=2)
    )
    today = DayNumbers(
        day=date(2026, 11, 30),
        by_reason={"no_evidence": 2, "a_later_code": 1},
        answered_alone=AnsweredAlone(confirmed=3, silent=4, came_back=5),
    )
    numbers = DeskNumbers(
        now_ms=7,
        waiting=WaitingNow(queued=1, claimed=2, longest_ms=60_000),
        days=(before, today),
        first_reply_median_ms=90_000,
        untruthful=0,
    )
    return to_numbers(replace(numbers, **fields), REPLIES, "en")


@pytest.mark.parametrize(
    ("satisfaction", "sent"),
    [
        (Satisfaction(), {"count": 0, "mean": None}),
        (Satisfaction(count=3, mean=13 / 3), {"count": 3, "mean": 4.33}),
    ],
)
def test_how_satisfied_customers_were_today_is_a_mean_or_nothing(satisfaction, sent):
    assert shown(satisfaction=satisfaction)["today"]["satisfaction"] == sent


def test_todays_numbers_stand_beside_those_of_each_day():
    sent = shown()

    assert sent["waiting"] == {"queued": 1, "claimed": 2, "longest_ms": 60_000}
    assert sent["today"]["handed_over"]["total"] == 3
    assert sent["today"]["answered_alone"] == {"confirmed": 3, "silent": 4, "came_back": 5}
    assert sent["days"] == [
        {
            "day": "2026-11-29",
            "by_reason": {"turn_lost": 1},
            "answered_alone": {"confirmed": 0, "silent": 2, "came_back": 0},
        },
        {
            "day": "2026-11-30",
            "by_reason": {"no_evidence": 2, "a_later_code": 1},
            "answered_alone": {"confirmed": 3, "silent": 4, "came_back": 5},
        },
    ]


def test_each_reason_comes_in_words_and_one_of_a_later_release_as_it_is():
    sent = shown()

    assert [row["reason_text"] for row in sent["today"]["handed_over"]["by_reason"]] == [
        "no article was found about this", "a_later_code"
    ]  # fmt: skip
    assert sorted(sent["reasons"]) == ["a_later_code", "no_evidence", "turn_lost"]


def test_a_median_of_nothing_is_null():
    assert shown(first_reply_median_ms=None)["today"]["first_reply_median_ms"] is None


async def test_any_agent_reads_the_numbers(office, maria):
    await office.waiting()

    answer = await maria.read("numbers?days=2")

    assert answer.status == 200
    assert answer.body["waiting"]["queued"] == answer.body["today"]["handed_over"]["total"] == 1
    assert len(answer.body["days"]) == 2


async def test_without_a_number_of_days_it_is_a_week(maria):
    assert len((await maria.read("numbers")).body["days"]) == 7


@pytest.mark.parametrize("days", ["0", "93", "1000000000000", "-1", "7.5", "seven", "\u0667", ""])
async def test_what_is_no_number_of_days_is_refused(maria, days):
    assert (await maria.read(f"numbers?days={days}")).status == 400


async def test_a_stranger_reads_no_numbers(maria):
    answer = await replace(maria, cookie="", csrf="").read("numbers")

    assert (answer.status, answer.code) == (401, "signed_out")


async def test_those_who_write_articles_read_them_too(office, maria):
    kim = await office.hire("Kim", AgentRole.CONTENT)

    assert (await replace(kim, office=maria.office).read("numbers")).status == 200
