"""What planning and wording use is held against the caps of a day, as drafts are."""

import pytest

from bot.core.caps import Allowance, Caps, Tariff
from bot.core.outcome import Answer, Handoff, ReasonCode
from bot.core.truth import is_truthful
from bot.errors import ModelUnavailable, NotAsked, StoreUnavailable
from tests.service.records_rig import BROKEN, COUNT, HOW_MANY, RecordsRig, a_records_rig
from tests.service.rig import REPLIES
from tests.service.stand_ins import Point

ONE_A_DAY = Caps(overall=Allowance(turns=1))
TARIFF = Tariff(input_usd=1.0, output_usd=5.0, output_tokens=600)


async def priced(*plans, **fields) -> RecordsRig:
    """Return a rig whose calls cost something, so that they are counted."""
    records = await a_records_rig(*plans, caps=Caps(overall=Allowance(tokens=1_000_000)), **fields)
    records.rig.turns.metering.tariff = TARIFF
    return records


async def spent(records: RecordsRig):
    return await records.rig.ledger.spent(records.rig.conversation, since_ms=0)


async def test_a_cap_that_is_reached_meanwhile_leaves_no_plan_to_make():
    records = await a_records_rig(caps=ONE_A_DAY)
    records.entrance.meanwhile = lambda: records.rig.ledger.used_elsewhere(at_ms=records.rig.clock.now_ms())

    turn = await records.rig.ask(HOW_MANY)

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is ReasonCode.RECORDS_UNAVAILABLE
    assert turn.outcome.detail == "1 turns in a day over all conversations"
    assert is_truthful(turn)
    assert records.planner.plans == []


async def test_the_ledger_has_what_all_calls_of_a_turn_used_together():
    records = await priced(BROKEN, COUNT)

    turn = await records.rig.ask(HOW_MANY)

    assert turn.usage is not None
    used = (await spent(records)).conversation
    assert used.tokens == turn.usage.input_tokens + turn.usage.output_tokens == 330


async def test_a_call_that_fails_stays_counted_with_the_most_that_it_could_use():
    records = await priced(ModelUnavailable("cut off"))

    turn = await records.rig.ask(HOW_MANY)

    assert turn.usage is not None
    assert turn.usage.output_tokens == TARIFF.output_tokens
    assert (await spent(records)).conversation.tokens > 2_000


async def test_a_call_that_was_not_made_is_not_counted():
    records = await priced(NotAsked("left alone"))

    turn = await records.rig.ask(HOW_MANY)

    assert turn.usage is None
    assert (await spent(records)).conversation.tokens == 0


@pytest.mark.parametrize(
    "failure", [ModelUnavailable("overloaded"), NotAsked("left alone")], ids=["fails", "left alone"]
)
async def test_a_ledger_keeps_the_plan_when_the_words_are_not_made(failure):
    records = await priced(COUNT)
    records.planner.words = failure

    turn = await records.rig.ask(HOW_MANY)

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text.startswith(REPLIES.text("records_found", "en"))
    assert (await spent(records)).conversation.tokens >= 110


async def test_a_ledger_that_is_down_is_no_answer_that_nothing_exists():
    records = await priced(COUNT)
    records.rig.ledger.at_spend = Point(fails=StoreUnavailable("down"))

    turn = await records.rig.ask(HOW_MANY)

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is ReasonCode.RECORDS_UNAVAILABLE
