"""What the record of a conversation gains when a customer writes, a turn settles or a person moves it.

Pure, and the same for every store. Whether a write may happen at all is the store's own decision.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.core.conversation import Conversation, Message, Role, Status, TurnId
from bot.core.outcome import Handoff
from bot.core.turn import Turn
from bot.errors import ConversationChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDraft:
    """The blocks of one turn's unfinished answer that the customer was shown."""

    turn: TurnId
    blocks: tuple[str, ...]

    def interrupted(self, *, at_ms: int) -> Message:
        """Return the message that keeps in the transcript what the customer was shown."""
        text = "\n\n".join(self.blocks)
        return Message(seq=0, role=Role.BOT, text=text, at_ms=at_ms, interrupted=True, turn=self.turn)

    def outlives(self, turn: Turn) -> bool:
        """Whether *turn* leaves these blocks standing: it hands over, or another turn showed them before a crash."""
        return isinstance(turn.outcome, Handoff) or turn.id != self.turn


def numbered(messages: Iterable[Message], *, after: int) -> tuple[Message, ...]:
    """Give *messages* the seqs that follow *after*, without a gap."""
    return tuple(replace(m, seq=seq) for seq, m in enumerate(messages, start=after + 1))


def customer_wrote(conversation: Conversation, *, seq: int, at_ms: int) -> Conversation:
    """Return the state after a customer message; who waits for a person waits since the first such message."""
    since = conversation.waiting_since_ms
    if since is None and conversation.status in (Status.QUEUED, Status.CLAIMED):
        since = at_ms
    return replace(conversation, last_seq=seq, last_customer_seq=seq, waiting_since_ms=since)


def customer_deleted(conversation: Conversation, *, seq: int, is_owed: bool) -> Conversation:
    """Return the state after a customer deleted a message; without anything else that *is_owed* an answer nobody owes them one.

    Who is queued waits all the same: a person was asked for.
    """
    after = replace(conversation, last_seq=seq, last_customer_seq=seq)
    if is_owed:
        return after
    waits = conversation.status is Status.QUEUED
    since = conversation.waiting_since_ms if waits else None
    return replace(after, answered_seq=seq, waiting_since_ms=since)


def state_to_write(
    stored: Conversation, *, read: Conversation, moved: Conversation, at_ms: int
) -> Conversation:
    """Return *moved* with what the store alone knows, and what came between *read* and now.

    A customer message moves neither status nor epoch, so it may have come since; it is not lost, and it waits since *at_ms* when
    an agent answered the earlier ones.
    """
    return replace(
        moved,
        last_seq=stored.last_seq,
        last_customer_seq=stored.last_customer_seq,
        answered_seq=max(stored.answered_seq, moved.answered_seq),
        created_ms=stored.created_ms,
        channel=stored.channel,
        waiting_since_ms=_waiting_since_ms(stored, read=read, moved=moved, at_ms=at_ms),
    )


def _waiting_since_ms(
    stored: Conversation, *, read: Conversation, moved: Conversation, at_ms: int
) -> int | None:
    """Who is queued waits, in any case; who is claimed waits on as stored, but for a reply that answers all there is."""
    decided = moved.waiting_since_ms != read.waiting_since_ms
    if moved.status is Status.QUEUED and stored.waiting_since_ms is None:
        return moved.waiting_since_ms if decided else at_ms
    if moved.status is Status.CLAIMED and decided:
        answered_seq = max(stored.answered_seq, moved.answered_seq)
        return at_ms if stored.last_customer_seq > answered_seq else None
    return stored.waiting_since_ms if moved.status in (Status.QUEUED, Status.CLAIMED) else None


def require_seen(stored: Conversation, *, read: Conversation, moved: Conversation) -> None:
    """Raise ConversationChanged when a conversation would be resolved over a message that its agent had not read."""
    if moved.status is Status.RESOLVED and stored.last_customer_seq != read.last_customer_seq:
        raise ConversationChanged(f"the customer of {stored.id} wrote again before it was resolved")


def require_fitting(turn: Turn, moved: Conversation) -> None:
    """Raise ValueError when *moved* cannot be the state after *turn*: a defect of the caller."""
    hands_over = isinstance(turn.outcome, Handoff)
    expected = (
        turn.fence.conversation,
        turn.fence.last_customer_seq,
        Status.QUEUED if hands_over else Status.BOT,
        turn.fence.epoch + hands_over,
    )
    if (moved.id, moved.answered_seq, moved.status, moved.epoch) != expected:
        raise ValueError(
            f"turn {turn.id} cannot leave its conversation {moved.status} in epoch {moved.epoch}"
        )
