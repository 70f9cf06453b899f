"""The agents' room: what is said in a conversation, and notes about it, in the thread of its card. Pure. Agents read English."""

from collections.abc import Iterable, Iterator

from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import bot_wrote, people_wrote, small
from bot.channels.slack.rendering import Piece, Rendered, packed
from bot.core.conversation import Kind, Message, Role
from bot.core.notes import BOT, SUMMARY, Note

COLLEAGUE = "A colleague"


def to_room(message: Message, *, customer: str, agent: str | None) -> tuple[Rendered, ...]:
    """Return a message for the agents; *customer* and *agent* are what the two are called."""
    who = {Role.CUSTOMER: customer, Role.BOT: "The bot", Role.AGENT: agent or COLLEAGUE}[message.role]
    return packed((small(f"*{inline(who)}* {_did(message)}"), *_content(message)))


def note_to_room(note: Note, *, author: str) -> tuple[Rendered, ...]:
    """Return an internal note for the agents, marked as what no customer sees."""
    is_summary = note.key is not None and note.key.startswith(SUMMARY)
    who = "The bot" if note.author == BOT else author
    what = "summed up" if is_summary else "noted"
    return packed(
        (small(f"*{inline(who)}* {what} (internal, the customer does not see it)"), *people_wrote(note.text))
    )


def _did(message: Message) -> str:
    if message.kind is Kind.TOMBSTONE:
        return "deleted a message"
    if message.verdict is not None:
        return "says that the answer helped" if message.verdict else "says that the answer did not help"
    if message.revises is not None:
        return "changed a message, which now says"
    if message.role is not Role.CUSTOMER:
        return "told the customer" if message.role is Role.BOT else "replied to the customer"
    return _CUSTOMER_DID.get(message.kind, "wrote")


def _content(message: Message) -> Iterable[Piece]:
    if message.kind is Kind.TOMBSTONE or message.verdict is not None:
        return ()
    return tuple(_text(message))


def _text(message: Message) -> Iterator[Piece]:
    yield from bot_wrote(message.text) if message.role is Role.BOT else people_wrote(message.text)
    if message.sources:
        yield small("Articles: " + " · ".join(inline(source.title) for source in message.sources))
    if message.options:
        yield small("Offered: " + " · ".join(map(inline, message.options)))
    if message.interrupted:
        yield small("This answer was interrupted.")


_CUSTOMER_DID = {
    Kind.CATEGORY: "chose a topic",
    Kind.FILE: "sent a file",
    Kind.PERSON_REQUEST: "asked for a person",
    Kind.RETRY: "asked the bot to try again",
}
