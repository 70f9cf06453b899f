"""`migrate`: brings what keeps conversations to this version: the file's schema, or the indexes of the MongoDB database."""

from collections.abc import Mapping
from pathlib import Path

from bot.adapters.mongo.access import MongoAccess
from bot.adapters.sqlite.opening import migrate_file
from bot.errors import InputRejected
from bot.places import conversations_at, database_file
from bot.settings import Settings

INDEXING_S = 3600.0  # an index over all messages takes long, and nobody waits for it


async def migrate(settings: Settings) -> Mapping[str, object]:
    """Return what was brought from where to where; Misconfigured when it cannot be."""
    if (access := conversations_at(settings)) is not None:
        return await _indexed(access)
    path = database_file(settings)
    before, after = migrate_file(path)
    return {"file": str(path), "before": before, "after": after}


def source_of(given: str) -> Path:
    """Return the file that `--from` names; InputRejected when it names none."""
    path = given.removeprefix("sqlite:")
    if not path or path == given:
        raise InputRejected(
            "--from", f"{given!r} names no data file", "write sqlite:PATH, such as sqlite:var/candor.db"
        )
    return Path(path).expanduser().resolve()


def said(done: Mapping[str, object]) -> str:
    """Return the sentence for a person."""
    if "file" in done:
        return f"{done['file']}: schema version {done['before']} → {done['after']}"
    return f"MongoDB database {done['database']}: unique indexes {done['before']} → {done['after']}"


async def _indexed(access: MongoAccess) -> Mapping[str, object]:
    from bot.adapters.mongo import indexes  # noqa: PLC0415 - only where it is chosen
    from bot.adapters.mongo.opening import opened_database, require_let_in  # noqa: PLC0415

    async with opened_database(access, operation_s=INDEXING_S) as database:
        await require_let_in(database, access)
        before = len(await indexes.missing_indexes(database))
        await indexes.create_indexes(database)
    wanted = indexes.WANTED
    return {"database": access.database, "before": wanted - before, "after": wanted}
