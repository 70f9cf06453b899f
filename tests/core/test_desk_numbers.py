"""The desk's numbers: each answered conversation of a day counts once, and silence is never counted as solved."""

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.activity import Activity, HandoffTimes, SettledTurn
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import QueueRow
from bot.core.desk_numbers import (
    AnsweredAlone,
    Calendar,
    Ending,
    WaitingNow,
    by_day,
    endings,
    first_reply_median,
    waiting_now,
)
from tests.builders import a_conversation

MINUTE, HOUR = 60_000, 3_600_000
DAY_MS = 24 * HOUR
MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
NINE = int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000)
IN_UTC = Calendar(zone=UTC)
QUIET = Activity(conversation=ConversationId("c1"), turns=(), handoffs=(), wrote_ms=(NINE - 1,), helped=())


def settled(*times_ms: int, outcome: str = "answer") -> tuple[SettledTurn, ...]:
    return tuple(SettledTurn(settled_ms=at_ms, outcome=outcome, reason=None) for at_ms in times_ms)


def handed_over(*times_ms: int, reason: str = "no_evidence") -> tuple[HandoffTimes, ...]:
    return tuple(HandoffTimes(reason=reason, opened_ms=at_ms) for at_ms in times_ms)


def answered(*times_ms: int, **fields) -> Activity:
    """Return a conversation that the bot answered at nine on Monday, unless other times are given."""
    return replace(QUIET, turns=settled(*(times_ms or (NINE,))), **fields)


def ending(activity: Activity) -> Ending | None:
    return endings(activity, IN_UTC).get(MONDAY)


@pytest.mark.parametrize(
    ("activity", "became"),
    [
        pytest.param(answered(), Ending.SILENT, id="nothing more"),
        pytest.param(answered(helped=((NINE + 1, True),)), Ending.CONFIRMED, id="helped"),
        pytest.param(answered(helped=((NINE + 1, False),)), Ending.CAME_BACK, id="did not help"),
        pytest.param(
            answered(helped=((NINE + 1, False), (NINE + 2, True))), Ending.CONFIRMED, id="helped after all"
        ),
        pytest.param(
            answered(helped=((NINE + 1, True), (NINE + 2, False))), Ending.CAME_BACK, id="did not in the end"
        ),
        pytest.param(answered(helped=((NINE + DAY_MS, True),)), Ending.CONFIRMED, id="helped a day later"),
        pytest.param(answered(helped=((NINE + DAY_MS + 1, True),)), Ending.SILENT, id="feedback too late"),
        pytest.param(answered(helped=((NINE - 1, True),)), Ending.SILENT, id="feedback on an earlier answer"),
        pytest.param(answered(wrote_ms=(NINE + 29 * MINUTE,)), Ending.SILENT, id="goes on"),
        pytest.param(answered(wrote_ms=(NINE + 30 * MINUTE,)), Ending.CAME_BACK, id="writes again"),
        pytest.param(answered(wrote_ms=(NINE + DAY_MS,)), Ending.CAME_BACK, id="writes a day later"),
        pytest.param(answered(wrote_ms=(NINE + DAY_MS + 1,)), Ending.SILENT, id="writes much later"),
        pytest.param(
            answered(wrote_ms=(NINE + HOUR,), helped=((NINE + 1, True),)), Ending.CONFIRMED, id="helped, and more"
        ),
        pytest.param(answered(handoffs=handed_over(NINE + 1)), Ending.WITH_PERSON, id="handed over"),
        pytest.param(answered(handoffs=handed_over(NINE + DAY_MS)), Ending.WITH_PERSON, id="handed over next day"),
        pytest.param(answered(handoffs=handed_over(NINE + DAY_MS + 1)), Ending.SILENT, id="handed over later"),
        pytest.param(answered(handoffs=handed_over(NINE - HOUR)), Ending.WITH_PERSON, id="handed over before"),
        pytest.param(answered(claimed_ms=(NINE + 1,)), Ending.WITH_PERSON, id="taken over"),
        pytest.param(
            answered(handoffs=handed_over(NINE + 1), helped=((NINE + 2, True),)), Ending.WITH_PERSON, id="person helped"
        ),
        pytest.param(replace(QUIET, turns=settled(NINE, outcome="ask")), None, id="only asked back"),
        pytest.param(replace(QUIET, turns=settled(NINE, outcome="courtesy")), None, id="only greeted"),
    ],
)  # fmt: skip
def test_what_became_of_an_answer(activity, became):
    assert ending(activity) is became


def test_a_question_an_hour_after_the_first_answer_is_no_coming_back_when_it_was_answered_that_day():
    activity = answered(NINE, NINE + HOUR + 1, wrote_ms=(NINE - 1, NINE + HOUR))

    assert ending(activity) is Ending.SILENT


def test_a_conversation_counts_once_on_each_day_on_which_it_was_answered():
    activity = answered(NINE, NINE + MINUTE, NINE + DAY_MS, helped=((NINE + DAY_MS + 1, True),))

    assert endings(activity, IN_UTC) == {MONDAY: Ending.SILENT, TUESDAY: Ending.CONFIRMED}


