"""Keeps what Slack sends before it is acknowledged, and works on it at least once: at once here, or later in any process.

Whoever works on it must make a repeat harmless: a process may die between the work and the note that it was done.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from bot.channels.slack.keys import Payload, action_id, inbox_row, kind_of, lane
from bot.channels.slack.lanes import Lanes
from bot.channels.slack.retrying import GiveUp, TryAgain, after_failure
from bot.core.duties import Duty
from bot.core.slack_rows import KEPT_MS, InboxRow
from bot.errors import ConversationChanged, InputRejected, OutsideFailure, Refused, StoreUnavailable
from bot.ports import Clock, Duties
from bot.service.background import Background
from bot.service.duties import EveryDuty
from bot.slack_ports import SlackInbox

log = structlog.get_logger()

KEEP_S = 2.0  # Slack waits three seconds for the acknowledgement
INLINE_S = 2.0  # what opens a form has three seconds from the press
WORK_S = 25.0  # less than the time for which a row belongs to who received it
EVERY_S = 2.0
AT_ONCE = 16  # rows that one round of the sweep takes
TIDIES_EVERY_MS = 60_000
DEAD_DAYS = 30  # what nobody revived so long, nobody waits for any more
DAY_MS = 24 * 3_600_000

Dispatch = Callable[[InboxRow], Awaitable[None]]


class InboxAlarms(Protocol):
    """Is told how much from Slack was given up; never raises and never waits."""

    def dead_letters(self, number: int) -> None:
        """Raise the alarm while there are any."""
        ...


@dataclass(slots=True, kw_only=True)
class Receiver:
    """The way from Slack to the listeners, which *dispatch* calls and which raise when they failed.

    Pressing one of the buttons *inline* opens a form, so its listener runs before the acknowledgement. A dead letter, whose words belong to
    a person, is kept for *dead_days*.
    """

    store: SlackInbox
    dispatch: Dispatch
    clock: Clock
    jitter: Callable[[], float]
    alarms: InboxAlarms
    inline: Collection[str] = frozenset()
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S
    keep_s: float = KEEP_S
    inline_s: float = INLINE_S
    work_s: float = WORK_S
    dead_days: int = DEAD_DAYS
    _background: Background = field(default_factory=Background)
    _lanes: Lanes = field(default_factory=Lanes)
    _busy: set[str] = field(default_factory=set)
    _tidied_ms: int = 0

    async def take(self, payload: Payload) -> None:
        """Keep what came in; once this returns it may be acknowledged, and not before.

        InputRejected when it is nothing that Slack sends, StoreUnavailable when it could not be kept.
        """
        kind = kind_of(payload)
        if kind is None:
            log.info("slack_sent_something_else")
            return
        row = inbox_row(kind, payload, now_ms=self.clock.now_ms())
        if row is None:
            raise InputRejected("body", "lacks the ids of what Slack sends", "send what Slack documents")
        if not await self._kept(row):
            log.info("slack_repeated_itself", kind=row.kind)
            return
        if action_id(payload) in self.inline:
            await self._work(row, limit_s=self.inline_s)
        else:
            self._start(row)

    async def run_forever(self) -> None:
        """Work on what was left, until cancelled; what is under way then goes on."""
        while True:
            await self.take_due()
            await asyncio.sleep(self.every_s)

    async def take_due(self) -> int:
        """Start what is due and nobody here works on, and return how much that was; a failing store is asked at the next round."""
        # What ends while the store is read is still in what was read.
        busy = set(self._busy)
        try:
            due = await self._due(self.clock.now_ms(), limit=AT_ONCE + len(busy))
        except Exception:
            log.exception("slack_inbox_not_read")
            return 0
        left = [row for row in due if row.key not in busy | self._busy][:AT_ONCE]
        for row in left:
            self._start(row)
        return len(left)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is worked on."""
        return self._background.is_idle

    async def drain(self, *, grace_s: float) -> None:
        """Let what is under way end for *grace_s* seconds; the next process does the rest."""
        await self._background.drain(grace_s=grace_s)

    async def _kept(self, row: InboxRow) -> bool:
        try:
            async with asyncio.timeout(self.keep_s):
                return await self.store.keep(row)
        except TimeoutError as exc:
            raise StoreUnavailable("the inbox took too long") from exc

    async def _due(self, now_ms: int, *, limit: int) -> tuple[InboxRow, ...]:
        if not await self.duties.mine(Duty.INBOX):
            return ()
        if now_ms - self._tidied_ms >= TIDIES_EVERY_MS:
            await self.store.forget_done(received_before_ms=now_ms - KEPT_MS)
            await self._end_old_letters(now_ms)
            await self._count_dead_letters()
            self._tidied_ms = now_ms
        return await self.store.inbox_due(now_ms=now_ms, limit=limit)

    async def _end_old_letters(self, now_ms: int) -> None:
        for row in await self.store.dead_letters():
            if now_ms - row.received_ms > self.dead_days * DAY_MS:
                await self.store.done(row.key, at_ms=now_ms)
                log.error("slack_dead_letter_ended", key=row.key, kind=row.kind, error=row.error)

    async def _count_dead_letters(self) -> None:
        self.alarms.dead_letters(len(await self.store.dead_letters()))

    def _start(self, row: InboxRow) -> None:
        self._busy.add(row.key)
        self._background.start(self._work_in_lane(row), name=f"slack:{row.key}")

    async def _work_in_lane(self, row: InboxRow) -> None:
        async with self._lanes.turn(lane(row)):
            await self._work(row, limit_s=self.work_s)

    async def _work(self, row: InboxRow, *, limit_s: float) -> None:
        """Call the listener and note what came of it. Never raises but when it is cancelled: the row is then due by itself."""
        self._busy.add(row.key)
        try:
            failure = await self._failure(row, limit_s)
            await self._note(row, failure)
        except Exception:  # it is worked on once more, which is harmless
            log.exception("slack_work_not_recorded", kind=row.kind)
        finally:
            self._busy.discard(row.key)

    async def _failure(self, row: InboxRow, limit_s: float) -> Exception | None:
        try:
            async with asyncio.timeout(limit_s):
                await self.dispatch(row)
        except ConversationChanged as raced:
            return raced
        except Refused as refused:  # it was understood and said no, which it would say again
            log.info("slack_refused", kind=row.kind, refusal=type(refused).__name__)
        except (OutsideFailure, TimeoutError) as outage:
            log.warning("slack_work_failed", **_about(row), error=type(outage).__name__, problem=str(outage))
            return outage
        except Exception as defect:  # it must not lose what came in
            log.exception("slack_listener_broke", **_about(row))
            return defect
        return None

    async def _note(self, row: InboxRow, failure: Exception | None) -> None:
        now_ms = self.clock.now_ms()
        if failure is None:
            await self.store.done(row.key, at_ms=now_ms)
            return
        error = type(failure).__name__
        match after_failure(row, failure, now_ms=now_ms, jitter=self.jitter()):
            case TryAgain(until_ms=until_ms):
                await self.store.postponed(row.key, until_ms=until_ms, error=error)
            case GiveUp():
                await self.store.died(row.key, at_ms=now_ms, error=error)
                log.error("slack_dead_letter", key=row.key, kind=row.kind, error=error)
                await self._count_dead_letters()


def _about(row: InboxRow) -> dict[str, object]:
    return {"key": row.key, "kind": row.kind, "attempt": row.attempts + 1}
