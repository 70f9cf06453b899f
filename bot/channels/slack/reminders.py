"""Reminds agents that a claim made in Slack is about to run out: once for each lease, to them alone, with buttons to keep or release it.

Where nothing beats as an open console does, only what its agent writes or presses keeps a claim alive.
"""

import asyncio
from dataclasses import dataclass, field

import structlog

from bot.channels.slack.actions import ButtonValue
from bot.channels.slack.cards import moment
from bot.channels.slack.desk_room import Whispers
from bot.channels.slack.hints import lease_ends
from bot.core.conversation import CLAIM_LEASE_MS, SLACK_LEASE_MS, SLACK_REMINDER_MS, Conversation
from bot.core.duties import Duty
from bot.core.slack_rows import Side, SlackPost, SlackThread
from bot.desk_ports import DeskStore
from bot.errors import ConversationUnknown
from bot.ports import Clock, Duties
from bot.service.duties import EveryDuty
from bot.slack_ports import SlackStore

log = structlog.get_logger()

EVERY_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminders:
    """Goes round the claims."""

    desk: DeskStore
    store: SlackStore
    whispers: Whispers
    clock: Clock
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S

    async def run_forever(self) -> None:
        """Go round until cancelled; a failing store is asked again at the next round."""
        while True:
            try:
                await self.remind()
            except Exception:  # whoever forgets a claim must be told in the end, whatever failed
                log.exception("reminding_failed")
            await asyncio.sleep(self.every_s)

    async def remind(self) -> int:
        """Remind everybody whose claim runs out soon, and return how many that were; StoreUnavailable."""
        if not await self.duties.mine(Duty.REMINDERS):
            return 0
        held = [row.conversation for row in await self.desk.queue()]
        due = [one for one in held if is_due(one, now_ms=self.clock.now_ms())]
        return sum([await self._remind(conversation) for conversation in due])

    async def _remind(self, conversation: Conversation) -> int:
        """One that was erased meanwhile must not keep the others from being told."""
        try:
            thread = await self._thread(conversation)
            return 0 if thread is None else await self._tell(conversation, thread)
        except ConversationUnknown:
            return 0

    async def _thread(self, conversation: Conversation) -> SlackThread | None:
        threads = await self.store.threads_of(conversation.id)
        return max((t for t in threads if t.side is Side.DESK), key=lambda t: t.spell, default=None)

    async def _tell(self, conversation: Conversation, thread: SlackThread) -> int:
        person = await self.store.person_of(conversation.agent) if conversation.agent else None
        until_ms = conversation.lease_until_ms
        if person is None or until_ms is None or not await self._is_first(conversation, thread):
            return 0
        value = ButtonValue(conversation=conversation.id, spell=thread.spell)
        await self.whispers.whisper(thread.place, person.user, lease_ends(value, until=moment(until_ms)))
        return 1

    async def _is_first(self, conversation: Conversation, thread: SlackThread) -> bool:
        """Note that a lease is reminded of; a process that dies right after that reminds of it never, rather than twice."""
        post = SlackPost(
            key=f"reminder:{conversation.id}:{conversation.lease_until_ms}",
            conversation=conversation.id,
            place=thread.place,
            begun_ms=self.clock.now_ms(),
        )
        return await self.store.begin_post(post) is post


def is_due(conversation: Conversation, *, now_ms: int) -> bool:
    """Whether a claim made in Slack ends soon; one that an open console keeps alive is always as near to its end as a short lease is long."""
    left_ms = (conversation.lease_until_ms or 0) - now_ms
    return CLAIM_LEASE_MS < left_ms <= SLACK_LEASE_MS - SLACK_REMINDER_MS
