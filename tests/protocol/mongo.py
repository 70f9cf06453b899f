"""A process's view of a MongoDB database, whose server can be lost to it at any call."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pymongo.errors import AutoReconnect

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.documents import to_message, to_turn
from bot.adapters.mongo.keeping import CONVERSATIONS, to_kept
from bot.core.conversation import Kind
from bot.core.outbox import Announcement
from bot.stored_rows import to_audit, to_handoff, to_outbox
from tests.builders import CONVERSATION
from tests.protocol.promises import Record


class LosableDatabase(MongoDatabase):
    """Does as many calls more as `left` says, all of them when it is None; the first that is lost is done all the same if `is_done`."""

    left: int | None = None
    is_done = False

    def lose(self, *, after: int, is_done: bool) -> None:
        """Lose the server after so many calls."""
        self.left, self.is_done = after, is_done

    @contextmanager
    def _within(self) -> Iterator[None]:
        with super()._within():
            if self.left is None:
                yield
                return
            self.left -= 1
            if self.left < 0 and not (self.is_done and self.left == -1):
                raise AutoReconnect("the server is gone")
            yield
            if self.left < 0:
                raise AutoReconnect("the reply is lost")


async def record_as_left(database: MongoDatabase) -> Record:
    """Read everything, what is not copied yet included, and copy none of it: that is left to whoever comes next."""
    found = await database.find_one(CONVERSATIONS, {"_id": CONVERSATION})
    assert found is not None
    kept = to_kept(found)
    rows = {
        into: await _rows(database, into, [one["row"] for one in kept.journal if one["into"] == into])
        for into in ("messages", "turns", "handoffs", "audit", "outbox")
    }
    messages = [one for one in map(to_message, rows["messages"]) if one.kind is not Kind.NOTE]
    told = [one for one in map(to_outbox, rows["outbox"]) if one.kind is Announcement.MESSAGE]
    return Record(
        state=kept.record.state,
        messages=tuple(sorted(messages, key=lambda one: one.seq)),
        turns=tuple(map(to_turn, rows["turns"])),
        handoffs=tuple(sorted(map(to_handoff, rows["handoffs"]), key=lambda one: one.epoch)),
        audit=tuple(map(to_audit, rows["audit"])),
        epoch_of={one.seq: one.epoch for one in told if one.seq},
    )


async def _rows(database: MongoDatabase, into: str, uncopied: list[Any]) -> list[Any]:
    rows: dict[str, Any] = {
        str(one["_id"]): one for one in await database.find(into, {"conversation": CONVERSATION})
    }
    for one in uncopied:
        if rows.setdefault(one["_id"], one)["order"] < one["order"]:
            rows[one["_id"]] = one
    return sorted(rows.values(), key=lambda one: one["order"])
