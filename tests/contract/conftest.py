"""FAULTS M5: the stores that every promise of the port is tried on: the in-memory twin, SQLite, and MongoDB through both drivers."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.customers import MemoryCustomerStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.customers import MongoCustomerStore
from bot.adapters.mongo.desk import MongoDeskStore
from bot.adapters.mongo.opening import Driver
from bot.adapters.mongo.slack import MongoSlackStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.customers import SqliteCustomerStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.customer_ports import CustomerStore
from bot.desk_ports import DeskStore
from bot.ports import ConversationStore
from bot.slack_ports import SlackStore
from tests.contract.scene import Scene
from tests.sqlite_file import new_file
from tests.vendors.mongodb_server import MongoServer, emptied_database


@pytest.fixture(params=["memory", "sqlite", "motor", "pymongo"])
def store(request: pytest.FixtureRequest) -> ConversationStore:
    """One store after the other."""
    store: ConversationStore = request.getfixturevalue(request.param)
    return store


@pytest.fixture
async def scene(store: ConversationStore) -> Scene:
    """The same stores with one open conversation and short words for what happens in it."""
    return await Scene.open(store)


@pytest.fixture
def customers(store: ConversationStore, request: pytest.FixtureRequest) -> CustomerStore:
    """The customers of the same conversations."""
    if isinstance(store, MemoryConversationStore):
        return MemoryCustomerStore(store)
    if isinstance(store, MongoConversationStore):
        return MongoCustomerStore(store.database)
    return SqliteCustomerStore(request.getfixturevalue("database"))


@pytest.fixture
def desk(store: ConversationStore, customers: CustomerStore, request: pytest.FixtureRequest) -> DeskStore:
    """What agents read of the same conversations, and write beside them."""
    if isinstance(store, MemoryConversationStore):
        return MemoryDeskStore(store, customers)
    if isinstance(store, MongoConversationStore):
        return MongoDeskStore(store.database)
    return SqliteDeskStore(request.getfixturevalue("database"))


@pytest.fixture
def slack(store: ConversationStore, request: pytest.FixtureRequest) -> SlackStore:
    """What is kept of Slack beside the same conversations."""
    if isinstance(store, MemoryConversationStore):
        return MemorySlackStore(store)
    if isinstance(store, MongoConversationStore):
        return MongoSlackStore(store.database)
    return SqliteSlackStore(request.getfixturevalue("database"))


@pytest.fixture
async def motor(mongodb: MongoServer) -> AsyncIterator[ConversationStore]:
    async with emptied_database(mongodb, Driver.MOTOR) as database:
        yield MongoConversationStore(database)


@pytest.fixture
async def pymongo(mongodb: MongoServer) -> AsyncIterator[ConversationStore]:
    async with emptied_database(mongodb, Driver.PYMONGO) as database:
        yield MongoConversationStore(database)


@pytest.fixture
def memory() -> ConversationStore:
    return MemoryConversationStore()


@pytest.fixture
def sqlite(database: SqliteDatabase) -> ConversationStore:
    return SqliteConversationStore(database)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase.open(new_file(tmp_path / "candor.db"))
    yield database
    database.close()
