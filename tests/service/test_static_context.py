"""General information, word for word, beside the handoff where the articles could not be searched, and nowhere else."""

import pytest

from bot.core.conversation import Kind
from bot.core.outcome import ReasonCode
from bot.core.policy import TurnPolicy
from tests.service.faults import FAULTS
from tests.service.rig import REPLIES, a_rig

OPENING_HOURS = "Lines are open **9 to 5**.\n\nWrite to help@example.org."
FAILED = (ReasonCode.RETRIEVAL_UNAVAILABLE, ReasonCode.INDEX_NOT_READY)
SOME_OF_EACH_REASON = {fault.reason: name for name, fault in FAULTS.items()}


@pytest.mark.parametrize("reason", FAILED, ids=str)
async def test_it_is_shown_verbatim_and_marked_before_the_handoff(reason):
    fault = FAULTS[SOME_OF_EACH_REASON[reason]]
    rig = await a_rig(static_context=OPENING_HOURS)
    fault.breaks(rig)

    await rig.ask(fault.says)

    general, handoff = await rig.told()
    assert general.text == f"{REPLIES.text('general_information', 'en')}\n\n{OPENING_HOURS}"
    assert (general.kind, general.refusal, general.reason) == (Kind.NOTICE, False, None)
    assert handoff.text == REPLIES.handoff(reason, "en")
    assert rig.answerer.requests == []


@pytest.mark.parametrize("reason", [r for r in ReasonCode if r not in FAILED], ids=str)
async def test_it_is_not_shown_for_any_other_reason(reason):
    fault = FAULTS[SOME_OF_EACH_REASON[reason]]
    rig = await a_rig(policy=fault.policy, rules=fault.rules, caps=fault.caps, static_context=OPENING_HOURS)
    fault.breaks(rig)

    await rig.ask(fault.says, kind=fault.kind)

    assert not any(OPENING_HOURS in m.text for m in await rig.told())


async def test_it_is_shown_beside_the_handoff_while_retrieval_is_switched_off():
    rig = await a_rig(policy=TurnPolicy(retrieval_enabled=False), static_context=OPENING_HOURS)

    await rig.ask()

    general, handoff = await rig.told()
    assert general.text == f"{REPLIES.text('general_information', 'en')}\n\n{OPENING_HOURS}"
    assert (handoff.reason, handoff.refusal) == (ReasonCode.BOT_PAUSED, True)
    assert (rig.answerer.requests, rig.embedder.embedded) == ([], [])


async def test_without_it_only_the_handoff_is_told():
    rig = await a_rig()
    rig.shelf.publish([])
    FAULTS["index: missing"].breaks(rig)

    await rig.ask()

    assert len(await rig.told()) == 1
