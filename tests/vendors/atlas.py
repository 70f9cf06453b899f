"""One MongoDB server with vector search in front of it, for the knowledge base: started when a test first asks for it."""

import atexit
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import MongoClient

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.database import MongoDatabase
from tests.vendors.deployment import real_deployment
from tests.vendors.mongodb_front import MongoFront, front_in_background
from tests.vendors.mongodb_server import UNHURRIED_S, mongodb_server

NAME = "candor_test_knowledge"
_opened = ExitStack()
atexit.register(_opened.close)


@cache
def atlas() -> MongoFront:
    """Return the front, which every test of this process uses."""
    directory = _opened.enter_context(tempfile.TemporaryDirectory(prefix="candor-mongodb-"))
    server = _opened.enter_context(mongodb_server(Path(directory)))
    with MongoClient[dict[str, object]](server.uri, serverSelectionTimeoutMS=20_000) as client:
        client.admin.command("ping")
    return _opened.enter_context(front_in_background(server.uri))


@contextmanager
def emptied_knowledge() -> Iterator[tuple[BlockingDatabase, MongoDatabase]]:
    """Open the knowledge base for who blocks and for who waits, and leave nothing in it."""
    uri = real_deployment() or atlas().uri
    blocking: MongoClient[dict[str, object]] = MongoClient(uri)
    waiting: AsyncIOMotorClient[dict[str, object]] = AsyncIOMotorClient(uri)
    try:
        yield BlockingDatabase(blocking[NAME]), MongoDatabase(waiting[NAME], operation_s=UNHURRIED_S)
    finally:
        waiting.close()
        for collection in blocking[NAME].list_collection_names():
            blocking[NAME].drop_collection(collection)
        blocking.close()
        if real_deployment() is None:
            atlas().indexes.clear()
