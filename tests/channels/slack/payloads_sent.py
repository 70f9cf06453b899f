"""What Slack sends, as small as it may be: builders with defaults for everything."""

from typing import Any

Sent = dict[str, Any]

TEAM, CHANNEL, USER = "T1", "C1", "U1"


def an_event(event: Sent | None = None, *, event_id: str = "Ev1", **more: Any) -> Sent:
    """Return an event with its envelope."""
    inner = a_message() if event is None else event
    return {"type": "event_callback", "team_id": TEAM, "event_id": event_id, "event": inner, **more}


def a_message(*, ts: str = "1.1", text: str = "Hello", **more: Any) -> Sent:
    """Return what tells that somebody wrote."""
    said = {"type": "message", "channel": CHANNEL, "user": USER, "text": text, "ts": ts, "event_ts": ts}
    return {**said, **more}


def an_edit(*, ts: str = "1.1", event_ts: str = "2.1", edited: str | None = "2.0", **message: Any) -> Sent:
    """Return what tells that a message is another now; without *edited* nobody edited it."""
    now = {"ts": ts, "text": "Hello!", **({"edited": {"ts": edited}} if edited else {}), **message}
    return a_message(ts=event_ts, subtype="message_changed", message=now, previous_message={"ts": ts})


def a_deletion(*, ts: str = "1.1", event_ts: str = "2.1") -> Sent:
    """Return what tells that a message is gone."""
    return a_message(
        ts=event_ts, subtype="message_deleted", deleted_ts=ts, previous_message={"ts": ts, "text": "Hello"}
    )


def a_press(action_id: str = "candor_claim", *, action_ts: str = "3.1", user: str = USER) -> Sent:
    """Return the press of a button."""
    return {
        "type": "block_actions",
        "team": {"id": TEAM},
        "user": {"id": user, "team_id": TEAM},
        "trigger_id": "1.2.3",
        "actions": [{"action_id": action_id, "action_ts": action_ts, "value": "{}"}],
    }


def a_submission(*, view: str = "V1", hash: str = "h1") -> Sent:
    """Return a form that was sent."""
    return {
        "type": "view_submission",
        "team": {"id": TEAM},
        "user": {"id": USER},
        "view": {"id": view, "type": "modal", "hash": hash, "callback_id": "candor_reply_modal"},
    }
