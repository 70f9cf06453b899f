"""The day on which a question counts as asked reaches every step that reads the time of day."""

from datetime import date

from bot.evaluation.moment import OneMoment, asked_at, start_of
from bot.evaluation.trials import trials
from tests.evaluation.builders import a_golden
from tests.service.rig import a_rig


async def test_the_moment_stands_still_while_time_is_measured():
    clock = (await a_rig()).clock
    moment = OneMoment(clock=clock, at_ms=5)

    assert moment.now_ms() == 5
    assert moment.monotonic_s() == clock.monotonic_s()
    assert moment.new_id() != moment.new_id()


async def test_a_turn_and_its_ranking_happen_at_the_moment_asked_for():
    answering = (await a_rig()).turns.answering

    then = asked_at(answering, 5)

    assert (then.clock.now_ms(), then.retrieving.clock.now_ms()) == (5, 5)
    assert asked_at(answering, None) is answering


async def test_a_trial_is_on_its_question_s_day():
    answering = (await a_rig()).turns.answering

    (tried,) = [one async for one in trials(answering, [a_golden(asked_ms=5)])]

    assert tried.turn.started_ms == 5


def test_a_day_begins_at_midnight_utc():
    assert start_of(date(2026, 11, 15)) == 1_794_700_800_000
