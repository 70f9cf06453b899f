"""Whole local turns: how many a second beside what the embedder alone manages, and what Candor itself adds to each.

A conversation is opened before the time of its turn is taken: customers open one once, and ask in it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from itertools import count
from pathlib import Path

from rich.table import Table

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import Channel, Conversation, Message, TurnId
from bot.core.inbound import CustomerMessage
from bot.core.knowledge import Fingerprint, Vector
from bot.core.outcome import Answer
from bot.core.turn import Fence, Turn
from bot.knowledge_wiring import opened_knowledge
from bot.model_ports import Embedder
from bot.places import database_file
from bot.ports import Snapshot
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.turn_wiring import Parts, Wrap, unwrapped
from bot.wiring import opened
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.bench.timing import Spread

ARTICLES = Path("kb_sync/sample/articles")
AT_ONCE = 16  # conversations that wait for an answer at the same time
TURNS = 320
WARM_UP = 20
SHORT = "my tutor moved lesson {number} again and now i want to reschedule the class to friday evening, how do i do that"
LONG = " ".join(
    [SHORT, "the calendar shows the old time and the app says that the change was not saved on my phone"] * 3
)
SUBJECTS = {"up to 40 tokens": SHORT, "about 128 tokens": LONG}

_numbers = count()


class InstantEmbedder:
    """Embeds in no time: every query has the vector of one text, so that what is left is Candor's own work."""

    def __init__(self, real: Embedder, vector: Vector) -> None:
        self._real = real
        self._vector = vector

    @property
    def fingerprint(self) -> Fingerprint:
        return self._real.fingerprint

    @property
    def token_limit(self) -> int:
        return self._real.token_limit

    def count_tokens(self, text: str) -> int:
        return self._real.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return (self._vector,) * len(texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return (self._vector,) * len(texts)


class TimedStore(SqliteConversationStore):
    """The store, which notes how long its calls within a turn take."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        self.shows: list[float] = []
        self.commits: list[float] = []

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        self.shows.append(await _timed(super().show_blocks(fence, turn=turn, texts=texts)))

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        started = time.perf_counter()
        snapshot = await super().commit_turn(turn, messages, moved)
        self.commits.append(time.perf_counter() - started)
        return snapshot


async def turns_table(directory: Path) -> Table:
    """Whole turns (receive, route, embed, search, extract, commit) against the embedder alone, in batches that take turns."""
    table = Table(title=f"Whole local turns, {AT_ONCE} conversations at once, sample knowledge base, SQLite")
    for heading in ("window", "turns a second", "embedder alone, texts a second", "turns to texts"):
        table.add_column(heading, justify="left" if heading == "window" else "right")
    async with _synced(directory) as candor:
        for name, text in SUBJECTS.items():
            turns, texts = await _a_second(candor, text)
            table.add_row(name, f"{turns:.0f}", f"{texts:.0f}", f"{turns / texts:.2f}")
    return table


async def own_work_table(directory: Path) -> Table:
    """One turn at a time with an embedder that takes no time, beside one bare commit of the same file."""
    table = Table(
        title="Candor's own work in a turn: everything but the embedder, its commits to disk included"
    )
    for heading in ("", "p50", "p99", "to bare transaction, p50"):
        table.add_column(heading, justify="left" if not heading else "right")
    async with _synced(directory):
        pass
    settings = Settings(data_dir=directory)
    async with opened_knowledge(settings) as knowledge:
        (vector,) = await knowledge.embedder.embed_queries(("How do I reschedule a class?",))

    def instant(parts: Parts) -> Parts:
        return replace(parts, embedder=InstantEmbedder(parts.embedder, vector))

    with closing(SqliteDatabase.open(database_file(settings))) as database:
        store = TimedStore(database)
        async with opened(settings, wrap=instant, wrap_store=lambda _: store) as candor:
            times = await _parts_of_turns(candor, store)
    bare = times["a bare write transaction"]
    for name, spread in times.items():
        ratio = f"{spread.p50_ms / bare.p50_ms:.1f}"
        table.add_row(name, f"{spread.p50_ms:.2f} ms", f"{spread.p99_ms:.2f} ms", ratio)
    return table


async def _parts_of_turns(candor: Candor, store: TimedStore) -> dict[str, Spread]:
    received, turns, computed, bare = [], [], [], []
    for _ in range(WARM_UP + TURNS):
        message = await _asked(candor, SHORT)
        received.append(await _timed(_received(candor, message)))
        used = time.thread_time()
        turns.append(await _timed(_answered(candor, message)))
        computed.append(time.thread_time() - used)
        bare.append(await _timed(store.ping()))
    times = {
        "receiving the message": received,
        "its turn": turns,
        "of which the event loop computes": computed,
        "of which showing the blocks": store.shows,
        "of which the commit": store.commits,
        "a bare write transaction": bare,
    }
    return {name: Spread.of(seconds[WARM_UP:]) for name, seconds in times.items()}


@asynccontextmanager
async def _synced(directory: Path, *, wrap: Wrap = unwrapped) -> AsyncIterator[Candor]:
    settings = Settings(data_dir=directory)
    async with opened(settings, wrap=wrap) as candor, opened_knowledge(settings) as knowledge:
        job = KnowledgeSync(
            embedder=knowledge.embedder,
            index=knowledge.index,
            writer=knowledge.writer,
            clock=candor.parts.clock,
        )
        await job.ship_calibration(knowledge.shipped)
        await job.run(MarkdownFolder(ARTICLES), progress=NoProgress())
        yield candor


async def _a_second(candor: Candor, text: str) -> tuple[float, float]:
    """Return the turns and the texts that are done in a second."""
    turns_s = texts_s = 0.0
    for _ in range(TURNS // AT_ONCE):
        texts = [_new(text) for _ in range(AT_ONCE)]
        texts_s += await _timed(candor.parts.embedder.embed_queries(texts))
        messages = [await _asked(candor, text) for _ in range(AT_ONCE)]
        turns_s += await _timed(asyncio.gather(*(_turn(candor, message) for message in messages)))
    return TURNS / turns_s, TURNS / texts_s


def _new(text: str) -> str:
    """Return *text* as nobody wrote it before, so that its vector is not remembered."""
    return text.format(number=next(_numbers))


async def _asked(candor: Candor, text: str) -> CustomerMessage:
    """Open a conversation, and return what its customer asks in it first."""
    conversation = await candor.customers.open(channel=Channel.WIDGET, locale="en")
    return CustomerMessage(
        conversation=conversation.id, channel=Channel.WIDGET, channel_message_id="m1", text=_new(text)
    )


async def _turn(candor: Candor, message: CustomerMessage) -> None:
    """From the receipt of a message to the committed answer."""
    await _received(candor, message)
    await _answered(candor, message)


async def _received(candor: Candor, message: CustomerMessage) -> None:
    await candor.store.receive(message, at_ms=candor.parts.clock.now_ms())


async def _answered(candor: Candor, message: CustomerMessage) -> None:
    turn = await candor.runner.turns.run(message.conversation)
    if turn is None or not isinstance(turn.outcome, Answer):
        ended = turn.outcome if turn else "not committed"
        raise RuntimeError(f"the time of a turn without an answer means nothing: {ended}")


async def _timed(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started
