"""Who wins when bot, customer and agents act at once, on every conversation store."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.conversation import AgentId, Conversation, Status
from bot.core.outcome import ReasonCode
from bot.errors import ClaimRefused, ConversationChanged, MoveRefused
from tests.builders import NOON_MS, a_handoff, a_turn, an_answer


async def test_an_agents_claim_beats_a_late_draft(scene):
    """FAULTS H1, R-H1: no bot text after the claim."""
    await scene.customer_writes()
    start = await scene.turn_begins()
    taken = await scene.agent_takes_over()

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start)

    assert await scene.state() == taken
    assert await scene.texts() == ["How do I reschedule a class?"]


async def test_a_turn_is_refused_once_the_customer_wrote_again(scene):
    """R-H3: the old answer is dropped; the next turn covers both messages."""
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.customer_writes("two")

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start)

    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["one", "two"]


@pytest.mark.parametrize("outcome", [an_answer(), a_handoff()])
async def test_a_turn_is_committed_once(scene, outcome):
    await scene.customer_writes()
    start = await scene.turn_begins()
    await scene.bot_settles(start, outcome)
    written = await scene.texts()

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start, outcome)

    assert await scene.texts() == written
    assert len(await scene.store.turns(scene.id)) == 1


async def test_a_refused_commit_writes_nothing_at_all(scene):
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.customer_writes("two")
    before = (await scene.seen(), await scene.store.audit(scene.id))

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start, a_handoff())

    assert (await scene.seen(), await scene.store.audit(scene.id)) == before
    assert await scene.store.handoffs(scene.id) == await scene.store.outbox(limit=9) == ()


async def test_of_many_turns_over_one_message_one_is_written(scene):
    await scene.customer_writes()
    start = await scene.turn_begins()

    ends = await asyncio.gather(
        *(scene.bot_settles(start, turn=f"t{n}") for n in range(20)), return_exceptions=True
    )

    assert sum(not isinstance(end, ConversationChanged) for end in ends) == 1
    assert len((await scene.seen()).messages) == 2


async def test_of_two_turns_over_the_same_messages_the_later_to_speak_goes_on(scene):
    """R-D6: a process that starts resumes what another still runs; the customer sees one cut, not one at every block."""
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.bot_shows(start, "From the first.", turn="t1")
    await scene.bot_shows(start, "From the second.", turn="t2")

    with pytest.raises(ConversationChanged):
        await scene.bot_shows(start, "More from the first.", turn="t1")
    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start, turn="t1")
    await scene.bot_settles(start, turn="t2")

    assert await scene.texts() == ["one", "From the first.", "Open My Lessons."]


async def test_fifty_parallel_claims_have_one_winner(scene):
    """FAULTS H2."""
    await scene.bot_hands_over(a_handoff())

    ends = await asyncio.gather(
        *(scene.agent_claims(AgentId(f"agent {n}")) for n in range(50)), return_exceptions=True
    )

    won = [end for end in ends if isinstance(end, Conversation)]
    assert len(won) == 1
    assert await scene.state() == won[0]
    assert [row.who for row in await scene.store.audit(scene.id) if row.after == "claimed"] == [won[0].agent]


async def test_whatever_asks_for_a_handoff_opens_one(scene):
    """FAULTS H3, R-H4: bot, customer and rule ask together; there is one handoff and one thing to tell."""
    await scene.customer_writes()
    start = await scene.turn_begins()
    reasons = (ReasonCode.NO_EVIDENCE, ReasonCode.CUSTOMER_ASKED, ReasonCode.ESCALATION_RULE)

    await asyncio.gather(
        *(scene.bot_settles(start, a_handoff(reason), turn=reason) for reason in reasons),
        return_exceptions=True,
    )

    assert len(await scene.store.handoffs(scene.id)) == 1
    assert len(await scene.store.outbox(limit=9)) == 1
    assert (await scene.texts())[1:] == ["A person will help you."]


async def test_the_handoff_stays_open_while_claimed_and_closes_when_resolved(scene):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    assert (await scene.store.handoffs(scene.id))[0].closed_ms is None

    read = await scene.state()
    await scene.moves(read, read.resolved_by("anna", now_ms=NOON_MS + 5), at_ms=NOON_MS + 5)

    assert (await scene.store.handoffs(scene.id))[0].closed_ms == NOON_MS + 5


async def test_a_conversation_returned_to_the_bot_can_be_handed_over_again(scene):
    await scene.bot_hands_over(a_handoff(), turn="t1")
    await scene.agent_claims()
    await scene.agent_returns_to_bot()

    await scene.bot_hands_over(a_handoff(ReasonCode.CUSTOMER_ASKED), turn="t2")

    rows = await scene.store.handoffs(scene.id)
    assert [(row.turn, row.closed_ms is None) for row in rows] == [("t1", False), ("t2", True)]
    assert [row.reason for row in rows] == ["no_evidence", "customer_asked"]


async def test_a_message_during_a_return_to_the_bot_is_answered_by_the_bot(scene):
    """R-H9: exactly one party answers."""
    await scene.bot_hands_over(a_handoff())
    read = await scene.agent_claims()
    await scene.customer_writes("Are you there?")

    await scene.moves(read, read.returned_to_bot("anna", now_ms=NOON_MS))

    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["Are you there?"]


async def test_a_move_on_an_old_epoch_is_refused(scene):
    """FAULTS H6: the agent's claim ran out, and another has the conversation."""
    await scene.bot_hands_over(a_handoff())
    old = await scene.agent_claims()
    await scene.moves(old, old.released_by("anna", now_ms=NOON_MS))
    await scene.agent_claims(AgentId("ben"))

    with pytest.raises(ConversationChanged):
        await scene.moves(old, old.resolved_by("anna", now_ms=NOON_MS))

    assert (await scene.state()).agent == "ben"


