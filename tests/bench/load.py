"""`make bench-load`: thousands of open sockets, a hundred replies of agents a second, and a restart. The service is a process of its own.

Customers come from many addresses of this machine, so that the limits of each address hold for them as they would outside.
"""

import argparse
import asyncio
import gc
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
from rich.console import Console
from rich.table import Table

from bot.core.conversation import ConversationId
from bot.logs import configure_logs
from tests.bench.load_crowd import Arrival, Crowd
from tests.bench.load_service import LoadedService
from tests.bench.timing import Spread
from tests.faults.agents import Agent

AGENTS = 4
HELD = 50  # conversations that each agent has claimed
SETTLING_S = 5.0
KIB = 1024

Held = tuple[Agent, ConversationId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is asked of the service."""

    sockets: int = 5_000
    a_second: int = 100
    seconds: int = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was seen; times are seconds."""

    load: Load
    bytes_each: float
    delivered: Sequence[float]
    lost: int
    lag: tuple[float, float]
    back: Sequence[Arrival]
    stopped_s: float


async def measured(load: Load, directory: Path, console: Console) -> Measured:
    """Open the sockets, let agents reply, and restart the service under them."""
    async with AsyncExitStack() as stack:
        service = LoadedService(directory=directory)
        stack.push_async_callback(service.stop)
        agents = [await Agent.hire(await _session(stack), directory, f"agent-{n}") for n in range(AGENTS)]
        await service.start()
        crowd = await stack.enter_async_context(Crowd.of(load.sockets, service.address))
        console.print(f"{load.sockets:,} conversations opened, {len(crowd.addresses)} addresses")
        await asyncio.sleep(SETTLING_S)
        before = service.resident_bytes()
        await crowd.connect_all()
        await asyncio.sleep(SETTLING_S)
        each = (service.resident_bytes() - before) / load.sockets
        console.print(f"{load.sockets:,} sockets open, {each / KIB:.1f} KiB each")
        held = await _claimed(agents, crowd, service.address)
        await _replies(load, held, crowd, service.address)
        lag = await service.lag()
        console.print(f"{len(crowd.sent_s):,} replies sent; restarting under {load.sockets:,} sockets")
        stopped_s = await service.stop()
        await service.start()
        back = await crowd.return_all()
    return Measured(
        load=load,
        bytes_each=each,
        delivered=crowd.delivered(),
        lost=crowd.lost,
        lag=lag,
        back=back,
        stopped_s=stopped_s,
    )


async def _session(stack: AsyncExitStack) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0)
    return await stack.enter_async_context(aiohttp.ClientSession(connector=connector))


async def _claimed(agents: Sequence[Agent], crowd: Crowd, address: str) -> list[Held]:
    """Let each agent take over its share of the conversations."""
    held = list[Held]()
    for number, agent in enumerate(agents):
        for customer in crowd.customers[number * HELD : (number + 1) * HELD]:
            if not await agent.claim(address, customer.conversation):
                raise RuntimeError("a conversation could not be claimed")
            held.append((agent, customer.conversation))
    return held


async def _replies(load: Load, held: list[Held], crowd: Crowd, address: str) -> None:
    """Send at a steady rate, whether or not the ones before have arrived."""
    begun_s = time.perf_counter()
    async with asyncio.TaskGroup() as sending:
        for number in range(load.a_second * load.seconds):
            await asyncio.sleep(begun_s + number / load.a_second - time.perf_counter())
            agent, conversation = held[number % len(held)]
            text = f"reply-{number}"
            crowd.sent_s[text] = time.perf_counter()
            sending.create_task(agent.reply(address, conversation, text, message_id=text))
    await crowd.everything_arrived()


def table_of(seen: Measured) -> Table:
    """Show the figures beside their targets."""
    delivered, back = Spread.of(list(seen.delivered)), [one.after_s for one in seen.back]
    requests = Spread.of([one.took_s for one in seen.back])
    table = Table(
        title=f"{seen.load.sockets:,} sockets, {seen.load.a_second} replies a second for {seen.load.seconds} s"
    )
    for heading in ("", "measured", "target"):
        table.add_column(heading, justify="right" if heading else "left")
    rows = (
        ("memory of an idle socket", f"{seen.bytes_each / KIB:.1f} KiB", "≤ 40 KiB"),
        ("reply sent to shown, p50", f"{delivered.p50_ms:.1f} ms", "≤ 50 ms"),
        ("reply sent to shown, p99", f"{delivered.p99_ms:.1f} ms", "≤ 250 ms"),
        ("replies lost", f"{seen.lost}", "0"),
        ("lag of the event loop, p99", f"≤ {seen.lag[0] * 1_000:.0f} ms", "≤ 50 ms"),
        ("lag of the event loop, worst", f"{seen.lag[1] * 1_000:.0f} ms", "≤ 250 ms"),
        ("stopped after SIGTERM", f"{seen.stopped_s:.1f} s", "≤ 25 s"),
        ("back after the restart, all", f"{max(back):.1f} s", "≤ 60 s"),
        ("a connection then, p99", f"{requests.p99_ms:.0f} ms", "≤ 2,000 ms"),
    )
    for row in rows:
        table.add_row(*row)
    return table


def asked_for() -> Load:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.load", description="Measure; nothing is asserted."
    )
    for name, default in (("sockets", 5_000), ("a-second", 100), ("seconds", 120)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    return Load(sockets=given.sockets, a_second=given.a_second, seconds=given.seconds)


def main() -> None:
    random.seed(1)
    gc.disable()  # its rounds over thousands of clients would count as the service's delays
    configure_logs("error")  # every agent that is hired would be a line
    console = Console()
    with tempfile.TemporaryDirectory() as directory:
        seen = asyncio.run(measured(asked_for(), Path(directory), console))
    console.print(table_of(seen))


if __name__ == "__main__":
    main()
