"""What happened in a span of time: turns, handoffs, claims, and what customers wrote after them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.documents import to_turn
from bot.core.activity import AFTERWARDS_MS, Activity, HandoffTimes, SettledTurn
from bot.core.conversation import DID_NOT_HELP, HELPED, ConversationId, Kind, Role, Status
from bot.core.turn import Turn

T = TypeVar("T")


async def activity(database: MongoDatabase, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
    """Return what happened in the span, by conversation."""
    span = {"$gte": since_ms, "$lt": until_ms}
    claims = {"after": str(Status.CLAIMED), "before": {"$ne": str(Status.CLAIMED)}, "at_ms": span}
    turns = _grouped(await _found(database, "turns", {"settled_ms": span}, "settled_ms"), _to_settled)
    handoffs = _grouped(await _found(database, "handoffs", {"opened_ms": span}, "opened_ms"), _to_times)
    claimed = _grouped(await _found(database, "audit", claims, "at_ms"), lambda one: int(one["at_ms"]))
    active = sorted(turns.keys() | handoffs.keys() | claimed.keys())
    wrote, helped = await _afterwards(database, active, {"$gte": since_ms, "$lt": until_ms + AFTERWARDS_MS})
    return tuple(
        Activity(
            conversation=ConversationId(one),
            turns=turns[one],
            handoffs=handoffs[one],
            wrote_ms=wrote[one],
            helped=helped[one],
            claimed_ms=claimed[one],
        )
        for one in active
    )


async def handoff_turns(database: MongoDatabase, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
    """Return the turns of the span that handed over, oldest first."""
    query = {"settled_ms": {"$gte": since_ms, "$lt": until_ms}, "outcome": "handoff"}
    found = await database.find("turns", query, order=[("settled_ms", 1), ("_id", 1)])
    return tuple(map(to_turn, found))


async def _afterwards(
    database: MongoDatabase, conversations: list[str], span: Mapping[str, int]
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[tuple[int, bool], ...]]]:
    """Return when customers wrote, and what they said of answers."""
    theirs = {"conversation": {"$in": conversations}, "role": str(Role.CUSTOMER), "at_ms": span}
    verdicts = {**theirs, "kind": str(Kind.FEEDBACK), "text": {"$in": [HELPED, DID_NOT_HELP]}}
    wrote = await _found(database, "messages", {**theirs, "kind": str(Kind.TEXT)}, "at_ms")
    helped = await _found(database, "messages", verdicts, "at_ms")
    return (
        _grouped(wrote, lambda one: int(one["at_ms"])),
        _grouped(helped, lambda one: (int(one["at_ms"]), one["text"] == HELPED)),
    )


async def _found(
    database: MongoDatabase, collection: str, query: Mapping[str, object], time: str
) -> list[dict[str, Any]]:
    return await database.find(collection, query, order=[(time, 1), ("order", 1)])


def _grouped(
    found: Iterable[Mapping[str, Any]], to_value: Callable[[Mapping[str, Any]], T]
) -> dict[str, tuple[T, ...]]:
    grouped: dict[str, tuple[T, ...]] = defaultdict(tuple)
    for one in found:
        grouped[one["conversation"]] += (to_value(one),)
    return grouped


def _to_settled(one: Mapping[str, Any]) -> SettledTurn:
    return SettledTurn(settled_ms=one["settled_ms"], outcome=one["outcome"], reason=one["reason"])


def _to_times(one: Mapping[str, Any]) -> HandoffTimes:
    return HandoffTimes(
        reason=one["reason"],
        opened_ms=one["opened_ms"],
        claimed_ms=one["claimed_ms"],
        replied_ms=one["replied_ms"],
    )
