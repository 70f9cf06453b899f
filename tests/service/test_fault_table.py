"""Every stage times every kind of failure: a committed handoff with that stage's reason, told in that reason's words."""

from dataclasses import replace

import pytest

from bot.core.conversation import Status
from bot.core.outcome import Handoff, ReasonCode
from bot.core.truth import is_truthful
from bot.core.turn import Stage
from tests.service.faults import FAULTS, Fault
from tests.service.rig import REPLIES, Rig, a_rig, reason_of

CASES = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


async def broken_rig(fault: Fault) -> Rig:
    rig = await a_rig(policy=fault.policy, rules=fault.rules, caps=fault.caps)
    for text, kind in fault.before:
        await rig.ask(text, kind=kind)
    fault.breaks(rig)
    return rig


@CASES
async def test_the_turn_ends_in_the_reason_of_what_broke(fault: Fault):
    rig = await broken_rig(fault)

    turn = await rig.ask(fault.says, kind=fault.kind)

    assert reason_of(turn) is fault.reason, turn.stages
    assert await rig.reasons() == [fault.reason]
    assert (await rig.state()).status is Status.QUEUED
    assert (await rig.turn_records())[len(fault.before) :] == (turn,)


@CASES
async def test_the_customer_is_told_the_sentence_of_that_reason_last_and_once(fault: Fault):
    rig = await broken_rig(fault)

    await rig.ask(fault.says, kind=fault.kind)

    *before, said = await rig.told()
    assert said.text == REPLIES.handoff(fault.reason, "en")
    assert (said.refusal, said.reason) == (True, fault.reason)
    assert all(m.interrupted for m in before)


@CASES
async def test_its_record_is_truthful_for_this_reason_and_for_no_other(fault: Fault):
    rig = await broken_rig(fault)

    turn = await rig.ask(fault.says, kind=fault.kind)

    truthful = [r for r in ReasonCode if is_truthful(replace(turn, outcome=Handoff(reason=r)))]
    assert truthful == [fault.reason]
    assert rig.observer.settled[len(fault.before) :] == [(turn, True)]


def test_the_table_has_every_reason_and_every_stage():
    stages = {name.partition(":")[0] for name in FAULTS}

    assert {fault.reason for fault in FAULTS.values()} == set(ReasonCode)
    elsewhere = {"rerank"}  # its outages end no turn: test_reranking
    assert {str(s) for s in Stage} - stages - elsewhere == {"evidence_gate", "answer_gate"}  # "gate", "draft"
