"""FAULTS SL3: what Slack delivers several times, under several ids, in any order, to processes that die, has one effect."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.adapters.mongo.access import Driver
from bot.adapters.mongo.slack import MongoSlackStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.core.slack_rows import InboxRow
from bot.slack_ports import SlackInbox
from tests.builders import NOON_MS
from tests.slack_rows import an_inbox_row
from tests.sqlite_file import new_file
from tests.vendors.mongodb_server import MongoServer, emptied_database

AT_ONCE_MS = 30_000
Processes = Sequence[SlackInbox]
Opened = Callable[[], AbstractAsyncContextManager[Processes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One attempt of Slack's, to one of two processes, which may die once it is kept."""

    row: InboxRow
    process: int
    dies: bool


@dataclass(slots=True)
class Work:
    """What the listeners were asked to do, by effect."""

    done: Counter[str | None] = field(default_factory=Counter)

    async def take(self, inbox: SlackInbox, delivery: Delivery) -> None:
        if await inbox.keep(delivery.row) and not delivery.dies:
            await self.do(inbox, delivery.row)

    async def sweep(self, inbox: SlackInbox) -> None:
        for row in await inbox.inbox_due(now_ms=NOON_MS + AT_ONCE_MS, limit=99):
            await self.do(inbox, row)

    async def do(self, inbox: SlackInbox, row: InboxRow) -> None:
        self.done[row.effect] += 1
        await inbox.done(row.key, at_ms=NOON_MS)


@st.composite
def deliveries(draw: st.DrawFn) -> list[Delivery]:
    """Draw up to three messages, each under one or two ids, each id delivered up to four times, in any order."""
    rows = [
        an_inbox_row(f"T1:Ev{message}-{event}", effect=f"T1:C1:{message}.0", due_ms=NOON_MS + AT_ONCE_MS)
        for message in range(draw(st.integers(1, 3)))
        for event in range(draw(st.integers(1, 2)))
        for _ in range(draw(st.integers(1, 4)))
    ]
    return [
        Delivery(row=row, process=draw(st.integers(0, 1)), dies=draw(st.booleans()))
        for row in draw(st.permutations(rows))
    ]


@asynccontextmanager
async def in_memory() -> AsyncIterator[Processes]:
    store = MemorySlackStore(MemoryConversationStore())
    yield store, store


@asynccontextmanager
async def in_one_file() -> AsyncIterator[Processes]:
    with (
        TemporaryDirectory() as directory,
        closing(SqliteDatabase.open(new_file(Path(directory) / "candor.db"))) as one,
        closing(SqliteDatabase.open(Path(directory) / "candor.db")) as other,
    ):
        yield SqliteSlackStore(one), SqliteSlackStore(other)


async def played(opened: Opened, sent: Sequence[Delivery]) -> Work:
    """Deliver everything at once, and let each process look for what is left."""
    work = Work()
    async with opened() as processes:
        await asyncio.gather(*(work.take(processes[one.process], one) for one in sent))
        for inbox in processes:
            await work.sweep(inbox)
    return work


def require_one_effect_each(work: Work, sent: Sequence[Delivery]) -> None:
    assert work.done == Counter({one.row.effect: 1 for one in sent})


@given(sent=deliveries())
def test_each_message_has_one_effect_in_memory(sent):
    require_one_effect_each(asyncio.run(played(in_memory, sent)), sent)


@settings(max_examples=12, deadline=None)
@given(sent=deliveries())
def test_each_message_has_one_effect_whichever_of_two_processes_on_a_file_has_it(sent):
    require_one_effect_each(asyncio.run(played(in_one_file, sent)), sent)


@pytest.mark.parametrize("driver", Driver)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=deliveries())
def test_each_message_has_one_effect_whichever_process_on_mongodb_has_it(mongodb: MongoServer, driver, sent):
    @asynccontextmanager
    async def in_mongodb() -> AsyncIterator[Processes]:
        async with (
            emptied_database(mongodb, driver) as one,
            emptied_database(mongodb, driver) as other,
        ):
            yield MongoSlackStore(one), MongoSlackStore(other)

    require_one_effect_each(asyncio.run(played(in_mongodb, sent)), sent)


@settings(max_examples=30)
@given(sent=deliveries())
def test_what_every_process_dies_of_is_left_for_the_sweep(sent):
    dying = [replace(one, dies=True) for one in sent]

    require_one_effect_each(asyncio.run(played(in_memory, dying)), sent)
