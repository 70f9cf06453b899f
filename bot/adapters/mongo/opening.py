"""Opens MongoDB with the driver that the settings choose. Motor is named in this module only."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pymongo import AsyncMongoClient
from pymongo.errors import OperationFailure, PyMongoError

from bot.adapters.mongo.access import Driver, MongoAccess
from bot.adapters.mongo.database import OPERATION_S, MongoDatabase
from bot.errors import Misconfigured, StoreUnavailable

__all__ = ["Driver", "MongoAccess", "opened_database", "require_let_in"]

SELECTION_MS = 3000  # the drivers' own 30 s would hold up every customer while the server is down
_LOCKED_OUT = frozenset({13, 18, 8000})  # Unauthorized, AuthenticationFailed, and Atlas's own AtlasError


@asynccontextmanager
async def opened_database(
    access: MongoAccess, *, operation_s: float = OPERATION_S
) -> AsyncIterator[MongoDatabase]:
    """Open a database, and close the client at the end; nothing is sent before the first call. Misconfigured for a wrong address."""
    client = _client(access)
    try:
        yield MongoDatabase(client[access.database], operation_s=operation_s)
    finally:
        closing = client.close()
        if closing is not None:  # Motor closes at once
            await closing


async def require_let_in(database: MongoDatabase, access: MongoAccess) -> None:
    """Raise Misconfigured when the server refuses who we are, or keeps us out of this database; StoreUnavailable when it is not there."""
    try:
        await database.collections()
    except StoreUnavailable as exc:
        if isinstance(exc.__cause__, OperationFailure) and exc.__cause__.code in _LOCKED_OUT:
            raise Misconfigured(
                f"{access.setting}: {access.hosts} does not let its user into the database {access.database} "
                f"({_reason(exc.__cause__)}); check user, password and the name of the database"
            ) from exc
        raise


def _reason(refusal: OperationFailure) -> str:
    return str((refusal.details or {}).get("errmsg", refusal.code))


def _client(access: MongoAccess) -> Any:
    options: dict[str, Any] = {
        "serverSelectionTimeoutMS": SELECTION_MS,
        "connectTimeoutMS": SELECTION_MS,
        "w": "majority",
        "appname": "candor",
    }
    try:
        if access.driver is Driver.PYMONGO:
            return AsyncMongoClient(access.uri, **options)
        from motor.motor_asyncio import AsyncIOMotorClient  # noqa: PLC0415 - only where it is chosen

        return AsyncIOMotorClient(access.uri, **options)
    except (PyMongoError, ValueError) as exc:
        problem = str(exc).replace(access.uri, "the address")
        raise Misconfigured(
            f"{access.setting}: {problem}; write an address such as mongodb://db.example:27017"
        ) from exc
