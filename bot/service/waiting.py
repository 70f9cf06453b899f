"""Tells customers who wait for a person where they stand, and the desk when they have waited too long.

Every notice is written behind the fence of status and epoch, so that none follows a claim, and under an id of its wait, so that
neither a restart nor another process repeats it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from bot.core.audit import Change
from bot.core.business_hours import BusinessHours
from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, Status
from bot.core.replies import Replies
from bot.core.waiting import (
    MOST_WAITS,
    RECENT_MS,
    Notice,
    Situation,
    Wait,
    contact_in,
    expected_wait_ms,
    notice_due,
    notice_id,
    notice_text,
    untold,
)
from bot.desk_ports import DeskStore
from bot.errors import ConversationChanged, ConversationUnknown
from bot.ports import Clock, ConversationStore
from bot.service.background import Background
from bot.service.live import Changed, LiveHub

log = structlog.get_logger()

EVERY_S = 5.0
FRESH_MS = 15_000  # how long the median of recent waits is good for
WHO = "bot"

# What was last looked at: which wait, what was due in it, and the customer's newest message.
Looked = tuple[int | None, Notice | None, int]


@dataclass(slots=True, kw_only=True)
class Waiting:
    """Who waits, and what they are told. `hours` is None where agents are always there. Methods may raise StoreUnavailable."""

    store: ConversationStore
    desk: DeskStore
    clock: Clock
    live: LiveHub
    replies: Replies
    hours: BusinessHours | None = None
    every_s: float = EVERY_S
    _expected_ms: int | None = None
    _expected_at_ms: int | None = None
    _looked: dict[ConversationId, Looked] = field(default_factory=dict)
    _shown: Mapping[ConversationId, Wait] = field(default_factory=dict)
    background: Background = field(default_factory=Background)

    async def of(self, conversation: Conversation) -> Wait:
        """Return where the customer stands now."""
        return await self._stands(conversation, self.clock.now_ms())

    def handed_over(self, conversation: ConversationId) -> None:
        """Tell a customer who was just handed over, in the background, when nobody is there; returns at once and never raises."""
        if self._opens_ms(self.clock.now_ms()) is not None:
            self.background.start(self._tell_now(conversation), name=f"waiting:{conversation}")

    async def drain(self, *, grace_s: float) -> None:
        """Let what runs finish for *grace_s* seconds; the next process tells the rest."""
        await self.background.drain(grace_s=grace_s)

    async def tell_waiting(self) -> int:
        """Tell every queued customer what is due, and whoever watches where they stand now; return how many notices were written."""
        queued = [
            row.conversation for row in await self.desk.queue() if row.conversation.status is Status.QUEUED
        ]
        told = sum([await self._try(conversation) for conversation in queued])
        self._looked = {c.id: self._looked[c.id] for c in queued if c.id in self._looked}
        await self._show_moved(queued)
        return told

    async def run_forever(self) -> None:
        """Go round until cancelled; a failing store is tried again at the next round."""
        while True:
            try:
                await self.tell_waiting()
            except Exception:  # whoever waits must be told in the end, whatever failed
                log.exception("waiting_failed")
            await asyncio.sleep(self.every_s)

    async def _tell_now(self, conversation: ConversationId) -> None:
        try:
            await self._try(await self.store.conversation(conversation))
        except Exception:  # the next round tells it
            log.exception("waiting_failed", conversation=conversation)

    async def _try(self, conversation: Conversation) -> int:
        """One conversation that cannot be told must not keep the others waiting."""
        try:
            return await self._tell(conversation)
        except (ConversationChanged, ConversationUnknown):
            return 0  # claimed meanwhile: an agent speaks now; or erased
        except Exception:
            log.exception("telling_failed", conversation=conversation.id)
            return 0

    async def _tell(self, conversation: Conversation) -> int:
        """Read the messages only when something is new: what is due, or what the customer wrote."""
        now_ms = self.clock.now_ms()
        due = notice_due(conversation, self.hours, now_ms=now_ms)
        looked = conversation.waiting_since_ms, due, conversation.last_customer_seq
        if conversation.status is not Status.QUEUED or self._looked.get(conversation.id) == looked:
            return 0
        messages = (await self.store.snapshot(conversation.id, after=0)).messages
        notices = untold(conversation, due, messages)
        for notice in notices:
            await self._write(conversation, notice, contact_in(messages), now_ms)
        self._looked[conversation.id] = looked
        return len(notices)

    async def _write(
        self, conversation: Conversation, notice: Notice, contact: str | None, now_ms: int
    ) -> None:
        wait = await self._stands(conversation, now_ms)
        opens = None if self.hours is None or wait.opens_ms is None else self.hours.on_the_wall(wait.opens_ms)
        situation = Situation(wait=wait, opens=opens, contact=contact)
        said = Message(
            seq=0,
            role=Role.BOT,
            kind=Kind.NOTICE,
            text=notice_text(notice, situation, self.replies, conversation.locale),
            at_ms=now_ms,
            channel_message_id=notice_id(conversation, notice),
        )
        change = Change(who=WHO, what="notice", at_ms=now_ms, messages=(said,))
        await self.store.change(conversation, conversation, change)
        self.live.publish(conversation.id, Changed())
        if notice is Notice.LATE:
            log.warning("nobody_has_claimed", conversation=conversation.id)

    async def _show_moved(self, queued: Sequence[Conversation]) -> None:
        """Wake whoever watches a conversation whose place, or whose hours, are no longer those of the last round."""
        now_ms = self.clock.now_ms()
        expected_ms = await self._expected(now_ms)
        stands = {c.id: self._wait(place, expected_ms, now_ms) for place, c in enumerate(queued, start=1)}
        for conversation, wait in stands.items():
            if self._shown.get(conversation, wait) != wait:
                self.live.publish(conversation, Changed())
        self._shown = stands

    async def _stands(self, conversation: Conversation, now_ms: int) -> Wait:
        if conversation.status is not Status.QUEUED:
            return self._wait(None, None, now_ms)
        position = await self.desk.position(conversation.id)
        return self._wait(position, await self._expected(now_ms), now_ms)

    def _wait(self, position: int | None, expected_ms: int | None, now_ms: int) -> Wait:
        opens_ms = self._opens_ms(now_ms)
        return Wait(position=position, expected_ms=expected_ms, open_now=opens_ms is None, opens_ms=opens_ms)

    def _opens_ms(self, now_ms: int) -> int | None:
        if self.hours is None or self.hours.is_open(now_ms):
            return None
        return self.hours.next_opening(now_ms)

    async def _expected(self, now_ms: int) -> int | None:
        if self._expected_at_ms is None or now_ms - self._expected_at_ms >= FRESH_MS:
            recent = await self.desk.recent_waits(since_ms=now_ms - RECENT_MS, limit=MOST_WAITS)
            self._expected_ms, self._expected_at_ms = expected_wait_ms(recent), now_ms
        return self._expected_ms
