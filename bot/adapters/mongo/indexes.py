"""The unique indexes that the stores' promises rest on (FAULTS M4): `migrate` makes them, `serve` will not start without them."""

from collections.abc import Mapping, Sequence

from bot.adapters.mongo.database import MongoDatabase
from bot.errors import Misconfigured

UNIQUE: Mapping[str, Sequence[Sequence[str]]] = {
    "messages": (("conversation", "seq"), ("conversation", "once")),
    "notes": (("conversation", "seq"), ("conversation", "once")),
    "agents": (("email_key",),),
    "invitations": (("digest",),),
    "erased": (("number",),),
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
}
COLLECTIONS = tuple(
    sorted(
        UNIQUE.keys()
        | SORTED.keys()
        | {"canned_replies", "counters", "ledger", "read_marks", "sign_outs", "state", "subjects"}
    )
)


async def create_indexes(database: MongoDatabase) -> None:
    """Make what is missing; StoreUnavailable names the values that two documents share."""
    for collection, indexes in UNIQUE.items():
        for fields in indexes:
            await database.require_unique(collection, fields)
    for collection, indexes in SORTED.items():
        for fields in indexes:
            await database.add_index(collection, fields)


async def require_indexes(database: MongoDatabase) -> None:
    """Raise Misconfigured, naming what is missing, unless every unique index is there."""
    missing = []
    for collection, indexes in UNIQUE.items():
        there = await database.index_keys(collection)
        wanted = {tuple((field, 1) for field in fields): fields for fields in indexes}
        missing += [
            f"{collection} ({', '.join(fields)})" for keys, fields in wanted.items() if keys not in there
        ]
    if missing:
        raise Misconfigured(
            f"the MongoDB database {database.name} lacks the unique indexes on {'; '.join(missing)}, without which a message "
            "could be kept twice; run `python -m bot migrate`"
        )
