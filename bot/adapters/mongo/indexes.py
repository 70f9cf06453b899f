"""The unique indexes that the stores' promises rest on (FAULTS M4): `migrate` makes them, `serve` will not start without them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.schemas import SCHEMAS
from bot.errors import Misconfigured, StoreUnavailable

UNIQUE: Mapping[str, Sequence[Sequence[str]]] = {
    "messages": (("conversation", "seq"), ("conversation", "once")),
    "notes": (("conversation", "seq"), ("conversation", "once")),
    "agents": (("email_key",),),
    "invitations": (("digest",),),
    "erased": (("number",),),
    "slack_inbox": (("once",),),
}
SORTED: Mapping[str, Sequence[Sequence[str]]] = {
    "conversations": (
        ("owes", "owed_since_ms"),
        ("unsettled",),
        ("status", "waiting_since_ms"),
        ("profile.subject",),
        ("written_ms",),
        ("created_ms",),
    ),
    "messages": (("words", "at_ms"),),
    "turns": (("conversation", "order"), ("settled_ms",)),
    "handoffs": (("conversation", "order"), ("closed_ms", "opened_ms"), ("opened_ms",), ("replied_ms",)),
    "audit": (("conversation", "order"), ("after", "at_ms")),
    "outbox": (("delivered_ms", "created_ms"), ("conversation", "delivered_ms")),
    "notes": (("at_ms",),),
    "marks": (("conversation",), ("kind", "at_ms")),
    "unsent_replies": (("conversation",),),
    "ratings": (("conversation", "order"), ("at_ms",)),
    "attachments": (("conversation", "order"),),
    "spending": (("at_ms",), ("conversation", "at_ms")),
    "sessions": (("agent",), ("expires_ms",)),
    "slack_inbox": (("done_ms", "dead_ms", "due_ms"), ("done_ms", "received_ms"), ("dead_ms",)),
    "slack_threads": (("conversation",),),
    "slack_posts": (("conversation",), ("channel", "ts")),
    "slack_people": (("agent",),),
}
COLLECTIONS = tuple(
    sorted(
        UNIQUE.keys()
        | SORTED.keys()
        | {"canned_replies", "counters", "ledger", "read_marks", "sign_outs", "state", "subjects"}
    )
)


WANTED = sum(map(len, UNIQUE.values()))
_NAMED = 5  # pairs of duplicates, at most; there may be thousands


async def create_indexes(database: MongoDatabase) -> None:
    """Make what is missing, and tell the server what documents look like; Misconfigured names the documents that stand in the way because they share what only one may have."""
    for collection, indexes in UNIQUE.items():
        for fields in indexes:
            try:
                await database.require_unique(collection, fields)
            except StoreUnavailable as failure:
                if shared := await _duplicates(database, collection, fields):
                    raise Misconfigured(
                        f"the MongoDB database {database.name} holds several documents in {collection} with the same "
                        f"{', '.join(fields)}: {'; '.join(shared)}. Remove or correct all but one of each, then run "
                        "`python -m bot migrate` again"
                    ) from failure
                raise
    for collection, indexes in SORTED.items():
        for fields in indexes:
            await database.add_index(collection, fields)
    await require_shapes(database)


async def require_shapes(database: MongoDatabase) -> None:
    """Let the server refuse documents of other shapes; those that are there already may still be changed."""
    there = frozenset(await database.collections())
    for collection, schema in SCHEMAS.items():
        await database.require_shape(collection, schema, is_new=collection not in there)


async def missing_indexes(database: MongoDatabase) -> tuple[str, ...]:
    """Name the unique indexes that are not there."""
    missing = []
    for collection, indexes in UNIQUE.items():
        there = await database.index_keys(collection)
        missing += [
            f"{collection} ({', '.join(fields)})"
            for fields in indexes
            if tuple((field, 1) for field in fields) not in there
        ]
    return tuple(missing)


async def require_indexes(database: MongoDatabase) -> None:
    """Raise Misconfigured, naming what is missing, unless every unique index is there."""
    if missing := await missing_indexes(database):
        raise Misconfigured(
            f"the MongoDB database {database.name} lacks the unique indexes on {'; '.join(missing)}, without which a message "
            "could be kept twice; run `python -m bot migrate`"
        )


async def _duplicates(database: MongoDatabase, collection: str, fields: Sequence[str]) -> list[str]:
    """Return what several documents share, with their ids."""
    shared: dict[tuple[object, ...], list[object]] = defaultdict(list)
    for one in await database.find(collection, {}, fields=dict.fromkeys(fields, 1)):
        shared[tuple(one.get(field) for field in fields)].append(one["_id"])
    several = {values: ids for values, ids in shared.items() if len(ids) > 1}
    return [
        f"{', '.join(map(repr, values))} in {', '.join(map(str, ids[:_NAMED]))}"
        for values, ids in islice(several.items(), _NAMED)
    ]
