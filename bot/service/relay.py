"""Delivers the outbox: whatever was announced with a change is told to the outside, at least once and without end (FAULTS §4.3).

Each notifier has a line of its own, so that one which hangs keeps no other waiting.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from bot.core.outbox import Announcement, OutboxRow
from bot.desk_ports import DeskObserver, Notifier
from bot.ports import Clock, ConversationStore, Duties
from bot.service.delivering import EVERY_S, LIMIT_S, Deliveries
from bot.service.duties import EveryDuty
from bot.service.live import Changed, LiveHub

log = structlog.get_logger()

LATE_S = 60.0
COUNTED = 1_000  # rows; how many more wait makes no difference to who is alarmed


class Nobody:
    """Stands where no notifier is: what is told is delivered."""

    async def tell(self, row: OutboxRow) -> None:
        return


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleNotifier:
    """Lets the open consoles of this process look again."""

    live: LiveHub

    async def tell(self, row: OutboxRow) -> None:
        self.live.publish(row.conversation, Changed())


@dataclass(slots=True, kw_only=True)
class Relay:
    """Every line of this process, and the alarm when something has waited too long; *jitter* returns a number between 0 and 1.

    `limits_s` is how long one row may take where that is not `limit_s`: who may send a message a second needs time for many.
    """

    store: ConversationStore
    notifiers: Mapping[Announcement, Notifier]
    clock: Clock
    observer: DeskObserver
    jitter: Callable[[], float]
    duties: Duties = field(default_factory=EveryDuty)
    every_s: float = EVERY_S
    limit_s: float = LIMIT_S
    limits_s: Mapping[Announcement, float] = field(default_factory=dict)
    _lines: tuple[Deliveries, ...] = field(init=False)
    _is_late: bool = False

    def __post_init__(self) -> None:
        nobody = Nobody()
        told = {kind: self.notifiers.get(kind, nobody) for kind in Announcement}
        each = {id(notifier): notifier for notifier in told.values()}
        self._lines = tuple(
            self._line(notifier, frozenset(kind for kind in told if told[kind] is notifier))
            for notifier in each.values()
        )

    def wake(self) -> None:
        """Look at once, because something was committed; never waits."""
        for line in self._lines:
            line.wake()

    async def run_forever(self) -> None:
        """Deliver and watch until cancelled."""
        async with asyncio.TaskGroup() as group:
            for line in self._lines:
                group.create_task(line.run_forever())
            group.create_task(self._watch())

    async def drain(self, *, grace_s: float) -> None:
        """Deliver what is due for *grace_s* seconds at most; what remains, the next process delivers."""
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await asyncio.gather(*(line.finish() for line in self._lines))
        for line in self._lines:
            await line.stop()

    async def look(self) -> None:
        """Tell the observer what waits, and raise or end the alarm; StoreUnavailable."""
        waiting = await self.store.outbox(limit=COUNTED)
        oldest_s = max(0.0, (self.clock.now_ms() - waiting[0].created_ms) / 1000) if waiting else 0.0
        self.observer.outbox_seen(oldest_s=oldest_s, waiting=len(waiting))
        if oldest_s > LATE_S and not self._is_late:
            log.error("outbox_late", kind=waiting[0].kind, oldest_s=round(oldest_s), waiting=len(waiting))
        elif self._is_late and oldest_s <= LATE_S:
            log.info("outbox_in_time")
        self._is_late = oldest_s > LATE_S

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:  # looked at again at the next round
                log.exception("outbox_not_read")
            await asyncio.sleep(self.every_s)

    def _line(self, notifier: Notifier, kinds: frozenset[Announcement]) -> Deliveries:
        return Deliveries(
            store=self.store,
            notifier=notifier,
            kinds=kinds,
            clock=self.clock,
            jitter=self.jitter,
            duties=self.duties,
            every_s=self.every_s,
            limit_s=max(self.limits_s.get(kind, self.limit_s) for kind in kinds),
        )


async def wake_on_changes(relay: Relay, live: LiveHub) -> None:
    """Let the relay look after every change of a conversation in this process, until cancelled; a watcher that is cut off watches anew."""
    while True:
        with live.watch_all() as watcher:
            async for _ in watcher.events():
                relay.wake()
        await asyncio.sleep(relay.every_s)
