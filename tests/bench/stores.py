"""SQLite and MongoDB side by side in one run: turns a second and how long customers wait, with one `serve` process and with two.

What speaks MongoDB here is nx-27017 behind a front in Python, which answers the vector searches: figures of these, not of a MongoDB server.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path

import aiohttp
from pydantic import SecretStr
from rich.table import Table

from bot.adapters.system_clock import SystemClock
from bot.knowledge_wiring import opened_knowledge
from bot.settings import Settings
from bot.terminal.migrating import migrate
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.bench.timing import Spread
from tests.faults.customers import Customer
from tests.faults.knowledge import QUESTION, calibrate, write_articles
from tests.faults.processes import Machine
from tests.vendors.atlas import atlas

PROCESSES = (1, 2)
AT_ONCE = 8  # customers who wait for an answer at the same time
ROUNDS = 12  # in which the subjects take turns
WARM_UP = 2

_numbers = count()


@dataclass(slots=True, kw_only=True)
class Subject:
    """Processes over one store, and what was measured on them."""

    name: str
    addresses: Sequence[str]
    waits_s: list[float] = field(default_factory=list)
    rounds_s: list[float] = field(default_factory=list)


async def stores_table(directory: Path) -> Table:
    """Whole turns over HTTP, from sending a message to reading the answer; what is compared takes turns."""
    table = Table(
        title=f"Whole turns over HTTP, {AT_ONCE} customers at once; MongoDB is nx-27017 and a front"
    )
    for heading in ("store", "processes", "turns a second", "p50", "p99"):
        table.add_column(heading, justify="left" if heading == "store" else "right")
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())
        subjects = [
            await stack.enter_async_context(_served(directory / f"{name}-{processes}", name, processes))
            for name in ("SQLite", "MongoDB")
            for processes in PROCESSES
        ]
        for number in range(WARM_UP + ROUNDS):
            for subject in subjects:
                await _round(http, subject, counts=number >= WARM_UP)
    for subject in subjects:
        waits, each_s = Spread.of(subject.waits_s), sum(subject.rounds_s) / len(subject.waits_s)
        table.add_row(
            subject.name,
            str(len(subject.addresses)),
            f"{1 / each_s:.1f}",
            f"{waits.p50_ms:.0f} ms",
            f"{waits.p99_ms:.0f} ms",
        )
    return table


@asynccontextmanager
async def _served(folder: Path, name: str, processes: int) -> AsyncIterator[Subject]:
    machine = Machine(folder, settings=_settings(name, processes))
    machine.data_dir.mkdir(parents=True)
    await migrate(machine.settings)
    await _sync(machine.settings, folder / "articles")
    try:
        addresses = [await machine.start().address() for _ in range(processes)]
        yield Subject(name=name, addresses=addresses)
    finally:
        await machine.clear()


def _settings(name: str, processes: int) -> Settings:
    open_to_all = Settings(widget_conversations_per_address=100_000)
    if name == "SQLite":
        return open_to_all
    chosen = {"mongodb_uri": SecretStr(atlas().uri), "mongodb_database": f"bench_{processes}"}
    return open_to_all.model_copy(update=chosen)


async def _sync(settings: Settings, articles: Path) -> None:
    async with opened_knowledge(settings) as knowledge:
        job = KnowledgeSync(
            embedder=knowledge.embedder, index=knowledge.index, writer=knowledge.writer, clock=SystemClock()
        )
        await job.run(MarkdownFolder(write_articles(articles)), progress=NoProgress())
    await calibrate(settings)


async def _round(http: aiohttp.ClientSession, subject: Subject, *, counts: bool) -> None:
    """Let new customers ask, spread over the processes, each on a socket of its own."""
    addresses = [address for _, address in zip(range(AT_ONCE), cycle(subject.addresses), strict=False)]
    customers = [await Customer.open(http, address) for address in addresses]
    began_s = time.perf_counter()
    waits_s = await asyncio.gather(*map(_asks, customers, addresses))
    if counts:
        subject.rounds_s.append(time.perf_counter() - began_s)
        subject.waits_s += waits_s


async def _asks(customer: Customer, address: str) -> float:
    """Ask what nobody asked before in these words, so that no vector is remembered; return how long the answer took."""
    async with customer.socket(address) as ws:
        await ws.receive_json(timeout=30)
        began_s = time.perf_counter()
        assert await customer.say(address, f"{QUESTION} ({next(_numbers)})", message_id="m1")
        while (frame := await ws.receive_json(timeout=60)).get("role") != "bot":
            assert frame["type"] != "error", frame
        return time.perf_counter() - began_s
