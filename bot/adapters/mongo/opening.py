"""Opens MongoDB with the driver that the settings choose, or with the one that blocks. Motor is named in this module only."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from pymongo import AsyncMongoClient, MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from bot.adapters.mongo.access import Driver, MongoAccess
from bot.adapters.mongo.blocking import BlockingDatabase, Document
from bot.adapters.mongo.database import OPERATION_S, MongoDatabase
from bot.errors import Misconfigured, StoreUnavailable

__all__ = ["Driver", "MongoAccess", "opened_blocking", "opened_database", "require_let_in"]

SELECTION_MS = 3000  # the drivers' own 30 s would hold up every customer while the server is down
_OPTIONS: Mapping[str, Any] = {
    "serverSelectionTimeoutMS": SELECTION_MS,
    "connectTimeoutMS": SELECTION_MS,
    "w": "majority",
    "appname": "candor",
}
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


@contextmanager
def opened_blocking(access: MongoAccess) -> Iterator[BlockingDatabase]:
    """Open a database for who has nothing else to do than to wait for it, whichever driver the service has."""
    with _translated(access):
        client = MongoClient[Document](access.uri, **_OPTIONS)
    try:
        yield BlockingDatabase(client[access.database])
    finally:
        client.close()


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
        raise StoreUnavailable(f"{access.setting}: {access.hosts} does not answer. {exc}") from exc


def _reason(refusal: OperationFailure) -> str:
    return str((refusal.details or {}).get("errmsg", refusal.code))


def _client(access: MongoAccess) -> Any:
    with _translated(access):
        if access.driver is Driver.PYMONGO:
            return AsyncMongoClient(access.uri, **_OPTIONS)
        from motor.motor_asyncio import AsyncIOMotorClient  # noqa: PLC0415 - only where it is chosen

        return AsyncIOMotorClient(access.uri, **_OPTIONS)


@contextmanager
def _translated(access: MongoAccess) -> Iterator[None]:
    try:
        yield
    except (PyMongoError, ValueError) as exc:
        problem = str(exc).replace(access.uri, "the address")
        raise Misconfigured(
            f"{access.setting}: {problem}; write an address such as mongodb://db.example:27017"
        ) from exc
