"""A conversation written out as plain text for its customer to keep: who said what and when, and no more than they saw. Pure."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from bot.core.conversation import AgentId, Kind, Message, Role, customer_visible
from bot.core.replies import Replies
from bot.core.revisions import revised

_INDENT = "    "  # so that no text can pass for the line that says who is speaking


def plain_transcript(
    messages: Iterable[Message], names: Mapping[AgentId, str], replies: Replies, locale: str
) -> str:
    """Return the customer-visible *messages* as text; times are UTC, the bot is called automated, agents by their display names."""
    written = [_entry(m, names, replies, locale) for m in revised(messages) if customer_visible(m)]
    return "\n\n".join([replies.text("transcript_head", locale), *written]) + "\n"


def _entry(message: Message, names: Mapping[AgentId, str], replies: Replies, locale: str) -> str:
    said = datetime.fromtimestamp(message.at_ms / 1000, UTC)
    head = f"{said:%Y-%m-%d %H:%M} · {_speaker(message, names, replies, locale)}"
    lines = [*_said(message, replies, locale).splitlines(), *_below(message, replies, locale)]
    return "\n".join([head, *(f"{_INDENT}{line}".rstrip() for line in lines)])


def _speaker(message: Message, names: Mapping[AgentId, str], replies: Replies, locale: str) -> str:
    if message.role is Role.AGENT:
        name = names.get(message.author) if message.author else None
        return " ".join(name.split()) if name else replies.text("transcript_agent", locale)
    return replies.text(f"transcript_{message.role}", locale)


def _said(message: Message, replies: Replies, locale: str) -> str:
    if message.verdict is not None:
        return replies.text("transcript_helped" if message.verdict else "transcript_not_helped", locale)
    if message.kind is Kind.FILE:
        return replies.text("transcript_file", locale, name=message.text)
    return message.text


def _below(message: Message, replies: Replies, locale: str) -> Iterable[str]:
    """Return the lines below a text: replies to tap, articles, and that it was cut off."""
    yield from (f"[ {option} ]" for option in message.options)
    for source in message.sources:
        is_address = source.url.startswith(("https://", "http://"))
        yield f"→ {source.title} <{source.url}>" if is_address else f"→ {source.title}"
    if message.interrupted:
        yield replies.text("interrupted", locale)
