"""Tells one notifier its outbox rows: several at once, of each conversation in order, each until it is delivered.

A row that fails is postponed and holds back nothing but what must follow it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from bot.core.duties import Duty
from bot.core.outbox import OutboxRow, Told, due_again_ms
from bot.desk_ports import Notifier
from bot.errors import NotDelivered, OutsideFailure
from bot.ports import Clock, ConversationStore, Duties
from bot.service.duties import EveryDuty

log = structlog.get_logger()

EVERY_S = 2.0
LIMIT_S = 10.0
AT_ONCE = 8


@dataclass(slots=True, kw_only=True)
class Deliveries:
    """The rows of *kinds*, on their way to *notifier*; *jitter* returns a number between 0 and 1."""

    store: ConversationStore
    notifier: Notifier
    kinds: Told
    clock: Clock
    jitter: Callable[[], float]
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S
    limit_s: float = LIMIT_S
    _running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _stopped: bool = False

    def wake(self) -> None:
        """Look at once: something may be due."""
        self._woken.set()

    async def run_forever(self) -> None:
        """Deliver what is due until cancelled; what is under way then goes on."""
        while True:
            self._woken.clear()
            await self._start_due()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.every_s):
                    await self._woken.wait()

    async def finish(self) -> None:
        """Deliver what is due, and return when nothing is."""
        while True:
            await self._start_due()
            if not self._running:
                return
            await asyncio.wait(set(self._running.values()), return_when=asyncio.FIRST_COMPLETED)

    async def stop(self) -> None:
        """Give up what is under way: the next process delivers it, under the same key."""
        self._stopped = True
        late = tuple(self._running.values())
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _start_due(self) -> None:
        async with self._looking:
            # A delivery that ends while the store is read is still in what was read.
            busy = set(self._running)
            for row in await self._due():
                if row.key not in busy and len(self._running) < AT_ONCE and not self._stopped:
                    self._start(row)

    async def _due(self) -> tuple[OutboxRow, ...]:
        try:
            if not await self.duties.mine(Duty.DELIVERY):
                return ()
            # So many that there is something to start beside everything that is under way.
            return await self.store.outbox_due(
                now_ms=self.clock.now_ms(), limit=2 * AT_ONCE, kinds=self.kinds
            )
        except Exception:  # the store is read again at the next round
            log.exception("outbox_not_read")
            return ()

    def _start(self, row: OutboxRow) -> None:
        task = asyncio.create_task(self._deliver(row), name=f"outbox:{row.key}")
        self._running[row.key] = task
        task.add_done_callback(lambda _: self._ended(row))

    def _ended(self, row: OutboxRow) -> None:
        del self._running[row.key]
        self._woken.set()

    async def _deliver(self, row: OutboxRow) -> None:
        failure = await self._told(row)
        now_ms = self.clock.now_ms()
        if failure is None:
            await self._recorded(row, lambda: self.store.delivered(row.key, at_ms=now_ms))
            return
        asked_s = failure.wait_s if isinstance(failure, NotDelivered) else 0.0
        until_ms = due_again_ms(row, now_ms=now_ms, jitter=self.jitter(), asked_s=asked_s)
        await self._recorded(row, lambda: self.store.postponed(row.key, until_ms=until_ms))

    async def _told(self, row: OutboxRow) -> Exception | None:
        """Tell the notifier; return what went wrong."""
        about = {"kind": row.kind, "conversation": row.conversation, "attempt": row.attempts + 1}
        try:
            async with asyncio.timeout(self.limit_s):
                await self.notifier.tell(row)
        except (OutsideFailure, TimeoutError) as failure:
            log.warning("not_delivered", **about, error=type(failure).__name__, problem=str(failure))
            return failure
        except Exception as defect:  # a defect must not keep the other rows waiting, nor lose this one
            log.exception("notifier_broke", **about)
            return defect
        return None

    async def _recorded(self, row: OutboxRow, write: Callable[[], Awaitable[None]]) -> None:
        """Try until the store takes it: a full disk must not make one row be told again and again."""
        while True:
            try:
                await write()
                return
            except Exception:
                log.exception("delivery_not_recorded", kind=row.kind, conversation=row.conversation)
            await asyncio.sleep(self.every_s)
