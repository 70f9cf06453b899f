"""What must hold of the one conversation after anything that happened to it (FAULTS H1-H4, H8-H10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.adapters.sqlite import conversation_reads as reads
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.audit import AuditRow, owner, rebuilt
from bot.core.conversation import Conversation, Kind, Message, Role, Status
from bot.core.handoffs import HandoffRow
from bot.core.outbox import Announcement
from bot.core.outcome import Handoff
from bot.core.revisions import current
from bot.core.turn import Turn
from bot.ports import ConversationStore
from tests.builders import CONVERSATION


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """All that is stored. `epoch_of` says of each seq who had the conversation after it was written: the announcements know."""

    state: Conversation
    messages: tuple[Message, ...]
    turns: tuple[Turn, ...]
    handoffs: tuple[HandoffRow, ...]
    audit: tuple[AuditRow, ...]
    epoch_of: Mapping[int, int]


@dataclass(slots=True)
class Diary:
    """What customer and agents know: the texts that they sent by id, and the seqs with which these were acknowledged."""

    sent: dict[str, str] = field(default_factory=dict)
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)


def sqlite_record(database: SqliteDatabase) -> Record:
    """Read everything in one transaction."""
    return database.read_now(
        lambda c: Record(
            state=reads.conversation_state(c, CONVERSATION),
            messages=reads.snapshot(c, CONVERSATION, 0).messages,
            turns=reads.turns(c, CONVERSATION),
            handoffs=reads.handoffs(c, CONVERSATION),
            audit=reads.audit(c, CONVERSATION),
            epoch_of=dict(
                tuple(row) for row in c.execute("SELECT seq, epoch FROM outbox WHERE seq NOT NULL")
            ),
        )
    )


async def record_of(store: ConversationStore) -> Record:
    """Read everything of a store whose announcements nobody has delivered."""
    rows = await store.outbox(limit=10_000)
    return Record(
        state=await store.conversation(CONVERSATION),
        messages=(await store.snapshot(CONVERSATION, after=0)).messages,
        turns=await store.turns(CONVERSATION),
        handoffs=await store.handoffs(CONVERSATION),
        audit=await store.audit(CONVERSATION),
        epoch_of={row.seq: row.epoch for row in rows if row.seq and row.kind is Announcement.MESSAGE},
    )


def assert_kept(record: Record, diary: Diary) -> None:
    """Check what must hold at any moment."""
    assert rebuilt(record.audit) == owner(record.state)  # H9
    assert [m.seq for m in record.messages] == list(range(1, record.state.last_seq + 1))
    _assert_nothing_lost_or_doubled(record, diary)
    _assert_who_spoke_had_it(record)
    _assert_one_answer_each(record)
    _assert_what_is_owed_stands(record)
    _assert_one_handoff_open(record)
    _assert_the_wait_is_counted(record.state)


def assert_at_rest(record: Record, told: list[str]) -> None:
    """Check what must hold once the sweep has looked and the outbox is empty: nobody waits without a person who knows of it (H4)."""
    state = record.state
    assert not state.owes_a_turn
    queued = {row.epoch for row in record.audit if row.after == Status.QUEUED}
    assert {key for key in told if key.startswith("handoff:")} == {
        f"handoff:{CONVERSATION}:{epoch}" for epoch in queued
    }


def _assert_nothing_lost_or_doubled(record: Record, diary: Diary) -> None:
    stored = {m.channel_message_id: m for m in record.messages if m.channel_message_id in diary.sent}
    assert len(stored) == sum(m.channel_message_id in diary.sent for m in record.messages)
    assert all(m.text == diary.sent[key] for key, m in stored.items())
    assert {key: stored[key].seq for key in diary.acknowledged} == diary.acknowledged
    assert diary.refused & stored.keys() == set()
    assert all(set(m.text.split("\n\n")) <= diary.shown for m in record.messages if m.interrupted)
    customers = {m.channel_message_id for m in record.messages if m.role is Role.CUSTOMER}
    assert customers <= diary.sent.keys()


def _assert_who_spoke_had_it(record: Record) -> None:
    """H1, H2, H8: of every epoch only its one owner speaks; a handoff's own words belong to the epoch that it begins."""
    owners = {row.epoch: (Status(row.after), row.agent) for row in record.audit}
    handoffs = {turn.id for turn in record.turns if isinstance(turn.outcome, Handoff)}
    for m in record.messages:
        status, agent = owners[record.epoch_of[m.seq]]
        if m.role is Role.AGENT:
            assert (status, agent) == (Status.CLAIMED, m.author)
        elif m.turn is not None and not m.interrupted:
            assert status is (Status.QUEUED if m.turn in handoffs else Status.BOT)
        elif m.role is Role.BOT and m.kind is Kind.NOTICE:
            assert status is not Status.CLAIMED


def _assert_one_answer_each(record: Record) -> None:
    """R-H2, R-H9: of every message there is at most one outcome, and of every outcome one message."""
    covered = [seq for turn in record.turns for seq in turn.covers]
    assert len(covered) == len(set(covered))
    assert all(seq <= record.state.answered_seq for seq in covered)
    spoken = [m.turn for m in record.messages if m.turn is not None and not m.interrupted]
    assert spoken == [turn.id for turn in record.turns]


def _assert_what_is_owed_stands(record: Record) -> None:
    """Nobody is owed an answer to what was deleted."""
    state = record.state
    asked = [m for m in record.messages if m.role is Role.CUSTOMER and m.seq > state.answered_seq]
    assert current(asked) or not state.owes_a_turn


def _assert_one_handoff_open(record: Record) -> None:
    """H3: one is open at most, and none once the bot has the conversation again or it is resolved."""
    open_now = [row for row in record.handoffs if row.closed_ms is None]
    assert len(open_now) <= (record.state.status in (Status.QUEUED, Status.CLAIMED))
    opened = [turn.id for turn in record.turns if isinstance(turn.outcome, Handoff)]
    assert [row.turn for row in record.handoffs] == opened


def _assert_the_wait_is_counted(state: Conversation) -> None:
    if state.status is Status.QUEUED:
        assert state.waiting_since_ms is not None
    if state.status in (Status.BOT, Status.RESOLVED):
        assert state.waiting_since_ms is None
    assert (state.agent is None) is (state.status is not Status.CLAIMED)
    assert state.answered_seq <= state.last_customer_seq <= state.last_seq
