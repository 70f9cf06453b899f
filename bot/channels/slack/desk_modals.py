"""The forms of the desk: opened while Slack waits for the acknowledgement, because what opens them lives three seconds.

What is filled in comes through the inbox, after the form has closed: what became of it is told to its agent alone.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.channels.slack.actions import Action, ButtonValue, Callback
from bot.channels.slack.desk_presses import Press, Submission
from bot.channels.slack.desk_room import Actor, DeskRoom
from bot.channels.slack.desk_wording import KEPT_DRAFT, NO_FORM
from bot.channels.slack.hints import expired
from bot.channels.slack.modals import reply_form, resolve_form, resolved_as, written
from bot.channels.slack.outcomes import failure_of
from bot.channels.slack.rendering import Block
from bot.channels.wording import customer_name
from bot.core.conversation import SLACK_LEASE_MS, ConversationId, Kind, Role, Status
from bot.core.revisions import revised
from bot.core.slack_rows import Place
from bot.errors import ClaimLost, ConversationChanged, MoveRefused

log = structlog.get_logger()

INLINE = frozenset({Action.REPLY, Action.RESOLVE})  # the buttons that open a form
OPENED_BEFORE = "exchanged_trigger_id"  # the answer to an earlier try was lost

Make = Callable[[Actor, ButtonValue], Awaitable[Block]]
Take = Callable[[Actor, Submission], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskModals:
    """Opens forms and takes what was filled in. *channel* is the desk's; methods may raise StoreUnavailable and NotDelivered."""

    room: DeskRoom
    client: AsyncWebClient
    channel: str

    async def pressed(self, press: Press) -> None:
        """Open the form of the button for who has the conversation; all others are told who has it."""
        actor = await self.room.actor(press.place, press.user)
        if actor is None:
            return
        async with self.room.answering(actor):
            if not await self.room.is_current(press.value.conversation, press.value.spell):
                await self.room.show(actor, expired())
                return
            await self._require_holder(actor, press.value.conversation)
            form = await self._forms[press.action](actor, press.value)
            await self._open(actor, press.trigger, form)

    async def submitted(self, submission: Submission) -> None:
        """Do what the form says, once per form however often it is delivered."""
        place = Place(team=submission.team, channel=self.channel)
        actor = await self.room.actor(place, submission.user)
        if actor is None:
            return
        async with self.room.answering(actor):
            await self._takers[submission.callback](actor, submission)

    @property
    def _forms(self) -> Mapping[Action, Make]:
        return {Action.REPLY: self._reply_form, Action.RESOLVE: self._resolve_form}

    @property
    def _takers(self) -> Mapping[Callback, Take]:
        return {Callback.REPLY: self._reply, Callback.RESOLVE: self._resolve}

    async def _require_holder(self, actor: Actor, conversation: ConversationId) -> None:
        if not await self.room.agents.keep(conversation, actor.id, lease_ms=SLACK_LEASE_MS):
            raise await self.room.lost(conversation)

    async def _reply_form(self, actor: Actor, value: ButtonValue) -> Block:
        agents, conversation = self.room.agents, value.conversation
        return reply_form(
            await self._seen(value),
            customer=await self._customer(conversation),
            wrote=await self._wrote_last(conversation),
            text=await agents.desk.draft(conversation, actor.id),
        )

    async def _resolve_form(self, _actor: Actor, value: ButtonValue) -> Block:
        return resolve_form(await self._seen(value), customer=await self._customer(value.conversation))

    async def _reply(self, actor: Actor, submission: Submission) -> None:
        value, agents = submission.value, self.room.agents
        try:
            await agents.reply(
                value.conversation,
                actor.id,
                text=written(submission.values),
                message_id=f"view:{submission.team}:{submission.view}",
                seen=value.seq,
                lease_ms=SLACK_LEASE_MS,
            )
        except (MoveRefused, ConversationChanged) as refused:
            await self.room.tell(actor, f"{await self.room.in_words(refused, actor)} {KEPT_DRAFT}")

    async def _resolve(self, actor: Actor, submission: Submission) -> None:
        value, agents = submission.value, self.room.agents
        code = resolved_as(submission.values)
        try:
            await agents.resolve(value.conversation, actor.id, code, seen=value.seq)
        except ClaimLost:
            state = await agents.store.conversation(value.conversation)
            if state.status is not Status.RESOLVED:  # else it is done, by this form or another
                raise

    async def _open(self, actor: Actor, trigger: str, form: Block) -> None:
        try:
            await self.client.views_open(trigger_id=trigger, view=form)
        except Exception as error:  # noqa: BLE001 - the client raises more than its own errors (FAULTS §3.3)
            code = failure_of(error).code
            log.warning("slack_form_not_opened", error=code)
            if code != OPENED_BEFORE:
                await self.room.tell(actor, NO_FORM)

    async def _seen(self, value: ButtonValue) -> ButtonValue:
        """Return what the form carries: what it is about, and how far its agent has read when it opens."""
        thread = await self.room.thread_of(value.conversation)
        seen = thread.shown_seq if thread else 0
        return ButtonValue(conversation=value.conversation, spell=value.spell, seq=seen)

    async def _customer(self, conversation: ConversationId) -> str:
        profile = await self.room.agents.desk.profile(conversation)
        return customer_name(conversation, profile.customer)

    async def _wrote_last(self, conversation: ConversationId) -> str:
        messages = revised((await self.room.agents.store.snapshot(conversation, after=0)).messages)
        said = (m.text for m in reversed(messages) if m.role is Role.CUSTOMER and m.kind is Kind.TEXT)
        return next(said, "")
