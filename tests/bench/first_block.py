"""From the end of a block on its provider's side to the customer's screen: 50 ms at most, whatever else is still being written."""

import time
from pathlib import Path

from rich.table import Table

from bot.core.caps import UNCAPPED
from bot.service.live import DraftShown
from tests.bench.timing import Spread
from tests.service.claude_rig import a_claude_rig
from tests.service.rig import QUESTION, Rig
from tests.vendors.anthropic_server import Cited, Event, answers, says
from tests.vendors.local_server import Body

ROUNDS, WARM_UP = 200, 5
LIMIT_MS = 50
FIRST = says("Open My Lessons and choose Reschedule.", Cited(start=1, end=2))


class _Stamp:
    """A block of a message that is none: it notes when the blocks before it had been sent."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def events(self, _index: int, _body: Body) -> list[Event]:
        self.at_s = time.perf_counter()
        return []

    def whole(self, _body: Body) -> Body:
        return {"type": "text", "text": ""}


async def first_block_table(_directory: Path) -> Table:
    stamp = _Stamp()
    async with a_claude_rig(answers(FIRST, stamp)) as (rig, _):
        rig.turns.metering.caps = UNCAPPED
        times = [await _time_to_screen(rig, stamp) for _ in range(WARM_UP + ROUNDS)]
    spread = Spread.of(times[WARM_UP:])
    table = Table(
        title="First block of a streamed answer, from its end at the provider until it is shown; store in memory"
    )
    for heading in ("p50", "p99", "at most"):
        table.add_column(heading, justify="right")
    table.add_row(f"{spread.p50_ms:.2f} ms", f"{spread.p99_ms:.2f} ms", f"{LIMIT_MS} ms")
    return table


async def _time_to_screen(rig: Rig, stamp: _Stamp) -> float:
    with rig.live.watch(rig.conversation) as watcher:
        await rig.say(QUESTION)
        async for event in watcher.events():
            if isinstance(event, DraftShown):
                break
        shown_s = time.perf_counter()
    await rig.idle()
    return shown_s - stamp.at_s
