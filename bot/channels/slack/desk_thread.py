"""What agents write in the thread of a card: a note, unless it begins with >> and its author has the conversation (FAULTS SL8).

Nothing that is typed is lost, and nothing is sent that was not marked so. An edit changes or takes back what was sent, and sends
nothing by itself.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot.channels.slack.actions import ButtonValue
from bot.channels.slack.desk_room import Actor, DeskRoom
from bot.channels.slack.desk_wording import NO_FILES, NO_TEXT, NOT_MARKED, SEND_ANEW, STILL_SENT
from bot.channels.slack.hints import closed, no_thread, not_yours, unknown_thread
from bot.channels.slack.payloads import Deleted, Edited, Heard, Naming, Said
from bot.core.conversation import SLACK_LEASE_MS, ConversationId, Status
from bot.core.desk_moves import agents_key
from bot.core.notes import Note
from bot.core.slack_rows import Place, Side
from bot.errors import ConversationChanged, MessageConflict, MoveRefused

CORRECTED = "Corrected: "
TAKEN_BACK = "The author has deleted this note in Slack: "
NEVER_READ = "A message here was deleted in Slack before it was read."
_FOR_CUSTOMER = re.compile(r"\s*>>(?!>)\s*")  # three are how Slack writes a quotation
_NEARLY = re.compile(
    r"[\s\u200b\ufeff*_~`]*(?:>[ \u00a0]*>(?!>)|\uff1e\s*\uff1e|\u00bb)"
)  # meant for the customer, perhaps


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskThread:
    """Listens in the desk's *channel*. Methods may raise StoreUnavailable and NotDelivered."""

    room: DeskRoom
    channel: str

    async def is_ours(self, heard: Heard) -> bool:
        """Whether this was written in the thread of a card, or was meant for one."""
        at = heard.at
        if at.place.channel != self.channel:
            return False
        if not at.is_root and await self._conversation(at.place) is not None:
            return True
        if at.naming is Naming.BOT or await self.room.places.thread(at.place, Side.CUSTOMER):
            return False
        return isinstance(heard, Said) and to_customer_text(heard.text) is not None

    async def heard(self, heard: Heard) -> None:
        """Keep or send what was written, edited or deleted; its author alone is told what did not go as they meant."""
        conversation = await self._conversation(heard.at.place)
        if conversation is None:
            hint = no_thread() if heard.at.is_root else unknown_thread()
            await self.room.whispers.whisper(heard.at.looked_at, heard.at.user, hint)
            return
        speaks = not isinstance(heard, Deleted) and to_customer_text(heard.text) is not None
        actor = await self.room.actor(heard.at.place, heard.at.user, speaks=speaks)
        if actor is None:
            return
        async with self.room.answering(actor):
            await self._take(_Written(room=self.room, conversation=conversation, actor=actor), heard)

    async def names(self, users: Iterable[str], *, team: str) -> Mapping[str, str]:
        """Return what people are called, of those whose names can be had."""
        names = [(user, await self.room.people.called(team=team, user=user)) for user in users]
        return {user: name for user, name in names if name}

    async def _take(self, written: "_Written", heard: Heard) -> None:
        match heard:
            case Said():
                await written.said(heard)
            case Edited():
                await written.edited(heard)
            case Deleted():
                await written.deleted(heard)

    async def _conversation(self, place: Place) -> ConversationId | None:
        """Return whose card a thread belongs to, also before the thread itself was kept."""
        places = self.room.places
        thread = await places.thread(place, Side.DESK)
        if thread is not None:
            return thread.conversation
        card = await places.post_at(place.channel, place.thread_ts)
        return card.conversation if card else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """One agent's message about one conversation."""

    room: DeskRoom
    conversation: ConversationId
    actor: Actor

    async def said(self, said: Said) -> None:
        text, note_id = to_customer_text(said.text), said.at.message_id
        with suppress(MessageConflict):  # a newer version of it came first
            if await self._note(f"{note_id}#deleted"):
                return
            if text is None:
                await self._add_note(_with_files(said.text, said.files), note_id)
                if _NEARLY.match(said.text):
                    await self.room.tell(self.actor, NOT_MARKED)
            elif text:
                await self._reply(text, said)
            else:
                await self.room.tell(self.actor, NO_TEXT)
        await self._keep()

    async def edited(self, edited: Edited) -> None:
        text, message_id = to_customer_text(edited.text), edited.at.message_id
        versions = [edited] if edited.earlier is None else [edited.earlier, edited]
        if await self._was_sent(message_id):
            await self._revise(versions)
        elif await self._note(message_id):
            for one in versions:
                await self._add_note(f"{CORRECTED}{one.text}", f"{message_id}#{one.revision}")
            if text is not None:
                await self.room.tell(self.actor, SEND_ANEW)
        else:
            await self.said(Said(at=edited.at, text=edited.text, files=edited.files))
            return
        await self._keep()

    async def deleted(self, deleted: Deleted) -> None:
        message_id = deleted.at.message_id
        if not await self._was_sent(message_id):
            note = await self._note(message_id)
            text = f"{TAKEN_BACK}{_begin(note.text)}" if note else NEVER_READ
            await self._add_note(text, f"{message_id}#deleted")
        else:
            await self.room.agents.revise(
                self.conversation, self.actor.id, message_id=message_id, text=None, revision="deleted"
            )
        await self._keep()

    async def _revise(self, versions: Sequence[Edited]) -> None:
        for edited in versions:
            if text := to_customer_text(edited.text):
                await self.room.agents.revise(
                    self.conversation,
                    self.actor.id,
                    message_id=edited.at.message_id,
                    text=text,
                    revision=edited.revision,
                )
        if not to_customer_text(versions[-1].text):
            await self.room.tell(self.actor, STILL_SENT)

    async def _reply(self, text: str, said: Said) -> None:
        """Send it, unless it was refused before: then only its author, who was told so, may still have it sent."""
        refused = await self._note(said.at.message_id)
        if refused is None:
            await self._send(text, said)
        elif not await self._was_sent(said.at.message_id):
            await self._offer(refused)

    async def _send(self, text: str, said: Said) -> None:
        message_id = said.at.message_id
        try:
            await self.room.send(self.actor, self.conversation, text=text, message_id=message_id)
        except (MoveRefused, ConversationChanged):
            await self._offer(await self._add_note(text, message_id))
            return
        if said.files:
            await self.room.tell(self.actor, NO_FILES)

    async def _offer(self, note: Note) -> None:
        """Say why a reply was kept as a note, and offer to send it where the conversation can be had."""
        state = await self.room.agents.store.conversation(self.conversation)
        if state.status is Status.RESOLVED:
            await self.room.show(self.actor, closed())
            return
        holder = await self.room.holder(state.agent, self.actor)
        value = ButtonValue(conversation=self.conversation, seq=note.seq)
        await self.room.show(self.actor, not_yours(holder, value))

    async def _keep(self) -> None:
        """Whatever its agent writes lets a claim live on."""
        await self.room.agents.keep(self.conversation, self.actor.id, lease_ms=SLACK_LEASE_MS)

    async def _add_note(self, text: str, note_id: str) -> Note:
        agents = self.room.agents
        return await agents.add_note(self.conversation, self.actor.id, text=text, message_id=note_id)

    async def _note(self, note_id: str) -> Note | None:
        key = agents_key(self.actor.id, note_id)
        notes = await self.room.agents.store.notes(self.conversation)
        return next((note for note in notes if note.key == key), None)

    async def _was_sent(self, message_id: str) -> bool:
        key = agents_key(self.actor.id, message_id)
        messages = (await self.room.agents.store.snapshot(self.conversation, after=0)).messages
        return any(message.channel_message_id == key for message in messages)


def to_customer_text(text: str) -> str | None:
    """Return what of an agent's message is for the customer; None when it is internal, which it is unless it begins with >>."""
    marker = _FOR_CUSTOMER.match(text)
    return text[marker.end() :].rstrip() if marker else None


def _with_files(text: str, files: Sequence[str]) -> str:
    return "\n".join(filter(None, (text, *(f"(file in Slack: {name})" for name in files))))


def _begin(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 200 else f"{line[:200]}…"
