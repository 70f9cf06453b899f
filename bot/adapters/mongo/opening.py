"""Opens MongoDB with the driver that the settings choose. Motor is named in this module only."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pymongo import AsyncMongoClient
from pymongo.errors import PyMongoError

from bot.adapters.mongo.database import MongoDatabase
from bot.errors import Misconfigured

SELECTION_MS = 3000  # the drivers' own 30 s would hold up every customer while the server is down


class Driver(StrEnum):
    """Who speaks to the server."""

    MOTOR = "motor"
    PYMONGO = "pymongo"


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoAccess:
    """Where a database is. `uri` may hold a password: it is shown nowhere."""

    uri: str
    database: str
    driver: Driver = Driver.MOTOR


@asynccontextmanager
async def opened_database(access: MongoAccess) -> AsyncIterator[MongoDatabase]:
    """Open a database, and close the client at the end; nothing is sent before the first call. Misconfigured for a wrong address."""
    client = _client(access)
    try:
        yield MongoDatabase(client[access.database])
    finally:
        closing = client.close()
        if closing is not None:  # Motor closes at once
            await closing


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
            f"MONGODB_URI: {problem}; write an address such as mongodb://db.example:27017"
        ) from exc
