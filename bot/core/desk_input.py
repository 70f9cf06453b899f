"""Whether what an agent sends can be kept: texts, marks, receivers, and repeats of what is stored already. Pure."""

from bot.core.accounts import Agent
from bot.core.conversation import Message, Role
from bot.core.desk import Mark, MarkKind
from bot.core.inbound import clean_text
from bot.errors import InputRejected, MessageConflict


def required_text(raw: str, *, field: str = "text") -> str:
    """Return *raw* as storable text, bounded like a customer's; InputRejected when nothing is left of it."""
    text = clean_text(raw, field=field)
    if not text:
        raise InputRejected(field, "is empty", "write something")
    return text


def require_same_text(stored: str, sent: str, *, message_id: str) -> None:
    """Raise MessageConflict unless what is stored under an id is what was sent with it."""
    if stored != sent:
        raise MessageConflict(f"message {message_id} came before with another text")


def require_markable(mark: Mark, message: Message | None) -> None:
    """Raise InputRejected unless *mark* is about its whole conversation, or of a wrong answer about *message*, one of the bot's."""
    if mark.kind is MarkKind.KNOWLEDGE_GAP and mark.seq:
        raise InputRejected(
            "seq", "names a message", "mark a knowledge gap on the whole conversation, with 0"
        )
    if mark.kind is MarkKind.WRONG_ANSWER and (message is None or message.role is not Role.BOT):
        raise InputRejected("seq", "names no message of the bot", "mark one of the bot's messages")


def require_receiver(agent: Agent | None) -> None:
    """Raise InputRejected unless *agent* can be given a conversation."""
    if agent is None or agent.disabled_ms is not None or not agent.answers_customers:
        raise InputRejected("to", "is nobody who answers customers", "choose another agent")
