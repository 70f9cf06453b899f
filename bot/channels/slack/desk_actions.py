"""The buttons of the desk that need no form: claim, give back, release, keep, and take over to send what was refused.

A card is never changed here: whatever shows the conversation learns of each change from the store.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.desk_presses import Press
from bot.channels.slack.desk_room import Actor, DeskRoom
from bot.channels.slack.desk_wording import CHANGED_SINCE, KEPT_ALIVE, KEPT_NOTE, SENT, TOO_LATE
from bot.channels.slack.hints import expired
from bot.core.conversation import SLACK_LEASE_MS, AgentId, ConversationId, Status
from bot.core.desk_moves import agents_key
from bot.core.notes import Note
from bot.core.revisions import revision_id
from bot.errors import ClaimLost, ClaimRefused, ConversationChanged, ConversationUnknown, MoveRefused

STALE_MS = 600_000  # what an outage held up so long, nobody expects any more

Handle = Callable[[Actor, ButtonValue], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskActions:
    """What a press does, once however often it is delivered. Methods may raise StoreUnavailable and NotDelivered."""

    room: DeskRoom

    async def pressed(self, press: Press) -> None:
        """Do what the button says; whoever may not do it, or is too late, is told so."""
        actor = await self.room.actor(press.place, press.user)
        if actor is None:
            return
        if self.room.agents.clock.now_ms() - press.at_ms > STALE_MS:
            await self.room.tell(actor, TOO_LATE)
            return
        async with self.room.answering(actor):
            await self._handlers[press.action](actor, press.value)

    @property
    def _handlers(self) -> Mapping[Action, Handle]:
        return {
            Action.CLAIM: self._on_card(self._claim),
            Action.RETURN: self._on_card(self._return),
            Action.RELEASE: self._on_card(self._release),
            Action.KEEP: self._on_card(self._keep),
            Action.TAKE_OVER: self._take_over,
        }

    def _on_card(self, handle: Handle) -> Handle:
        """Leave a card alone whose conversation has another by now, or is with people no longer."""

        async def current(actor: Actor, value: ButtonValue) -> None:
            if await self.room.is_current(value.conversation, value.spell):
                await handle(actor, value)
            else:
                await self.room.show(actor, expired())

        return current

    async def _claim(self, actor: Actor, value: ButtonValue) -> None:
        await self.room.agents.claim(value.conversation, actor.id, lease_ms=SLACK_LEASE_MS)

    async def _return(self, actor: Actor, value: ButtonValue) -> None:
        await self.room.agents.return_to_bot(value.conversation, actor.id)

    async def _release(self, actor: Actor, value: ButtonValue) -> None:
        try:
            await self.room.agents.release(value.conversation, actor.id)
        except ClaimLost:
            state = await self.room.agents.store.conversation(value.conversation)
            if state.status is not Status.QUEUED:  # else it is where the agent wants it
                raise

    async def _keep(self, actor: Actor, value: ButtonValue) -> None:
        agents = self.room.agents
        if not await agents.keep(value.conversation, actor.id, lease_ms=SLACK_LEASE_MS):
            raise await self.room.lost(value.conversation)
        await self.room.tell(actor, KEPT_ALIVE)

    async def _take_over(self, actor: Actor, value: ButtonValue) -> None:
        """Send exactly what was refused, under the id of the message that it was, if the conversation can be had."""
        agents, conversation = self.room.agents, value.conversation
        note = await self._refused(actor, value)
        if note is None or note.key is None:
            raise ConversationUnknown(conversation)
        if await self._was_changed(conversation, note.key):
            await self.room.tell(actor, CHANGED_SINCE)
            return
        try:
            await agents.claim(conversation, actor.id, lease_ms=SLACK_LEASE_MS)
            await self.room.send(actor, conversation, text=note.text, message_id=own_id(note.key, actor.id))
        except (MoveRefused, ClaimRefused, ConversationChanged) as refused:
            await self.room.tell(actor, f"{await self.room.in_words(refused, actor)} {KEPT_NOTE}")
        else:
            await self.room.tell(actor, SENT)

    async def _was_changed(self, conversation: ConversationId, key: str) -> bool:
        """Whether its author edited or deleted in Slack what was kept under *key*: the offer was for other words."""
        notes = await self.room.agents.store.notes(conversation)
        return any((note.key or "").startswith(revision_id(key, "")) for note in notes)

    async def _refused(self, actor: Actor, value: ButtonValue) -> Note | None:
        """Return the note that a refused reply was kept as; only its author may send it."""
        notes = await self.room.agents.store.notes(value.conversation)
        return next((note for note in notes if note.seq == value.seq and note.author == actor.id), None)


def own_id(key: str, agent: AgentId) -> str:
    """Return the id under which an agent sent what is stored under *key*."""
    return key.removeprefix(agents_key(agent, ""))
