"""Whole local turns: how many a second beside what the embedder alone manages, and what Candor itself adds to each."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from rich.table import Table

from bot.core.conversation import Channel, ConversationId
from bot.core.inbound import CustomerMessage
from bot.core.knowledge import Fingerprint, Vector
from bot.core.outcome import Answer
from bot.knowledge_wiring import opened_knowledge
from bot.ports import Embedder
from bot.settings import Settings
from bot.turn_wiring import Parts, Wrap, unwrapped
from bot.wiring import Candor, opened
from kb_sync.job import KnowledgeSync, NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.bench.timing import Spread

ARTICLES = Path("kb_sync/sample/articles")
AT_ONCE = 16  # conversations that wait for an answer at the same time
TURNS = 320
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


async def turns_table(directory: Path) -> Table:
    """Whole turns (receive, route, embed, search, extract, commit) against the embedder alone, one after the other in one run."""
    table = Table(title=f"Whole local turns, {AT_ONCE} conversations at once, sample knowledge base, SQLite")
    for heading in ("window", "turns a second", "embedder alone, texts a second", "turns to texts"):
        table.add_column(heading, justify="left" if heading == "window" else "right")
    async with _synced(directory) as candor:
        for name, text in SUBJECTS.items():
            texts = await _texts_a_second(candor.parts.embedder, text)
            turns = await _turns_a_second(candor, text)
            table.add_row(name, f"{turns:.0f}", f"{texts:.0f}", f"{turns / texts:.2f}")
    return table


async def own_work_table(directory: Path) -> Table:
    """One turn at a time with an embedder that takes no time, beside one bare commit of the same file."""
    table = Table(
        title="Candor's own work in a turn: everything but the embedder, two commits to disk included"
    )
    for heading in ("", "p50", "p99"):
        table.add_column(heading, justify="left" if not heading else "right")
    async with _synced(directory):
        pass
    settings = Settings(data_dir=directory)
    async with opened_knowledge(settings) as knowledge:
        (vector,) = await knowledge.embedder.embed_queries(("How do I reschedule a class?",))

    def instant(parts: Parts) -> Parts:
        return replace(parts, embedder=InstantEmbedder(parts.embedder, vector))

    async with opened(settings, wrap=instant) as candor:
        spread = Spread.of([await _timed(_turn(candor, SHORT)) for _ in range(TURNS)])
        commits = Spread.of([await _timed(candor.store.ping()) for _ in range(TURNS)])
    table.add_row("a turn", f"{spread.p50_ms:.2f} ms", f"{spread.p99_ms:.2f} ms")
    table.add_row("a bare write transaction", f"{commits.p50_ms:.2f} ms", f"{commits.p99_ms:.2f} ms")
    table.add_row(
        "turn to transaction",
        f"{spread.p50_ms / commits.p50_ms:.1f}",
        f"{spread.p99_ms / commits.p99_ms:.1f}",
    )
    return table


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


async def _turns_a_second(candor: Candor, text: str) -> float:
    started = time.perf_counter()
    for _ in range(TURNS // AT_ONCE):
        await asyncio.gather(*(_turn(candor, text) for _ in range(AT_ONCE)))
    return TURNS / (time.perf_counter() - started)


async def _texts_a_second(embedder: Embedder, text: str) -> float:
    texts = [text.format(number=next(_numbers)) for _ in range(TURNS)]
    started = time.perf_counter()
    for start in range(0, TURNS, AT_ONCE):
        await embedder.embed_queries(texts[start : start + AT_ONCE])
    return TURNS / (time.perf_counter() - started)


async def _turn(candor: Candor, text: str) -> None:
    """One customer's first message, from its receipt to the committed answer; every text is new, so nothing is remembered."""
    conversation = await candor.customers.open(channel=Channel.WIDGET, locale="en")
    message = CustomerMessage(
        conversation=ConversationId(conversation.id),
        channel=Channel.WIDGET,
        channel_message_id="m1",
        text=text.format(number=next(_numbers)),
    )
    await candor.store.receive(message, at_ms=candor.parts.clock.now_ms())
    turn = await candor.runner.turns.run(conversation.id)
    if turn is None or not isinstance(turn.outcome, Answer):
        ended = turn.outcome if turn else "not committed"
        raise RuntimeError(f"the time of a turn without an answer means nothing: {ended}")


async def _timed(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started
