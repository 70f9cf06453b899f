"""What must hold of a conversation whatever was killed, stopped or raced (FAULTS H1-H10, W8)."""

from collections import Counter
from collections.abc import Sequence

from bot.core.conversation import ConversationId, Message, Role, Status
from bot.core.outcome import Handoff
from bot.core.truth import is_truthful
from bot.core.turn import Turn
from bot.ports import Snapshot
from tests.contract.scene import assert_rebuilds
from tests.faults.customers import Customer
from tests.faults.kept import Kept


async def assert_sound(kept: Kept, customer: Customer) -> tuple[Turn, ...]:
    """Check all that must hold of the customer's conversation, and return its turns."""
    async with kept.stored() as store:
        snapshot = await store.snapshot(customer.conversation, after=0)
        turns = await store.turns(customer.conversation)
        handoffs = await store.handoffs(customer.conversation)
        audit = await store.audit(customer.conversation)
    outbox = kept.announced()
    _assert_nothing_lost(snapshot, customer)
    _assert_one_outcome_each(snapshot, turns)
    queued = [row.epoch for row in audit if row.after == Status.QUEUED]
    assert [row.turn for row in handoffs] == [t.id for t in turns if isinstance(t.outcome, Handoff)]
    assert sum(row.closed_ms is None for row in handoffs) <= 1
    prefix = f"handoff:{customer.conversation}:"
    assert [key for key in outbox if key.startswith(prefix)] == [f"{prefix}{epoch}" for epoch in queued]
    assert_rebuilds(audit, snapshot.conversation)
    return turns


def _assert_nothing_lost(snapshot: Snapshot, customer: Customer) -> None:
    messages = snapshot.messages
    said = [m for m in messages if m.role is Role.CUSTOMER]
    assert [m.seq for m in messages] == list(range(1, snapshot.conversation.last_seq + 1))
    assert Counter(m.channel_message_id for m in said) == Counter(list(customer.sent))
    assert {m.channel_message_id: m.seq for m in said} == customer.acknowledged
    assert {m.channel_message_id: m.text for m in said} == customer.sent
    assert customer.seen == [(m.seq, m.text) for m in messages]


def _assert_one_outcome_each(snapshot: Snapshot, turns: Sequence[Turn]) -> None:
    """After a handoff messages wait for a person, and are nobody's turn."""
    state, messages = snapshot.conversation, snapshot.messages
    owed = [m.seq for m in messages if m.role is Role.CUSTOMER and m.seq <= state.answered_seq]
    assert not state.owes_a_turn
    assert sorted(seq for turn in turns for seq in turn.covers) == owed
    assert Counter(_answers(messages)) == Counter(turn.id for turn in turns)
    assert [turn.outcome for turn in turns if not is_truthful(turn)] == []


def _answers(messages: Sequence[Message]):
    return [m.turn for m in messages if m.turn is not None and not m.interrupted]


async def interruptions(kept: Kept, conversation: ConversationId) -> list[str]:
    """Return what the customer was shown of answers that were never finished."""
    async with kept.stored() as store:
        messages = (await store.snapshot(conversation, after=0)).messages
    return [m.text for m in messages if m.interrupted]


async def agents_said(kept: Kept, conversation: ConversationId) -> list[tuple[int, str]]:
    """Return what is stored of the agents' replies, with their places."""
    async with kept.stored() as store:
        messages = (await store.snapshot(conversation, after=0)).messages
    return [(message.seq, message.text) for message in messages if message.role is Role.AGENT]
