"""Shows agents in Slack what waits for them: one card for each spell, kept up to date, and in its thread what goes on."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from bot.channels.slack.card_facts import CardReading
from bot.channels.slack.cards import card
from bot.channels.slack.keys_of_posts import card_key, room_key
from bot.channels.slack.mending import Mending
from bot.channels.slack.outcomes import Ending, Unsaid
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.room_entries import Entry, Room, begun
from bot.channels.slack.seen import Seen
from bot.channels.slack.speaking import Speaking
from bot.core.outbox import OutboxRow
from bot.core.slack_rows import Place, Side, SlackPost, SlackThread
from bot.core.spells import Spell, spell_at, spells_of
from bot.ports import Clock
from bot.slack_ports import SlackStore


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskShowing:
    """The agents' side. *home* says where cards are posted: which workspace that is in, Slack has to say; NotDelivered while it does not."""

    speaking: Speaking
    store: SlackStore
    reading: CardReading
    clock: Clock
    home: Callable[[], Awaitable[Place]]

    async def show(self, threads: Iterable[SlackThread], seen: Seen, row: OutboxRow) -> None:
        """Bring cards and threads up to date; NotDelivered, StoreUnavailable.

        A card is posted for the spell that *row* was announced in, so that none comes of what was long over when Slack was set up.
        """
        rooms = {thread.spell: thread for thread in threads if thread.side is Side.DESK}
        spells = spells_of(seen.audit)
        told = spell_at(spells, epoch=row.epoch, at_ms=row.created_ms)
        for spell in spells:
            room = rooms.get(spell.epoch)
            may_differ = room is not None and (spell is spells[-1] or bool(seen.outdated))
            if spell is told or may_differ:
                await self._show(spell, room, seen)

    async def _show(self, spell: Spell, thread: SlackThread | None, seen: Seen) -> None:
        handoff = await self.reading.handoff(seen.conversation.id, spell)
        facts = await self.reading.facts(seen, spell, handoff)
        room = Room(seen=seen, spell=spell, facts=facts)
        thread = await self._carded(room, thread, begun(seen, spell, handoff))
        posts = await self.store.posts_of(room.conversation)
        await self._mend(room, posts)
        for entry in room.owed(thread, (post.key for post in posts if post.ts is not None)):
            await self._tell(entry, thread, room)
        await self.store.shown(thread, seq=room.last_seq())

    async def _carded(self, room: Room, thread: SlackThread | None, before: tuple[int, int]) -> SlackThread:
        """Let the card say how it stands, and return its thread; somebody who waits gets a new card when the old one was deleted."""
        key, shown = _card_key(room), card(room.facts, now_ms=self.clock.now_ms())
        if thread is not None:
            await self.speaking.change(key, shown)
            if room.spell.ended_ms is not None or await self.store.post(key) is not None:
                return thread
            before = (thread.shown_seq, thread.shown_note)
        thread = await self._opened(room, shown, before)
        # A process that died may have posted it before anything happened since.
        await self.speaking.change(key, shown)
        return thread

    async def _opened(self, room: Room, shown: Rendered, before: tuple[int, int]) -> SlackThread:
        """Post the card, whose thread is the agents' room from then on, for what follows the message and the note of *before*."""
        home = await self.home()
        ts = await self.speaking.say(_card_key(room), room.conversation, home, shown)
        return await self.store.bind(
            SlackThread(
                conversation=room.conversation,
                side=Side.DESK,
                place=replace(home, thread_ts=ts),
                spell=room.spell.epoch,
                shown_seq=before[0],
                shown_note=before[1],
            )
        )

    async def _mend(self, room: Room, posts: tuple[SlackPost, ...]) -> None:
        mending = Mending(speaking=self.speaking)
        stand = {message.seq: message for message in room.seen.messages}
        for seq in sorted(room.seen.outdated):
            key = room_key(room.conversation, seq)
            if seq in stand:
                await mending.changed(key, room.rendered(stand[seq]), posts)
            else:
                await mending.removed(key, posts)

    async def _tell(self, entry: Entry, thread: SlackThread, room: Room) -> None:
        try:
            for key, rendered in entry.posts:
                await self.speaking.say(
                    key, thread.conversation, thread.place, rendered, broadcast=entry.broadcast
                )
        except Unsaid as unsaid:
            if unsaid.failure.ending is not Ending.GONE:
                raise
            if room.spell.ended_ms is None:
                await self.store.drop_post(_card_key(room))  # so that the next attempt posts a new card
                raise
        if entry.seq or entry.note:
            await self.store.shown(thread, seq=entry.seq, note=entry.note)


def _card_key(room: Room) -> str:
    return card_key(room.conversation, room.spell.epoch)
