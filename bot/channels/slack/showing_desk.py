"""Shows agents in Slack what waits for them: one card for each spell, kept up to date, and in its thread what goes on."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from bot.channels.slack.card_facts import CardReading
from bot.channels.slack.cards import card
from bot.channels.slack.keys_of_posts import card_key, room_key
from bot.channels.slack.mending import Mending
from bot.channels.slack.rendering import Rendered
from bot.channels.slack.room_entries import Entry, Room, begun
from bot.channels.slack.seen import Seen
from bot.channels.slack.speaking import Speaking
from bot.core.handoffs import HandoffRow
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
        shown = card(facts, now_ms=self.clock.now_ms())
        if thread is None:
            thread = await self._opened(spell, shown, seen, handoff)
        await self.speaking.change(card_key(seen.conversation.id, spell.epoch), shown)
        room = Room(seen=seen, spell=spell, facts=facts)
        posts = await self.store.posts_of(seen.conversation.id)
        await self._mend(room, posts)
        for entry in room.owed(thread, (post.key for post in posts if post.ts is not None)):
            await self._tell(entry, thread)
        await self.store.shown(thread, seq=room.last_seq())

    async def _opened(
        self, spell: Spell, shown: Rendered, seen: Seen, handoff: HandoffRow | None
    ) -> SlackThread:
        """Post the card, whose thread is the agents' room from then on."""
        conversation = seen.conversation.id
        home = await self.home()
        ts = await self.speaking.say(card_key(conversation, spell.epoch), conversation, home, shown)
        seq, note = begun(seen, spell, handoff)
        return await self.store.bind(
            SlackThread(
                conversation=conversation,
                side=Side.DESK,
                place=replace(home, thread_ts=ts),
                spell=spell.epoch,
                shown_seq=seq,
                shown_note=note,
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

    async def _tell(self, entry: Entry, thread: SlackThread) -> None:
        for key, rendered in entry.posts:
            await self.speaking.say(
                key, thread.conversation, thread.place, rendered, broadcast=entry.broadcast
            )
        if entry.seq or entry.note:
            await self.store.shown(thread, seq=entry.seq, note=entry.note)
