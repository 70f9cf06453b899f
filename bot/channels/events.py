"""Messages and drafts as every browser of ours gets them. The bot's text is rendered, all other text stays text. Pure."""

from bot.channels.rendering import render, safe_url
from bot.core.conversation import Message, Role, Source
from bot.service.live import DraftShown, Step

Event = dict[str, object]


def to_message_event(message: Message) -> Event:
    """Translate one message, of which `core.revisions.without_old_texts` has left what may go out; only the customer's own ids do."""
    return {
        "type": "message",
        "seq": message.seq,
        "role": message.role,
        "automated": message.role is Role.BOT,
        "kind": message.kind,
        "text": message.text,
        "html": render(message.text) if message.role is Role.BOT else None,
        "at": message.at_ms,
        "sources": [_to_source(source) for source in message.sources],
        "options": list(message.options),
        "interrupted": message.interrupted,
        "reason": message.reason,
        "client_message_id": message.channel_message_id if message.role is Role.CUSTOMER else None,
        "revises": message.revises,
    }


def to_draft_event(shown: DraftShown) -> Event:
    return {"type": "draft", "turn": shown.turn, **to_block(shown.position, shown.text)}


def to_progress_event(step: Step) -> Event:
    return {"type": "progress", "step": step}


def to_block(position: int, text: str) -> Event:
    """Translate one block of the running answer."""
    return {"position": position, "text": text, "html": render(text)}


def _to_source(source: Source) -> Event:
    return {"id": source.id, "title": source.title, "url": safe_url(source.url)}
