"""`migrate --from`: moves a grown deployment out of its data file into MongoDB. The file is only read.

What is there already is compared and not written again, so that a move that was cut off goes on where it was.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from bot.adapters.erasure_list import NAME, ErasureList
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.opening import opened_database
from bot.adapters.mongo.putting_in import AS_MOVED, MongoContents
from bot.adapters.mongo.putting_in_household import (
    erased_ids,
    note_moved,
    put_household,
    read_household,
    was_moved,
)
from bot.adapters.sqlite.taking_out import SqliteContents, opened_to_read
from bot.core.belongings import Tally
from bot.core.conversation import ConversationId
from bot.errors import Refused
from bot.places import conversations_at
from bot.settings import Settings
from bot.terminal.carried import Carried
from bot.terminal.carrying_articles import carry_articles
from bot.terminal.migrating import migrate

OPERATION_S = 60.0
AT_ONCE = 16  # conversations, each some thirty requests


async def carry(settings: Settings, source: Path, console: Console) -> Carried:
    """Move everything and compare it; Refused where there is nowhere to move it to."""
    access = conversations_at(settings)
    if access is None:
        raise Refused("MONGODB_URI is not set, so there is nowhere to move to; set it")
    await migrate(settings)
    with opened_to_read(source) as contents:
        async with opened_database(access, operation_s=OPERATION_S) as database:
            move = _Move(contents=contents, database=database)
            with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
                await move.run(progress)
        ErasureList(settings.data_dir / NAME).merge(ErasureList(source.with_name(NAME)))
        if console.is_terminal:
            console.print("Moving the knowledge base; its vector index may take the server some minutes.")
        articles = await carry_articles(settings, contents.connection)
    return Carried(
        here=move.here.counted(),
        there=move.there.counted(),
        moved=move.moved,
        gone_on=move.gone_on,
        erased=move.erased,
        articles=articles,
    )


class _Move:
    """One move, conversation by conversation, with what was seen of each on both sides."""

    def __init__(self, *, contents: SqliteContents, database: MongoDatabase) -> None:
        self._contents, self._database = contents, database
        self._target = MongoContents(database)
        self.here, self.there = Tally(), Tally()
        self.moved = self.gone_on = self.erased = 0

    async def run(self, progress: Progress) -> None:
        """Move the conversations, and then what belongs to none."""
        versions, erased = await self._target.versions(), await erased_ids(self._database)
        left = [one for one in self._contents.conversations() if one not in erased]
        self.erased = len(self._contents.conversations()) - len(left)
        task = progress.add_task("conversations", total=len(left))
        for batch in _batches(left, AT_ONCE):
            await asyncio.gather(*(self._conversation(one, versions.get(one)) for one in batch))
            progress.advance(task, len(batch))
        await self._household()

    async def _conversation(self, conversation: ConversationId, version: int | None) -> None:
        if version is not None and version != AS_MOVED:
            self.gone_on += 1
            return
        belongings = self._contents.belongings(conversation)
        if version is None:
            await self._target.put(belongings)
            self.moved += 1
        self.here.add(belongings.by_kind(), of=conversation)
        self.there.add((await self._target.belongings(conversation)).by_kind(), of=conversation)

    async def _household(self) -> None:
        """Agents go on as soon as anybody signs in, so once it was all the same it is not compared again."""
        if await was_moved(self._database):
            return
        household = self._contents.household()
        await put_household(self._database, household)
        self.here.add(household.by_kind())
        self.there.add((await read_household(self._database, household)).by_kind())
        if self.here.counted() == self.there.counted():
            await note_moved(self._database)


def _batches(ids: Sequence[ConversationId], size: int) -> Iterator[list[ConversationId]]:
    """Yield some at a time."""
    rest = iter(ids)
    while batch := list(islice(rest, size)):
        yield batch
