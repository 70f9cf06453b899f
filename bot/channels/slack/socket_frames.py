"""What Slack says over a socket. Pure."""

import json
from dataclasses import dataclass

from bot.channels.slack.keys import Payload


@dataclass(frozen=True, slots=True)
class Hello:
    """The socket is in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """The socket will be closed soon, or is one too many."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Something that would have come over HTTP, to be acknowledged under its id."""

    id: str
    payload: Payload


Said = Hello | Leave | Envelope


def to_said(text: str) -> Said | None:
    """Read a frame; None for one that means nothing here."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match frame:
        case {"type": "hello"}:
            return Hello()
        case {"type": "disconnect", **more}:
            return Leave(reason=str(more.get("reason", "")))
        case {"envelope_id": str(envelope), "payload": dict(payload)}:
            return Envelope(id=envelope, payload=payload)
        case _:
            return None
