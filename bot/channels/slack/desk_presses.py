"""A press of a button and a submitted form at the desk, read out of what Slack sends. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.channels.slack.actions import Action, ButtonValue, Callback, action_of
from bot.core.slack_rows import Place
from bot.errors import InputRejected

_TS = re.compile(r"\d{1,12}\.\d{1,12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """One press: who, where, when, which button, and what it is about. `trigger` opens a form for three seconds."""

    team: str
    user: str
    place: Place
    action: Action
    value: ButtonValue
    trigger: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One submitted form; `values` are what was filled in, as Slack sends it, `view` makes a repeat recognisable."""

    team: str
    user: str
    view: str
    callback: Callback
    value: ButtonValue
    values: Mapping[str, object]


def to_press(body: Mapping[str, object]) -> Press:
    """Read a `block_actions` payload; InputRejected for what is none, or no button of ours."""
    pressed = _first(body.get("actions"))
    action = action_of(_text(pressed, "action_id"))
    if action is None:
        raise InputRejected("actions", "holds no button of Candor's", "press another")
    user = _table(body, "user")
    return Press(
        team=_team(body, user),
        user=_required(user, "id"),
        place=_place(body, _team(body, user)),
        action=action,
        value=ButtonValue.from_value(_text(pressed, "value")),
        trigger=_text(body, "trigger_id"),
        at_ms=_moment(_text(pressed, "action_ts")),
    )


def to_submission(body: Mapping[str, object]) -> Submission:
    """Read a `view_submission` payload; InputRejected for what is none, or no form of ours."""
    view, user = _table(body, "view"), _table(body, "user")
    callback = _text(view, "callback_id")
    if callback not in set(Callback):
        raise InputRejected("callback_id", "is no form of Candor's", "open another")
    return Submission(
        team=_team(body, user),
        user=_required(user, "id"),
        view=_required(view, "id"),
        callback=Callback(callback),
        value=ButtonValue.from_value(_text(view, "private_metadata")),
        values=_table(_table(view, "state"), "values"),
    )


def _moment(ts: str) -> int:
    """Return what Slack's clock said, in milliseconds."""
    if not _TS.fullmatch(ts):
        raise InputRejected("action_ts", "is no moment", "send what Slack sends")
    return int(float(ts) * 1000)


def _place(body: Mapping[str, object], team: str) -> Place:
    """Return where whoever pressed looks: at the channel, unless the message stands in a thread.

    A whisper in the thread that a card begins is seen only by who has opened it.
    """
    container, message = _table(body, "container"), _table(body, "message")
    channel = _text(_table(body, "channel"), "id") or _text(container, "channel_id")
    ts = _text(message, "ts") or _text(container, "message_ts")
    thread_ts = _text(message, "thread_ts") or _text(container, "thread_ts")
    return Place(team=team, channel=channel, thread_ts="" if thread_ts == ts else thread_ts)


def _team(body: Mapping[str, object], user: Mapping[str, object]) -> str:
    return _text(_table(body, "team"), "id") or _required(user, "team_id")


def _first(raw: object) -> Mapping[str, object]:
    return raw[0] if isinstance(raw, list) and raw and isinstance(raw[0], dict) else {}


def _table(held: Mapping[str, object], name: str) -> Mapping[str, object]:
    raw = held.get(name)
    return raw if isinstance(raw, dict) else {}


def _text(held: Mapping[str, object], name: str) -> str:
    raw = held.get(name)
    return raw if isinstance(raw, str) else ""


def _required(held: Mapping[str, object], name: str) -> str:
    found = _text(held, name)
    if not found:
        raise InputRejected(name, "is missing", "send what Slack sends")
    return found
