"""What the thread of a card has yet to show: messages, notes and changes of owner since the spell began, in the order in which they happened. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from operator import attrgetter

from bot.channels.slack.cards import CardFacts, waiting_again
from bot.channels.slack.keys_of_posts import note_key, owner_key, room_key
from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import small
from bot.channels.slack.rendering import Rendered, packed
from bot.channels.slack.room import note_to_room, to_room
from bot.channels.slack.seen import Seen
from bot.channels.wording import agent_name, detail_in_words, what_in_words, who_in_words
from bot.core.audit import AuditRow
from bot.core.conversation import ConversationId, Message, Status
from bot.core.handoffs import HandoffRow
from bot.core.notes import SUMMARY, Note
from bot.core.slack_rows import Place, SlackThread
from bot.core.spells import Spell


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing to show: its posts by their keys, none for what the thread shows already, and up to where it is shown then."""

    at_ms: int
    posts: tuple[tuple[str, Rendered], ...] = ()
    seq: int = 0
    note: int = 0
    broadcast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One spell of a conversation as its card's thread has to show it."""

    seen: Seen
    spell: Spell
    facts: CardFacts

    @property
    def conversation(self) -> ConversationId:
        return self.seen.conversation.id

    def rendered(self, message: Message) -> tuple[Rendered, ...]:
        """Return a message as agents read it."""
        writer = self.seen.guests.get(message.seq, self.facts.customer)
        return to_room(message, customer=writer, agent=self.seen.name_of(message))

    def last_seq(self) -> int:
        """Return the newest message of the spell; what followed it is no part of the room."""
        within = (m.seq for m in self.seen.messages if self._is_within(m.at_ms))
        return self.seen.last_seq if self.spell.ended_ms is None else max(within, default=0)

    def owed(self, thread: SlackThread, told: Iterable[str]) -> tuple[Entry, ...]:
        """Return what *thread* does not show yet, oldest first; *told* are the keys of what is posted."""
        messages = self._messages(thread)
        notes = self._notes(thread)
        changes = self._changes(frozenset(told))
        return tuple(merge(messages, notes, changes, key=attrgetter("at_ms")))

    def _messages(self, thread: SlackThread) -> Iterator[Entry]:
        for message in self.seen.messages:
            if message.seq > thread.shown_seq and self._is_within(message.at_ms):
                key = room_key(self.conversation, message.seq)
                is_there = is_from(thread.place, message.channel_message_id)
                parts = () if is_there else self.rendered(message)
                yield Entry(at_ms=message.at_ms, posts=numbered(key, parts), seq=message.seq)

    def _notes(self, thread: SlackThread) -> Iterator[Entry]:
        for note in self.seen.notes:
            if note.seq > thread.shown_note and self._has_note(note):
                key = note_key(self.conversation, note.seq)
                author = agent_name(note.author, self.seen.names)
                is_there = is_from(thread.place, note.key) or is_summary(note)
                parts = () if is_there else note_to_room(note, author=author)
                yield Entry(at_ms=note.at_ms, posts=numbered(key, parts), note=note.seq)

    def _changes(self, told: frozenset[str]) -> Iterator[Entry]:
        for row in self.spell.changes[1:]:  # the first is the card itself
            key = owner_key(self.conversation, row.epoch)
            if key not in told:
                waits = row.after == Status.QUEUED
                shown = waiting_again(self.facts) if waits else owner_line(row, self.seen)
                yield Entry(at_ms=row.at_ms, posts=((key, shown),), broadcast=waits)

    def _is_within(self, at_ms: int) -> bool:
        return self.spell.ended_ms is None or at_ms <= self.spell.ended_ms

    def _has_note(self, note: Note) -> bool:
        """Notes that follow a spell belong to it, because an agent may think of something afterwards."""
        later = (row.at_ms for row in self.seen.audit if row.epoch > self.spell.changes[-1].epoch)
        ends_ms = min(later, default=None)
        return self.spell.ended_ms is None or ends_ms is None or note.at_ms < ends_ms


def begun(seen: Seen, spell: Spell, handoff: HandoffRow | None) -> tuple[int, int]:
    """Return the last message and the last note before a spell: what came until then stands on its card.

    The turn that handed over says which message was its last; only without one does the time decide.
    """
    by_turn = [m.seq for m in seen.messages if handoff is not None and m.turn == handoff.turn]
    by_time = [m.seq for m in seen.messages if m.at_ms <= spell.began_ms]
    notes = (note.seq for note in seen.notes if note.at_ms < spell.began_ms)
    return max(by_turn or by_time, default=0), max(notes, default=0)


def owner_line(row: AuditRow, seen: Seen) -> Rendered:
    """Return a change of owner as one line."""
    who, detail = who_in_words(row, seen.names), detail_in_words(row, seen.names)
    more = f": {inline(detail)}" if detail else ""
    return packed((small(f"*{inline(who)}* {inline(what_in_words(row))}{more}"),))[0]


def is_from(place: Place, written_as: str | None) -> bool:
    """Return whether something was written in the channel itself, where everybody has seen it."""
    return written_as is not None and f":slack:{place.team}:{place.channel}:" in written_as


def is_summary(note: Note) -> bool:
    """Return whether a note is a handoff's summary, which stands on the card."""
    return note.key is not None and note.key.startswith(SUMMARY)


def numbered(key: str, parts: Iterable[Rendered]) -> tuple[tuple[str, Rendered], ...]:
    """Return the posts that something in several parts is made of; *key* is the first one's."""
    stem = key.rpartition(":")[0]
    return tuple((f"{stem}:{at}", part) for at, part in enumerate(parts))
