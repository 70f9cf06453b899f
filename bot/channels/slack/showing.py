"""Tells Slack of a conversation: brings both of its sides up to date with what the store says, however much of that was told before.

Whatever was posted when a process died is not posted again, so each row of the outbox may be told any number of times.
"""

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from bot.channels.slack.lanes import Lanes
from bot.channels.slack.seen import Seeing, Seen
from bot.channels.slack.showing_customer import CustomerShowing
from bot.channels.slack.showing_desk import DeskShowing
from bot.channels.slack.speaking import Speaking
from bot.core.conversation import ConversationId
from bot.core.outbox import OutboxRow
from bot.core.slack_rows import Side, SlackThread
from bot.errors import ConversationUnknown, NotDelivered, OutsideFailure
from bot.slack_ports import SlackStore

log = structlog.get_logger()

FORGETTING_S = 60.0  # an erasure does not wait for Slack any longer


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackNotifier:
    """Both sides of every conversation in Slack; without *desk* agents have the console only."""

    seeing: Seeing
    store: SlackStore
    speaking: Speaking
    customers: CustomerShowing
    desk: DeskShowing | None
    forgetting_s: float = FORGETTING_S
    _lanes: Lanes = field(default_factory=Lanes)

    async def tell(self, row: OutboxRow) -> None:
        """Bring the conversation up to date; OutsideFailure when that has to be tried again."""
        async with self._lanes.turn(row.conversation):
            with suppress(ConversationUnknown):  # it was erased
                await self._tell(row)

    async def forget(self, conversation: ConversationId) -> None:
        """Take back what was posted of a conversation that is about to be erased, as far as Slack allows; never raises."""
        async with self._lanes.turn(conversation):
            try:
                async with asyncio.timeout(self.forgetting_s):
                    left = await self._taken_back(conversation)
            except (OutsideFailure, TimeoutError) as failure:
                log.warning("slack_posts_left", conversation=conversation, error=type(failure).__name__)
                return
        if left:
            log.warning("slack_posts_left", conversation=conversation, posts=left)

    async def _tell(self, row: OutboxRow) -> None:
        threads = await self.store.threads_of(row.conversation)
        if self.desk is None and not threads:
            return
        seen = await self.seeing.seen(row.conversation, threads)
        sides = tuple(self._sides(threads, seen, row))
        # Both at once, so that trouble on one side keeps nothing from the other.
        ends = await asyncio.gather(*sides, return_exceptions=True)
        failures = [end for end in ends if isinstance(end, BaseException)]
        if failures:
            raise min(failures, key=_urgency)

    def _sides(self, threads: Sequence[SlackThread], seen: Seen, row: OutboxRow) -> Iterator[Awaitable[None]]:
        for thread in threads:
            if thread.side is Side.CUSTOMER:
                yield self.customers.show(thread, seen)
        if self.desk is not None:
            yield self.desk.show(threads, seen, row)

    async def _taken_back(self, conversation: ConversationId) -> int:
        """Return how many posts stay."""
        left = 0
        for post in reversed(await self.store.posts_of(conversation)):
            try:
                await self.speaking.remove(post.key)
            except NotDelivered:
                left += 1
        return left


def _urgency(failure: BaseException) -> float:
    """Return after how many seconds what failed is worth another try; a defect comes first, so that somebody sees it."""
    return failure.wait_s if isinstance(failure, NotDelivered) else -1.0
