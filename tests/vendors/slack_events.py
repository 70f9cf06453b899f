"""The payloads that Slack sends to an app, as pure functions: events with their envelope, presses of buttons, submitted modals."""

from collections.abc import Mapping

from tests.vendors.local_server import Body
from tests.vendors.slack_workspace import APP, BOT_USER, TEAM, Channel

TOKEN = "of-old"  # noqa: S105 - Slack deprecated it, and sends it all the same


def envelope(event: Body, event_id: str, *, now_s: float, team: str = TEAM) -> Body:
    """Return *event* as the Events API sends it."""
    authorization = {
        "enterprise_id": None, "team_id": team, "user_id": BOT_USER, "is_bot": True,
        "is_enterprise_install": False,
    }  # fmt: skip
    return {
        "token": TOKEN, "team_id": team, "context_team_id": team, "context_enterprise_id": None,
        "api_app_id": APP, "event": event, "type": "event_callback", "event_id": event_id,
        "event_time": int(now_s), "authorizations": [authorization], "is_ext_shared_channel": False,
        "event_context": f"4-{event_id}",
    }  # fmt: skip


def message_event(channel: Channel, message: Body) -> Body:
    """Return what tells that *message* was posted."""
    return {**message, "channel": channel.id, "event_ts": message["ts"], "channel_type": channel.kind}


def mention_event(channel: Channel, message: Body) -> Body:
    """Return what tells that *message* mentions the app; it comes beside the message's own event."""
    said = {name: value for name, value in message.items() if name != "subtype"}
    return {**said, "type": "app_mention", "channel": channel.id, "event_ts": message["ts"]}


def changed_event(channel: Channel, message: Body, previous: Body, *, ts: str) -> Body:
    """Return what tells that a message is another now: edited, unfurled, or its thread grew."""
    return {
        "type": "message", "subtype": "message_changed", "message": dict(message),
        "previous_message": dict(previous), "channel": channel.id, "hidden": True, "ts": ts, "event_ts": ts,
        "channel_type": channel.kind,
    }  # fmt: skip


def deleted_event(channel: Channel, previous: Body, *, ts: str) -> Body:
    """Return what tells that a message is gone."""
    return {
        "type": "message", "subtype": "message_deleted", "previous_message": dict(previous),
        "channel": channel.id, "hidden": True, "deleted_ts": previous["ts"], "ts": ts, "event_ts": ts,
        "channel_type": channel.kind,
    }  # fmt: skip


def replied_event(channel: Channel, root: Body, *, ts: str) -> Body:
    """Return what tells that a thread grew."""
    return {
        "type": "message", "subtype": "message_replied", "message": dict(root), "channel": channel.id,
        "hidden": True, "ts": ts, "event_ts": ts, "channel_type": channel.kind,
    }  # fmt: skip


def opened_event(channel: Channel, user: str, beside: str, ts: str) -> Body:
    """Return what tells that a person opened the app's messages, and the channel that is seen beside them."""
    entity = {"type": "slack#/types/channel_id", "value": beside, "team_id": TEAM}
    return {
        "type": "app_home_opened", "user": user, "channel": channel.id, "tab": "messages", "event_ts": ts,
        "context": {"entities": [entity] if beside else []},
    }  # fmt: skip


def assistant_event(kind: str, channel: Channel, user: str, thread_ts: str, context: str, ts: str) -> Body:
    """Return what tells that a person opened the assistant, or looks at another channel beside it."""
    beside = {"channel_id": context, "team_id": TEAM, "enterprise_id": None} if context else {}
    thread = {"user_id": user, "context": beside, "channel_id": channel.id, "thread_ts": thread_ts}
    return {"type": kind, "assistant_thread": thread, "event_ts": ts}


def press(
    message: Body, channel: Channel, person: Body, action: Body, *, trigger: str, response_url: str
) -> Body:
    """Return the press of what *action* describes in *message*; a whisper's own text is not told."""
    container = {
        "type": "message", "message_ts": message["ts"], "channel_id": channel.id,
        "is_ephemeral": bool(message.get("is_ephemeral")),
        **({"thread_ts": message["thread_ts"]} if "thread_ts" in message else {}),
    }  # fmt: skip
    return {
        "type": "block_actions", **_interaction(person), "container": container, "trigger_id": trigger,
        "channel": {"id": channel.id, "name": channel.name if channel.kind != "im" else "directmessage"},
        **({} if container["is_ephemeral"] else {"message": dict(message)}), "state": {"values": {}},
        "response_url": response_url, "actions": [action],
    }  # fmt: skip


def submission(view: Body, person: Body, values: Mapping[str, Body], *, trigger: str) -> Body:
    """Return the submission of *view* with what was filled in."""
    filled = {**view, "state": {"values": dict(values)}}
    return {
        "type": "view_submission", **_interaction(person), "trigger_id": trigger, "view": filled,
        "response_urls": [],
    }  # fmt: skip


def closing(view: Body, person: Body) -> Body:
    """Return that *view* was closed without a submission."""
    return {"type": "view_closed", **_interaction(person), "view": view, "is_cleared": False}


def _interaction(person: Body) -> Body:
    user = {"id": person["id"], "username": person["name"], "name": person["name"], "team_id": TEAM}
    return {
        "user": user, "api_app_id": APP, "token": TOKEN, "team": {"id": TEAM, "domain": "acme"},
        "enterprise": None, "is_enterprise_install": False,
    }  # fmt: skip
