"""What must hold of a conversation whatever was killed, stopped or raced (FAULTS H1-H10, W8)."""

import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import ConversationId, Message, Role, Status
from bot.core.outcome import Handoff
from bot.core.truth import is_truthful
from bot.core.turn import Turn
from bot.ports import Snapshot
from tests.contract.scene import assert_rebuilds
from tests.faults.customers import Customer

DATABASE = "candor.db"


@contextmanager
def stored(data_dir: Path) -> Iterator[SqliteConversationStore]:
    """Open the store as one more process would, after a look at the file itself."""
    database = SqliteDatabase.open(data_dir / DATABASE)
    try:
        assert database.read_now(lambda c: c.execute("PRAGMA integrity_check").fetchall()[0][0]) == "ok"
        yield SqliteConversationStore(database)
    finally:
        database.close()


async def assert_sound(data_dir: Path, customer: Customer) -> tuple[Turn, ...]:
    """Check all that must hold of the customer's conversation, and return its turns."""
    with stored(data_dir) as store:
        snapshot = await store.snapshot(customer.conversation, after=0)
        turns = await store.turns(customer.conversation)
        handoffs = await store.handoffs(customer.conversation)
        audit = await store.audit(customer.conversation)
    outbox = _announced(data_dir)
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


def _announced(data_dir: Path) -> list[str]:
    """Return the keys of all that was ever to be told, delivered or not, in their order."""
    with closing(sqlite3.connect(data_dir / DATABASE)) as connection:
        return [key for (key,) in connection.execute("SELECT key FROM outbox ORDER BY number")]


def _answers(messages: Sequence[Message]):
    return [m.turn for m in messages if m.turn is not None and not m.interrupted]


def shown_at_death(data_dir: Path, conversation: ConversationId) -> tuple[str, ...]:
    """Return the blocks that a dead process had recorded; a copy is read, so that the file stays as death left it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(data_dir, Path(folder) / "copy")
        with closing(sqlite3.connect(copy / DATABASE)) as connection:
            rows = connection.execute(
                "SELECT text FROM draft_blocks WHERE conversation = ? ORDER BY position", (conversation,)
            ).fetchall()
    return tuple(text for (text,) in rows)


async def interruptions(data_dir: Path, conversation: ConversationId) -> list[str]:
    """Return what the customer was shown of answers that were never finished."""
    with stored(data_dir) as store:
        messages = (await store.snapshot(conversation, after=0)).messages
    return [m.text for m in messages if m.interrupted]
