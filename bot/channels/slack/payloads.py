"""What a message event of Slack says to a customers' listener: something said, edited or deleted, or nothing of ours. Pure.

Only people are heard: no bot, no workflow, and of the subtypes only those under which a person writes (FAULTS SL5, SL6).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.channels.slack.mrkdwn import from_mrkdwn
from bot.channels.slack.writers import message_id
from bot.core.attachments import cleaned_file_name
from bot.core.slack_rows import Place
from bot.errors import InputRejected

Payload = Mapping[str, object]

SPOKEN = ("", "file_share", "thread_broadcast")  # the subtypes under which a person writes
SLACKBOT = "USLACKBOT"
NAMELESS = "file"
MOST_FILES = 20
_MENTION = re.compile(r" ?<@([A-Z0-9]+)(?:\|[^>]*)?>")
_LEADING = " \t\n,:;"  # what stands between the bot's name and what it is asked
_TS = re.compile(r"\d{1,20}\.\d{1,20}")


class Why(StrEnum):
    """Why an event says nothing to us."""

    FROM_A_BOT = "from_a_bot"
    SUBTYPE = "subtype"
    UNCHANGED = "unchanged"
    MALFORMED = "malformed"


class Naming(StrEnum):
    """Whom a message names."""

    BOT = "bot"
    OTHERS = "others"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A message by a person: where, by whom, and whom it names. In a direct one only the bot can be meant."""

    place: Place
    user: str
    ts: str
    is_direct: bool = False
    naming: Naming = Naming.NOBODY

    @property
    def message_id(self) -> str:
        """Return what makes a repeat recognisable."""
        return message_id(self.place, self.ts, self.user)

    @property
    def files_id(self) -> str:
        """Return the same of the files beside its words."""
        return message_id(self.place, f"{self.ts}:files", self.user)

    @property
    def looked_at(self) -> Place:
        """Return where its author sees what only they are told: in a thread of one message Slack shows nobody anything."""
        return replace(self.place, thread_ts="") if self.is_root else self.place

    @property
    def is_root(self) -> bool:
        """Whether a thread in a channel begins with it."""
        return self.ts == self.place.thread_ts


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A new message: plain text without the bot's name, and the names of what is attached."""

    at: Spot
    text: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A message that says something else now; `revision` tells its edits apart and sorts them by age.

    `earlier` is the edit before this one, which may come later: without it, one back to the first text would seem to change nothing.
    """

    at: Spot
    text: str
    revision: str
    files: tuple[str, ...] = ()
    earlier: "Edited | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message that is gone; `files` are the names of what was attached to its words."""

    at: Spot
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """An event that means nothing to a conversation."""

    why: Why


Heard = Said | Edited | Deleted
Event = Heard | Ignored


def channel_of(body: Payload) -> str:
    """Return the channel of an event; empty when it has none."""
    return _text(_table(body.get("event")), "channel")


