"""What drafts use is counted before, whatever becomes of them, and at a cap people answer (FAULTS L10, R-L18)."""

from collections.abc import Callable

import pytest

from bot.core.caps import Allowance, Caps, Tariff
from bot.core.input_size import INSTRUCTIONS, input_tokens
from bot.core.outcome import Answer, Handoff, ReasonCode
from bot.core.prompt import Finished, Stop, Usage
from bot.errors import NotAsked, StoreUnavailable
from tests.service.faults import quoted
from tests.service.rig import QUESTION, Rig, a_rig, reason_of
from tests.service.stand_ins import Point, RecordingCircuits
from tests.waiting import wait_until

TARIFF = Tariff(input_usd=1.0, output_usd=5.0, output_tokens=600)
USED = Usage(input_tokens=3_000, output_tokens=50, cost_usd=0.003_25)
LONG = f"{QUESTION} " * 200
DAY_MS = 86_400_000


def over_all(**fields) -> Caps:
    return Caps(overall=Allowance(**fields))


async def a_metered_rig(caps: Caps, alarms: RecordingCircuits | None = None) -> Rig:
    rig = await a_rig(caps=caps)
    rig.turns.metering.tariff = TARIFF
    rig.turns.metering.observer = alarms or RecordingCircuits()
    return rig


def most_of(rig: Rig) -> list[Usage]:
    """Return the most that each draft that was asked for can use."""
    return [TARIFF.at_most(INSTRUCTIONS + input_tokens(request)) for request in rig.answerer.requests]


def tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def _asked_or_over(rig: Rig, point: Point) -> Callable[[], bool]:
    return lambda: point.reached.is_set() or not rig.runner._running


async def spent(rig: Rig):
    return await rig.ledger.spent(rig.conversation, since_ms=0)


async def test_what_the_provider_counted_takes_the_place_of_what_was_set_aside():
    rig = await a_metered_rig(over_all(cost_usd=1))
    rig.answerer.script = (quoted(), Finished(stop=Stop.COMPLETE, usage=USED))

    turn = await rig.ask()

    assert turn.usage == USED
    counted = (await spent(rig)).conversation
    assert (counted.turns, counted.tokens, counted.micro_usd) == (1, 3_050, 3_250)


async def test_a_draft_that_breaks_off_stays_counted_with_the_most_that_it_can_have_used():
    rig = await a_metered_rig(over_all(cost_usd=1))
    rig.answerer.script = (quoted(), ConnectionResetError())

    turn = await rig.ask()

    assert [turn.usage] == most_of(rig)
    assert (await spent(rig)).overall.tokens == tokens(turn.usage)


async def test_a_draft_that_was_cut_off_is_counted_as_its_provider_says():
    rig = await a_metered_rig(over_all(cost_usd=1))
    rig.answerer.script = (Finished(stop=Stop.CUT_OFF, usage=USED),)

    turn = await rig.ask()

    assert (reason_of(turn), turn.usage) == (ReasonCode.MODEL_UNAVAILABLE, USED)
    assert (await spent(rig)).overall.tokens == 3_050


async def test_a_draft_that_nobody_was_asked_for_used_nothing():
    """A provider that is down must not use up the day's money."""
    rig = await a_metered_rig(over_all(cost_usd=1))
    rig.answerer.script = (NotAsked("its circuit is open"),)

    turn = await rig.ask()

    counted = (await spent(rig)).overall
    assert (reason_of(turn), turn.usage) == (ReasonCode.MODEL_UNAVAILABLE, None)
    assert (counted.tokens, counted.micro_usd) == (0, 0)


async def test_without_caps_on_what_drafts_use_the_ledger_is_left_alone():
    rig = await a_metered_rig(Caps())
    rig.ledger.at_spend.fails = StoreUnavailable("disk full")

    turn = await rig.ask()

    assert isinstance(turn.outcome, Answer)
    assert [turn.usage] == most_of(rig)


async def test_a_flood_of_long_questions_ends_at_the_cap_and_at_most_one_turn_behind_it():
    cap = 100_000
    rig = await a_metered_rig(Caps(conversation=Allowance(tokens=cap)))

    turns = [await rig.ask(LONG)]
    while reason_of(turns[-1]) is None and len(turns) < 40:
        turns.append(await rig.ask(LONG))

    used = [tokens(usage) for usage in most_of(rig)]
    assert turns[-1].outcome == Handoff(reason=ReasonCode.BOT_PAUSED, detail=f"{cap} tokens in a day")
    assert cap <= sum(used) <= cap + max(used)
    assert max(used) <= rig.turns.answering.policy.max_input_tokens + INSTRUCTIONS + TARIFF.output_tokens


async def test_a_flood_that_overtakes_its_own_turns_ends_at_the_cap_too():
    """None of these turns is ever committed, but each has asked the provider for a draft."""
    cap = 60_000
    rig = await a_metered_rig(over_all(tokens=cap))
    for _ in range(40):
        point = Point(waits=True)
        rig.answerer.script = (point,)
        await rig.say(LONG)
        await wait_until(_asked_or_over(rig, point))

    used = [tokens(usage) for usage in most_of(rig)]
    assert await rig.reasons() == ["bot_paused"]
    assert cap <= sum(used) <= cap + max(used)


async def test_a_cap_over_all_is_one_alarm_until_there_is_something_left_again(logged):
    alarms = RecordingCircuits()
    rig = await a_metered_rig(over_all(turns=1), alarms)
    rig.ledger.used_elsewhere(at_ms=rig.clock.now_ms())
    for _ in range(3):
        await rig.ask()
        await rig.return_to_bot()

    assert alarms.seen == [("opened", "daily_caps", "limit_reached")]
    assert [line["cap"] for line in logged if line["event"] == "cap_reached"] == [
        "1 turns in a day over all conversations"
    ]
    rig.clock.advance(DAY_MS + 1)
    assert isinstance((await rig.ask()).outcome, Answer)
    assert alarms.seen[1:] == [("closed", "daily_caps")]


async def test_the_cap_of_one_conversation_is_no_alarm():
    alarms = RecordingCircuits()
    rig = await a_metered_rig(Caps(conversation=Allowance(turns=1)), alarms)
    await rig.ask()

    assert reason_of(await rig.ask()) is ReasonCode.BOT_PAUSED
    assert alarms.seen == []


async def test_a_ledger_that_cannot_be_written_asks_nobody_and_leaves_the_turn_to_the_sweep():
    rig = await a_metered_rig(over_all(turns=9))
    rig.ledger.at_spend.fails = StoreUnavailable("disk full")

    await rig.say()
    await rig.idle()

    assert (rig.answerer.requests, await rig.turn_records()) == ([], ())
    assert (await rig.state()).owes_a_turn


@pytest.mark.parametrize("earlier", [0, 8])
async def test_a_model_is_never_given_more_than_the_input_may_have(earlier):
    rig = await a_metered_rig(Caps())
    for _ in range(earlier):
        await rig.ask(LONG)

    await rig.ask(LONG[:4_000])

    request = rig.answerer.requests[-1]
    assert input_tokens(request) <= 8_000
    assert request.question == LONG[:4_000].strip()
