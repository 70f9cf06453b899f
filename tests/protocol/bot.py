"""A bot whose turns wait until a test says what comes next: a block to show, an outcome, or a failure."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from bot.core.conversation import TurnId
from bot.core.outcome import Outcome
from bot.core.turn import Turn, TurnStart
from bot.ports import Clock
from tests.builders import a_turn

Show = Callable[[Sequence[str]], Awaitable[None]]
Order = str | Outcome | Exception


class OrderedBot:
    """Stands where the answering is. `arrived` is set when a turn begins to wait for an order."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: dict[asyncio.Task[None], asyncio.Future[Order]] = {}
        self.arrived = asyncio.Event()

    async def settle(self, start: TurnStart, turn: TurnId, *, capped: str | None, show: Show) -> Turn:
        while True:
            order = await self._order()
            if isinstance(order, Exception):
                raise order
            if not isinstance(order, str):
                return _settled(start, turn, order, now_ms=self._clock.now_ms())
            await show([order])

    def is_waiting(self, task: asyncio.Task[None]) -> bool:
        """Whether the turn that runs in *task* waits for an order; one that was cancelled does not, and has yet to end."""
        return task in self._waiting and not self._waiting[task].done()

    def order(self, task: asyncio.Task[None] | None, order: Order) -> bool:
        """Tell the turn in *task* what comes next; nothing happens when it does not wait."""
        future = None if task is None else self._waiting.pop(task, None)
        if future is None:
            return False
        future.set_result(order)
        return True

    async def _order(self) -> Order:
        task = asyncio.current_task()
        assert task is not None
        self._waiting[task] = asyncio.get_running_loop().create_future()
        self.arrived.set()
        try:
            return await self._waiting[task]
        finally:
            self._waiting.pop(task, None)


def _settled(start: TurnStart, turn: TurnId, outcome: Outcome, *, now_ms: int) -> Turn:
    covers = tuple(m.seq for m in start.unanswered)
    return a_turn(
        outcome, on=start.conversation, id=turn, covers=covers, started_ms=now_ms, settled_ms=now_ms
    )
