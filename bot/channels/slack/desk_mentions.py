"""The people whom an agent's message mentions: Slack sends their ids, and whoever reads it elsewhere needs their names. Pure."""

import re
from collections.abc import Mapping

Body = Mapping[str, object]

MOST_NAMED = 20  # people in one message whose names are looked up
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)>")
_PARTS = ("message", "previous_message")  # of an edit, which holds both versions


def mentioned(body: Body, *, bot_user: str) -> tuple[str, ...]:
    """Return the ids of the people whom an event's message mentions without a name, each once; the bot is none."""
    event = _table(body.get("event"))
    texts = [event.get("text"), *(_table(event.get(part)).get("text") for part in _PARTS)]
    found = dict.fromkeys(user for text in texts if isinstance(text, str) for user in _MENTION.findall(text))
    return tuple(user for user in found if user != bot_user)[:MOST_NAMED]


def with_names(body: Body, names: Mapping[str, str]) -> Body:
    """Return the event with the names beside the ids, as Slack itself used to send them."""
    event = _table(body.get("event"))
    parts = {part: _named(_table(event[part]), names) for part in _PARTS if part in event}
    return {**body, "event": {**_named(event, names), **parts}}


def _named(table: Body, names: Mapping[str, str]) -> Body:
    text = table.get("text")
    if not isinstance(text, str):
        return table
    return {**table, "text": _MENTION.sub(lambda found: _mention(found[1], names), text)}


def _mention(user: str, names: Mapping[str, str]) -> str:
    name = names.get(user, "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<@{user}|{name}>" if name else f"<@{user}>"


def _table(raw: object) -> Body:
    return raw if isinstance(raw, dict) else {}
