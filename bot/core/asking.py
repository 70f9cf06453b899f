"""What a turn reads when nobody received its messages: golden conversations, an exported one, a question that is only tried."""

from collections.abc import Sequence

from bot.core.conversation import Channel, Conversation, ConversationId, Message, Role
from bot.core.turn import TurnStart


def question_after(history: Sequence[Message], text: str, *, locale: str) -> TurnStart:
    """Return the start of a turn on *text*, written after *history*."""
    asked = Message(seq=len(history) + 1, role=Role.CUSTOMER, text=text)
    return start_after("asked", (*history, asked), locale=locale)


def start_after(
    identity: str, messages: Sequence[Message], *, locale: str, unanswered: Sequence[Message] = ()
) -> TurnStart:
    """Return the start of the turn that is owed for *unanswered*, by default the last of *messages* alone."""
    last = messages[-1]
    owed = tuple(unanswered) or (last,)
    conversation = Conversation(
        id=ConversationId(identity),
        channel=Channel.TERMINAL,
        locale=locale,
        last_seq=last.seq,
        last_customer_seq=last.seq,
        answered_seq=owed[0].seq - 1,
    )
    return TurnStart(conversation=conversation, history=tuple(messages), unanswered=owed)


def unanswered_in(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return what the customer wrote after everybody else's last message."""
    others = [message.seq for message in messages if message.role is not Role.CUSTOMER]
    last = max(others, default=0)
    return tuple(message for message in messages if message.seq > last)
