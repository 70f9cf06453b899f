"""What a Slack workspace holds: people, channels, messages with their threads, whispers, modals. Time and numbers are its own.

Messages are kept as Slack's API shows them. What happens is told to `happened`, as events of the Events API without their envelope.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from tests.vendors.local_server import Body

TEAM, APP, BOT, BOT_USER = "T0CANDOR", "A0CANDOR", "B0CANDOR", "U0CANDOR"
KINDS = {"C": "channel", "D": "im", "G": "group", "M": "mpim"}


class Refused(Exception):
    """What Slack answers with `ok: false`."""

    def __init__(self, code: str, **more: object) -> None:
        super().__init__(code)
        self.answer: Body = {"ok": False, "error": code, **more}


@dataclass(slots=True, kw_only=True)
class Channel:
    """A channel or a direct message; `kind` is Slack's `channel_type`."""

    id: str
    name: str
    kind: str
    members: list[str] = field(default_factory=list)
    archived: bool = False
    messages: dict[str, Body] = field(default_factory=dict)

    def thread(self, ts: str) -> list[Body]:
        """Return the message *ts* and what was said in its thread, oldest first."""
        return [m for m in self.in_order() if m["ts"] == ts or m.get("thread_ts") == ts]

    def in_order(self) -> list[Body]:
        return [self.messages[ts] for ts in sorted(self.messages)]

    def found(self, ts: object) -> Body:
        if not isinstance(ts, str) or ts not in self.messages:
            raise Refused("message_not_found")
        return self.messages[ts]


@dataclass(slots=True, kw_only=True)
class Trigger:
    """What lets an app open a modal: once, within three seconds."""

    user: str
    made_s: float
    used: bool = False


@dataclass(slots=True, kw_only=True)
class Workspace:
    """One workspace with the app installed. Set `now` to move its time."""

    now: Callable[[], float] = time.time
    team: str = TEAM
    people: dict[str, Body] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    whispers: list[Body] = field(default_factory=list)
    views: dict[str, Body] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    viewers: dict[str, str] = field(default_factory=dict)
    streams: dict[str, float] = field(default_factory=dict)
    members_page: int = 100
    statuses: dict[tuple[str, str], str] = field(default_factory=dict)
    said_statuses: list[Body] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    prompts: list[Body] = field(default_factory=list)
    is_agent_view: bool = (
        True  # as every app made since July 2026; before, the assistant had threads of its own
    )
    tells_replies: bool = False  # whether a reply tells of the thread it grew, as a `message_replied`
    happened: Callable[[Body], None] = lambda event: None
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def new_id(self, prefix: str) -> str:
        return f"{prefix}{next(self.numbers):08d}"

    def new_ts(self) -> str:
        """Return a moment that no message has: the number makes it unique, as the microseconds do in Slack."""
        return f"{int(self.now())}.{next(self.numbers):06d}"

    def channel(self, channel: object) -> Channel:
        """Return the channel, or the direct message with a person when that person's id is given."""
        if isinstance(channel, str) and channel in self.people:
            return self.direct(channel)
        if not isinstance(channel, str) or channel not in self.channels:
            raise Refused("channel_not_found")
        return self.channels[channel]

    def direct(self, user: str) -> Channel:
        """Return the bot's direct message with *user*."""
        for channel in self.channels.values():
            if channel.kind == "im" and user in channel.members:
                return channel
        return self.add_channel(f"D{user[1:]}", members=(user,))

    def add_channel(self, channel: str, *, members: tuple[str, ...] = (), name: str = "") -> Channel:
        """Add a channel of the kind that its id tells, with the bot in it."""
        made = Channel(
            id=channel, name=name or channel.lower(), kind=KINDS[channel[0]], members=[BOT_USER, *members]
        )
        self.channels[channel] = made
        return made

    def add_person(self, user: str, **profile: object) -> Body:
        """Add a person; *profile* are fields of their profile, and `locale`, `deleted`, `is_bot` of themselves."""
        outside = {"locale": "en-US", "deleted": False, "is_bot": False}
        own = {name: profile.pop(name, usual) for name, usual in outside.items()}
        name = str(profile.get("real_name", user.lower()))
        told = {"real_name": name, "display_name": name, "email": f"{user.lower()}@acme.example", **profile}
        known = {
            "id": user, "team_id": self.team, "name": user.lower(), "real_name": name,
            "profile": {field: value for field, value in told.items() if value is not None}, **own,
        }  # fmt: skip
        self.people[user] = known
        return known

    def add_message(self, channel: Channel, message: Body) -> Body:
        """Keep *message* under a new moment, and count it in its thread."""
        kept = {"type": "message", **message, "ts": self.new_ts(), "team": self.team}
        channel.messages[kept["ts"]] = kept
        self._count(channel, kept)
        if "bot_id" in kept:
            self.statuses.pop((channel.id, kept.get("thread_ts", "")), None)  # a message ends the status
        return kept

    def _count(self, channel: Channel, reply: Body) -> None:
        root = channel.messages.get(reply.get("thread_ts", ""))
        if root is None or root is reply:
            return
        root.setdefault("thread_ts", root["ts"])
        root["reply_count"] = root.get("reply_count", 0) + 1
        root["latest_reply"] = reply["ts"]

    def new_trigger(self, user: str) -> str:
        trigger = self.new_id("1000.2000.")
        self.triggers[trigger] = Trigger(user=user, made_s=self.now())
        return trigger

    def take_trigger(self, trigger: object) -> Trigger:
        """Use a trigger up."""
        if not isinstance(trigger, str) or trigger not in self.triggers:
            raise Refused("invalid_trigger_id")
        known = self.triggers[trigger]
        if known.used:
            raise Refused("exchanged_trigger_id")
        if self.now() - known.made_s > 3:
            raise Refused("expired_trigger_id")
        known.used = True
        return known
