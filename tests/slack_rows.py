"""What comes in from Slack and what is kept of it, made up: every field has a value, and a test names those that it is about."""

import json

from bot.core.conversation import AgentId
from bot.core.slack_rows import InboxKind, InboxRow, Place, Side, SlackPerson, SlackPost, SlackThread
from tests.builders import CONVERSATION, NOON_MS

TEAM, ROOM = "T1", "C1"


def a_place(**fields) -> Place:
    return Place(**{"team": TEAM, "channel": ROOM, "thread_ts": "1.000100", **fields})


def a_payload(place: Place, text: str = "hello", *, ts: str = "2.000100") -> str:
    """Return the event of a message in a thread, or in the channel itself."""
    event = {"type": "message", "channel": place.channel, "text": text, "ts": ts}
    if place.thread_ts:
        event["thread_ts"] = place.thread_ts
    return json.dumps({"team_id": place.team, "event": event})


def an_inbox_row(key: str = "T1:Ev1", **fields) -> InboxRow:
    given = {
        "kind": InboxKind.EVENT,
        "payload": a_payload(a_place()),
        "received_ms": NOON_MS,
        "due_ms": NOON_MS,
    }
    return InboxRow(key=key, **{**given, **fields})


def a_thread(**fields) -> SlackThread:
    given = {"conversation": CONVERSATION, "side": Side.CUSTOMER, "place": a_place(), "user": "UANA"}
    return SlackThread(**{**given, **fields})


def a_post(key: str = "m:c1:2:0", **fields) -> SlackPost:
    given = {"conversation": CONVERSATION, "place": a_place(), "begun_ms": NOON_MS}
    return SlackPost(key=key, **{**given, **fields})


def a_person(**fields) -> SlackPerson:
    return SlackPerson(**{"team": TEAM, "user": "UANNA", "agent": AgentId("anna"), **fields})