def to_event(body: Payload, *, bot_user: str) -> Event:
    """Return what a `message` or `app_mention` event says; *bot_user* is the bot's own user id."""
    event = _table(body.get("event"))
    team = _text(body, "team_id") or _text(body, "enterprise_id")  # an organisation's app may have no team
    if not team or not channel_of(body):
        return Ignored(why=Why.MALFORMED)
    reading = _Reading(team=team, bot_user=bot_user, event=event)
    match event.get("subtype"):
        case "message_changed":
            return reading.changed()
        case "message_deleted":
            return reading.deleted(_table(event.get("previous_message")))
        case _:
            return reading.said()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    team: str
    bot_user: str
    event: Payload

    def said(self) -> Event:
        message = self.event
        if (why := _why_not(message)) is not None:
            return Ignored(why=why)
        return Said(at=self._spot(message), text=self._words(message), files=_files(message))

    def changed(self) -> Event:
        message, previous = _table(self.event.get("message")), _table(self.event.get("previous_message"))
        if _text(message, "subtype") == "tombstone":  # how a message goes whose thread stays
            return self.deleted(previous)
        if (why := _why_not(message)) is not None:
            return Ignored(why=why)
        if self._is_unchanged(message, previous):
            return Ignored(why=Why.UNCHANGED)
        at, text, files = self._spot(message, before=previous), self._words(message), _files(message)
        if not text:
            return Deleted(at=at)  # its words are gone, whatever is still attached
        revision = _edited_ts(message) or _text(self.event, "event_ts")
        earlier = self._edit_before(at, message, previous)
        return Edited(at=at, text=text, revision=revision, files=files, earlier=earlier)

    def _edit_before(self, at: Spot, message: Payload, previous: Payload) -> Edited | None:
        """Return the edit that *previous* is; None when it is the first version, or when only one of the two was for the bot."""
        text, revision = self._words(previous), _edited_ts(previous)
        if not text or not revision or self._named(previous) is not self._named(message):
            return None
        return Edited(at=at, text=text, revision=revision, files=_files(previous))

    def deleted(self, message: Payload) -> Event:
        if (why := _why_not(message)) is not None:
            return Ignored(why=why)
        return Deleted(at=self._spot(message), files=_files(message) if self._words(message) else ())

    def _is_unchanged(self, message: Payload, previous: Payload) -> bool:
        """An unfurled link or a reply in the thread changes a message too; without the old text only a person's edit counts."""
        if "text" in previous:
            named_alike = self._named(message) is self._named(previous)
            return named_alike and self._words(message) == self._words(previous)
        return "edited" not in message

    def _spot(self, message: Payload, *, before: Payload | None = None) -> Spot:
        channel, ts = _text(self.event, "channel"), _text(message, "ts")
        is_direct = self.event.get("channel_type") == "im" or channel.startswith("D")
        thread_ts = _text(message, "thread_ts")
        if is_direct:
            thread_ts = "" if thread_ts == ts else thread_ts
        versions = [message] if before is None or "text" not in before else [message, before]
        return Spot(
            place=Place(
                team=self.team, channel=channel, thread_ts=thread_ts if is_direct else thread_ts or ts
            ),
            user=_text(message, "user"),
            ts=ts,
            is_direct=is_direct,
            naming=_naming([self._named(version) for version in versions]),
        )

    def _named(self, message: Payload) -> Naming:
        named = _MENTION.findall(_text(message, "text"))
        if self.bot_user in named:
            return Naming.BOT
        return Naming.OTHERS if named else Naming.NOBODY

    def _words(self, message: Payload) -> str:
        raw = _text(message, "text")
        whole = raw.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        unnamed = _MENTION.sub(lambda found: "" if found[1] == self.bot_user else found[0], whole)
        begins_with_name = whole.lstrip().startswith(f"<@{self.bot_user}")
        return from_mrkdwn(unnamed.lstrip(_LEADING) if begins_with_name else unnamed, {}).strip()


def _naming(versions: list[Naming]) -> Naming:
    """An edited message means whom any version named; it is for others only when every version was."""
    if Naming.BOT in versions:
        return Naming.BOT
    return Naming.OTHERS if set(versions) == {Naming.OTHERS} else Naming.NOBODY


def _why_not(message: Payload) -> Why | None:
    """Return why a message is none of a person's; None when it is one."""
    user = _text(message, "user")
    if message.get("bot_id") or message.get("bot_profile") or user == SLACKBOT:
        return Why.FROM_A_BOT
    if (message.get("subtype") or "") not in SPOKEN:
        return Why.SUBTYPE
    return None if user and _TS.fullmatch(_text(message, "ts")) else Why.MALFORMED


def _edited_ts(message: Payload) -> str:
    return _text(_table(message.get("edited")), "ts")


def _files(message: Payload) -> tuple[str, ...]:
    """Return the names of what is attached: files, and messages that were passed on."""
    attached = [*_list(message.get("files")), *_list(message.get("attachments"))]
    return tuple(_file_name(_text(_table(one), "name")) for one in attached[:MOST_FILES])


def _file_name(raw: str) -> str:
    try:
        return cleaned_file_name(raw)
    except InputRejected:
        return NAMELESS


def _table(raw: object) -> Payload:
    return raw if isinstance(raw, dict) else {}


def _list(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else []


def _text(table: Payload, name: str) -> str:
    value = table.get(name)
    return value if isinstance(value, str) else ""
