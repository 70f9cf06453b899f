"""What makes something that Slack sent one and the same however often it comes: the keys of its row in the inbox. Pure.

They are made of ids alone; whatever has none of the form that Slack's have makes no row.
"""

import json
from collections.abc import Mapping

from bot.core.slack_rows import InboxKind, InboxRow

Payload = Mapping[str, object]

AT_ONCE_MS = 30_000  # for so long it belongs to the process that received it
LONGEST_ID = 255
KINDS: Mapping[object, InboxKind] = {
    "event_callback": InboxKind.EVENT,
    "block_actions": InboxKind.ACTION,
    "view_submission": InboxKind.VIEW,
}
_SAID = frozenset({None, "file_share", "thread_broadcast"})  # the subtypes of what a person says


def kind_of(payload: Payload) -> InboxKind | None:
    """Return what Slack sent; None for what nobody here listens to."""
    kind = payload.get("type")
    return KINDS.get(kind) if isinstance(kind, str) else None


def inbox_row(kind: InboxKind, payload: Payload, *, now_ms: int) -> InboxRow | None:
    """Return the row to keep; None when the payload lacks what would tell it from others."""
    key = _KEYS[kind](payload)
    text = _text(payload)
    if key is None or text is None:
        return None
    return InboxRow(
        key=key,
        kind=kind,
        payload=text,
        received_ms=now_ms,
        due_ms=now_ms + AT_ONCE_MS,
        effect=_effect(payload) if kind is InboxKind.EVENT else None,
    )


def action_id(payload: Payload) -> str:
    """Return which button was pressed; empty when none was."""
    return _id(_first_action(payload).get("action_id"))


def lane(row: InboxRow) -> str:
    """Return what a row has in common with those that are worked on before and after it, in the order in which they came.

    That is its thread, or the whole of a direct message; a button is worked on by itself.
    """
    event = _inner(payload_of(row), "event")
    channel = _id(event.get("channel"))
    if row.kind is not InboxKind.EVENT or not channel:
        return row.key
    if channel.startswith("D"):
        return channel
    about = _inner(event, "message") or _inner(event, "previous_message") or event
    return f"{channel}:{_id(about.get('thread_ts')) or _id(about.get('ts'))}"


def payload_of(row: InboxRow) -> dict[str, object]:
    """Return what a row keeps; nothing when it cannot be read any more."""
    try:
        kept = json.loads(row.payload)
    except (ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _event_key(payload: Payload) -> str | None:
    return _joined(_team(payload), payload.get("event_id"))


def _action_key(payload: Payload) -> str | None:
    action, user = _first_action(payload), _inner(payload, "user").get("id")
    return _joined("action", _team(payload), user, action.get("action_ts"), action.get("action_id"))


def _view_key(payload: Payload) -> str | None:
    view = _inner(payload, "view")
    return _joined("view", _team(payload), view.get("id"), view.get("hash"))


_KEYS = {InboxKind.EVENT: _event_key, InboxKind.ACTION: _action_key, InboxKind.VIEW: _view_key}


def _effect(payload: Payload) -> str | None:
    """Return what the event is about: a mention comes as two events, and each of them more than once."""
    event, team = _inner(payload, "event"), _team(payload)
    kind, subtype, channel = event.get("type"), event.get("subtype"), event.get("channel")
    if kind == "message" and subtype == "message_changed":
        return _change(team, channel, event)
    if kind == "message" and subtype == "message_deleted":
        previous = _inner(event, "previous_message")
        return _joined(team, channel, _id(event.get("deleted_ts")) or previous.get("ts"), "delete")
    if kind == "app_mention" or (kind == "message" and _is_said(subtype)):
        return _joined(team, channel, event.get("ts"))
    return None


def _change(team: object, channel: object, event: Payload) -> str | None:
    message = _inner(event, "message")
    ts = _id(message.get("ts")) or _inner(event, "previous_message").get("ts")
    if message.get("subtype") == "tombstone":  # how a message goes whose thread stays
        return _joined(team, channel, ts, "delete")
    edited = _inner(message, "edited").get("ts")
    return _joined(team, channel, ts, "edit", _id(edited) or event.get("event_ts"))


def _is_said(subtype: object) -> bool:
    return subtype is None or (isinstance(subtype, str) and subtype in _SAID)


def _team(payload: Payload) -> str:
    """An app of a whole enterprise is told of things that belong to no team of it."""
    team = payload.get("team_id") or _inner(payload, "team").get("id")
    enterprise = payload.get("enterprise_id") or _inner(payload, "enterprise").get("id")
    return _id(team) or _id(_inner(payload, "user").get("team_id")) or _id(enterprise)


def _first_action(payload: Payload) -> Payload:
    actions = payload.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else None
    return first if isinstance(first, dict) else {}


def _inner(payload: Payload, name: str) -> Payload:
    value = payload.get(name)
    return value if isinstance(value, dict) else {}


def _joined(*parts: object) -> str | None:
    ids = [_id(part) for part in parts]
    return ":".join(ids) if all(ids) else None


def _id(value: object) -> str:
    """Return an id, and nothing for what is none: it becomes part of a key, which each store must be able to hold."""
    is_one = isinstance(value, str) and value.isascii() and value.isprintable() and len(value) <= LONGEST_ID
    return str(value) if is_one else ""


def _text(payload: Payload) -> str | None:
    """Return the payload as text that each store can hold: half a character pair, which JSON allows, is none."""
    try:
        return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace").decode()
    except RecursionError:
        return None
