"""Replies while all articles are embedded again by a sync in another process, beside replies without one.

Service and sync use one embedder thread each. A few replies with the sync at work and a few while it pauses take turns,
because other work on the machine comes and goes.
"""

import asyncio
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from statistics import quantiles

from rich.table import Table

from bot.adapters.local_embedder import LocalEmbedder
from bot.core.chunking import CHUNKER
from bot.core.conversation import Channel
from bot.core.inbound import CustomerMessage
from bot.core.outcome import Answer
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.turn_wiring import Parts
from bot.wiring import opened
from kb_sync.progress import NoProgress
from tests.bench.copies import copy_articles
from tests.bench.resync_job import EMBEDDING, GO_ON, PAUSE, PausingEmbedder, sync

ROUNDS = 60
TURNS = 10  # in each phase
COPIES = 4  # of the articles, so that the sync is not done before the replies are
PAUSE_S = 0.02  # between two customers
WARM_UP = 20
WANTED = 0.20
QUESTION = "my tutor moved lesson {number} again, how do i reschedule the class to friday evening"

_numbers = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Seconds from the receipt of a message to its committed answer."""

    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)


async def resync_table(directory: Path) -> Table:
    table = Table(title="Replies while another process embeds all articles again; one embedder thread each")
    for heading in ("replies", "p50", "p95", "p95 to p95 without"):
        table.add_column(heading, justify="left" if heading == "replies" else "right")
    replies = await _measured(directory)
    base = _p(replies.alone, 95)
    for name, times in (("without a sync", replies.alone), ("while a sync embeds", replies.beside)):
        p95 = _p(times, 95)
        change = f"{p95 / base - 1:+.0%} ({WANTED:+.0%} at most)" if times is replies.beside else ""
        table.add_row(
            f"{name}, {len(times)}", f"{_p(times, 50) * 1_000:.1f} ms", f"{p95 * 1_000:.1f} ms", change
        )
    return table


async def _measured(directory: Path) -> Replies:
    place, folder = directory / "data", directory / "articles"
    copy_articles(folder, copies=COPIES, mark="")
    embedder = PausingEmbedder()
    embedder.may_work.set()
    await sync(place, folder, embedder, NoProgress())
    copy_articles(folder, copies=COPIES, mark="(again)")
    replies = Replies()
    async with _service(place) as candor, _resync(place, folder) as process:
        await _phase(candor, turns=WARM_UP)
        for _ in range(ROUNDS):
            replies.alone.extend(await _phase(candor, turns=TURNS))
            process.send_signal(GO_ON)
            replies.beside.extend(await _phase(candor, turns=TURNS))
            process.send_signal(PAUSE)
            await asyncio.sleep(PAUSE_S)
        if process.returncode is not None:
            raise RuntimeError("the sync was done before the replies were; measure fewer")
    return replies


@asynccontextmanager
async def _service(place: Path) -> AsyncIterator[Candor]:
    embedder = LocalEmbedder.open(chunker=CHUNKER, threads=1)

    def one_thread(parts: Parts) -> Parts:
        return replace(parts, embedder=embedder)

    async with opened(Settings(data_dir=place), wrap=one_thread) as candor:
        yield candor


@asynccontextmanager
async def _resync(place: Path, folder: Path) -> AsyncIterator[Process]:
    """Start a sync and wait until it would embed; it waits for the signal."""
    command = (sys.executable, "-m", "tests.bench.resync_job", str(place), str(folder))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        if (await process.stdout.readline()).strip() != EMBEDDING.encode():
            raise RuntimeError("the sync had nothing to embed")
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _phase(candor: Candor, *, turns: int) -> list[float]:
    times = []
    for _ in range(turns):
        times.append(await _reply_s(candor))
        await asyncio.sleep(PAUSE_S)
    return times


async def _reply_s(candor: Candor) -> float:
    conversation = await candor.customers.open(channel=Channel.WIDGET, locale="en")
    message = CustomerMessage(
        conversation=conversation.id,
        channel=Channel.WIDGET,
        channel_message_id="m1",
        text=QUESTION.format(number=next(_numbers)),
    )
    started = time.perf_counter()
    await candor.store.receive(message, at_ms=candor.parts.clock.now_ms())
    turn = await candor.runner.turns.run(message.conversation)
    took_s = time.perf_counter() - started
    if turn is None or not isinstance(turn.outcome, Answer):
        raise RuntimeError(f"the time of a turn without an answer means nothing: {turn and turn.outcome}")
    return took_s


def _p(times: list[float], percent: int) -> float:
    return quantiles(times, n=100, method="inclusive")[percent - 1]