times = st.lists(st.integers(min_value=NINE - DAY_MS, max_value=NINE + 3 * DAY_MS), max_size=4).map(sorted)
activities = st.builds(
    lambda answers, asks, handoffs, claims, wrote, helped: replace(
        QUIET,
        turns=settled(*answers) + settled(*asks, outcome="ask"),
        handoffs=handed_over(*handoffs),
        claimed_ms=tuple(claims),
        wrote_ms=tuple(wrote),
        helped=tuple(helped),
    ),
    times, times, times, times, times,
    times.flatmap(lambda at: st.tuples(*(st.tuples(st.just(one), st.booleans()) for one in at))),
)  # fmt: skip


@given(st.lists(activities, max_size=4))
def test_those_answered_alone_and_those_with_a_person_are_all_that_were_answered(happened):
    answered_days = [
        (index, IN_UTC.day_of(turn.settled_ms))
        for index, activity in enumerate(happened)
        for turn in activity.turns
        if turn.outcome == "answer"
    ]
    days = IN_UTC.days_until(NINE + 3 * DAY_MS, count=5)

    counted = [day.answered_alone for day in by_day(happened, days, IN_UTC)]

    alone = sum(one.confirmed + one.silent + one.came_back for one in counted)
    ended = [ending for activity in happened for ending in endings(activity, IN_UTC).values()]
    assert len(ended) == len(set(answered_days))
    assert alone + ended.count(Ending.WITH_PERSON) == len(ended)


@given(activities)
def test_a_day_with_a_handoff_or_a_claim_is_never_answered_alone(activity):
    people = (*activity.claimed_ms, *(handoff.opened_ms for handoff in activity.handoffs))
    ended = endings(activity, IN_UTC)

    assert {ended.get(IN_UTC.day_of(at_ms)) for at_ms in people} <= {None, Ending.WITH_PERSON}


@given(activities)
def test_nothing_is_confirmed_but_by_the_customer(activity):
    confirmed = Ending.CONFIRMED in endings(activity, IN_UTC).values()

    assert not confirmed or any(verdict for _, verdict in activity.helped)


def test_handoffs_are_counted_by_day_and_reason_the_most_frequent_first():
    few, many = handed_over(NINE, reason="customer_asked"), handed_over(NINE, NINE + 1)
    activity = replace(QUIET, handoffs=(*few, *many, *handed_over(NINE + DAY_MS)))

    monday, tuesday = by_day([activity], [MONDAY, TUESDAY], IN_UTC)

    assert list(monday.by_reason.items()) == [("no_evidence", 2), ("customer_asked", 1)]
    assert (monday.handed_over, tuesday.handed_over) == (3, 1)


def test_a_day_on_which_nothing_happened_is_there_with_zeros():
    (day,) = by_day([], [MONDAY], IN_UTC)

    assert (day.by_reason, day.answered_alone, day.handed_over) == ({}, AnsweredAlone(), 0)


def test_days_begin_at_the_midnight_of_the_zone():
    berlin = Calendar(zone=ZoneInfo("Europe/Berlin"))
    late = int(datetime(2026, 11, 30, 23, 30, tzinfo=UTC).timestamp() * 1000)

    assert (IN_UTC.day_of(late), berlin.day_of(late)) == (MONDAY, TUESDAY)
    assert berlin.begins_ms(TUESDAY) == late - 30 * MINUTE
    assert berlin.days_until(late, count=2) == (MONDAY, TUESDAY)


def test_a_day_on_which_the_clocks_change_begins_where_the_one_before_ends():
    berlin = Calendar(zone=ZoneInfo("Europe/Berlin"))
    saturday, sunday, monday = (berlin.begins_ms(date(2026, 10, day)) for day in (24, 25, 26))

    assert (sunday - saturday, monday - sunday) == (24 * HOUR, 25 * HOUR)


def test_the_median_is_of_handoffs_that_an_agent_replied_to():
    replied = [
        HandoffTimes(reason="no_evidence", opened_ms=NINE, replied_ms=NINE + wait) for wait in (10, 40, 30)
    ]
    happened = [replace(QUIET, handoffs=(one, *handed_over(NINE))) for one in replied]

    assert first_reply_median(happened, since_ms=NINE) == 30
    assert first_reply_median(happened[:2], since_ms=NINE) == 25
    assert first_reply_median(happened, since_ms=NINE + 1) is None


def test_who_waits_is_counted_apart_from_whom_an_agent_has():
    queued = a_conversation().queued(since_ms=NINE, now_ms=NINE)
    claimed = queued.claimed_by(AgentId("anna"), now_ms=NINE)
    states = (queued, replace(queued, waiting_since_ms=NINE - 1), replace(claimed, waiting_since_ms=0))
    rows = [QueueRow(conversation=state, reason=None, first_line="") for state in states]

    assert waiting_now(rows, now_ms=NINE) == WaitingNow(queued=2, claimed=1, longest_ms=1)
    assert waiting_now([], now_ms=NINE) == WaitingNow(queued=0, claimed=0, longest_ms=0)