async def test_a_message_while_queued_keeps_the_wait_clock(scene):
    handed_over = await scene.bot_hands_over(a_handoff())

    received = await scene.customer_writes("Hello?", at_ms=NOON_MS + 60_000)

    assert received.conversation.status is Status.QUEUED
    assert received.conversation.waiting_since_ms == handed_over.conversation.waiting_since_ms
    assert await scene.begun_turn() is None


async def test_a_message_to_an_agent_who_took_over_starts_the_wait_clock(scene):
    taken = await scene.agent_takes_over()
    await scene.customer_writes("one", at_ms=NOON_MS + 7)
    await scene.customer_writes("two", at_ms=NOON_MS + 8)

    assert taken.waiting_since_ms is None
    assert (await scene.state()).waiting_since_ms == NOON_MS + 7


async def test_a_renewed_claim_neither_loses_a_message_nor_fills_the_audit(scene):
    read = await scene.agent_takes_over()
    await scene.customer_writes("one", at_ms=NOON_MS + 7)
    rows = await scene.store.audit(scene.id)

    state = await scene.moves(read, replace(read, lease_until_ms=NOON_MS * 2), what="renewed")

    assert (state.lease_until_ms, state.waiting_since_ms) == (NOON_MS * 2, NOON_MS + 7)
    assert (state.last_seq, state.last_customer_seq) == (1, 1)
    assert await scene.store.audit(scene.id) == rows


async def test_a_take_over_that_was_read_before_an_answer_does_not_undo_it(scene):
    await scene.customer_writes("one")
    read = await scene.state()
    await scene.customer_writes("two")
    await scene.bot_settles(await scene.turn_begins())

    taken = await scene.moves(read, read.taken_over_by("anna", now_ms=NOON_MS))

    assert (taken.status, taken.answered_seq, taken.last_seq) == (Status.CLAIMED, 2, 3)


async def test_a_state_that_does_not_fit_the_outcome_is_a_defect(scene):
    await scene.customer_writes()
    start = await scene.turn_begins()

    with pytest.raises(ValueError, match="cannot leave"):
        await scene.store.commit_turn(a_turn(a_handoff(), on=start.conversation), [], start.conversation)


async def test_a_claim_of_what_nobody_queued_is_refused_before_the_store(scene):
    with pytest.raises(ClaimRefused):
        await scene.agent_claims()
    with pytest.raises(MoveRefused):
        await scene.agent_resolves()
