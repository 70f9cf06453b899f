"""Opening MongoDB: who is kept out, what is missing, and what stands in the way is said; what fails for a while is done once in the end."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.mongo.access import MongoAccess
from bot.adapters.mongo.opening import opened_database
from bot.core.conversation import Status
from bot.core.knowledge import IndexState
from bot.errors import Misconfigured, StoreUnavailable
from bot.knowledge_wiring import opened_knowledge
from bot.places import conversations_at
from bot.settings import Settings
from bot.store_wiring import opened_stores
from bot.stores import Stores
from bot.terminal.migrating import migrate
from tests.builders import a_conversation, a_customer_message
from tests.contract.scene import Scene
from tests.vendors.atlas import atlas
from tests.vendors.mongodb_front import Command, MongoFront, Reply, refusal

NOT_PRIMARY = refusal("not primary", 10107)
UNIQUE = 8


@pytest.fixture
def front() -> Iterator[MongoFront]:
    """The server that every test of this process uses, well again in the end."""
    front = atlas()
    was = front.refuse, front.deny
    yield front
    front.refuse, front.deny = was
    front.is_down = False


@pytest.fixture
def settings(front: MongoFront, tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    """A database that no other test has."""
    name = f"w{abs(hash(request.node.name)):x}"
    return Settings(data_dir=tmp_path, mongodb_uri=SecretStr(front.uri), mongodb_database=name)


@asynccontextmanager
async def migrated(settings: Settings) -> AsyncIterator[Stores]:
    await migrate(settings)
    async with opened_stores(settings) as stores:
        yield stores


def named(command: str, collection: str, reply: Reply):
    """Return what answers one command on one collection with *reply*, the first time."""
    left = [reply]

    def answer(given: Command) -> Reply | None:
        return left.pop() if left and given.get(command) == collection else None

    return answer


async def test_nothing_is_served_before_the_unique_indexes_are_there(settings):
    """FAULTS M4, R-D4."""
    with pytest.raises(Misconfigured) as refused:
        async with opened_stores(settings):
            pass

    for missing in ("messages (conversation, seq)", "messages (conversation, once)", "agents (email_key)"):
        assert missing in str(refused.value)
    assert "run `python -m bot migrate`" in str(refused.value)


async def test_migrating_makes_them_and_a_second_time_changes_nothing(settings):
    first, second = await migrate(settings), await migrate(settings)

    assert (first["before"], first["after"]) == (0, UNIQUE)
    assert (second["before"], second["after"]) == (UNIQUE, UNIQUE)
    async with opened_stores(settings) as stores:
        await stores.conversations.ping()


async def test_documents_that_share_what_only_one_may_have_are_named(settings):
    """FAULTS R-D4."""
    async with opened_database(_access(settings)) as database:
        for place in ("here", "there"):
            await database.insert("agents", {"_id": place, "email_key": "anna@shop.example"})

    with pytest.raises(
        Misconfigured, match=r"agents with the same email_key: 'anna@shop.example' in here, there"
    ):
        await migrate(settings)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (18, "Authentication failed."),
        (13, "not authorized on it"),
        (8000, "bad auth : authentication failed"),
    ],
)
async def test_a_wrong_key_and_a_wrong_database_name_themselves(settings, front, code, said):
    """DESIGN §2.5: the setting, the server and the database stand in the error."""
    front.refuse = named("listCollections", 1, refusal(said, code))

    with pytest.raises(
        Misconfigured, match=f"^MONGODB_URI: .*{front.port}.*{settings.mongodb_database}.*{said}"
    ):
        async with opened_stores(settings):
            pass


async def test_the_knowledge_base_names_its_own_key(settings, front):
    own = settings.model_copy(update={"kb_mongodb_uri": settings.mongodb_uri, "kb_database": "articles"})
    front.refuse = named("listCollections", 1, refusal("Authentication failed.", 18))

    with pytest.raises(Misconfigured, match=r"^KB_MONGODB_URI: .*into the database articles"):
        async with opened_knowledge(own):
            pass


async def test_articles_that_are_sought_in_the_wrong_database_are_missing_and_not_unanswerable(settings):
    async with opened_knowledge(settings) as knowledge:
        status = await knowledge.index.status()

    assert status.state is IndexState.MISSING
    assert status.detail.endswith(f"(it is sought in the MongoDB database {settings.mongodb_database}_kb)")


async def test_a_server_that_is_down_at_the_start_is_named(settings, front):
    """FAULTS R-D1."""
    front.is_down = True

    with pytest.raises(StoreUnavailable, match=f"^MONGODB_URI: .*{front.port} does not answer"):
        async with opened_stores(settings):
            pass


@pytest.mark.parametrize("how", ["refuse", "deny"])
async def test_a_message_that_a_primary_took_or_lost_while_it_stepped_down_is_kept_once(settings, front, how):
    """FAULTS R-D2: whether or not the write was carried out, the same id again has one effect."""
    async with migrated(settings) as stores:
        scene = await Scene.open(stores.conversations)
        setattr(front, how, named("update", "conversations", NOT_PRIMARY))

        with pytest.raises(StoreUnavailable, match="not primary"):
            await scene.customer_writes(channel_message_id="m1")
        again = await scene.customer_writes(channel_message_id="m1")

        kept = (await stores.conversations.snapshot(scene.id, after=0)).messages
    assert [message.channel_message_id for message in kept] == ["m1"]
    assert again.message == kept[0]
    assert again.duplicate is (how == "deny")


async def test_while_the_server_is_away_everything_fails_soon_and_afterwards_nothing_is_lost_or_doubled(
    settings, front
):
    """FAULTS M3, R-D1: how soon is the deadline of every operation, OPERATION_S."""
    async with migrated(settings) as stores:
        conversation = await stores.conversations.open_conversation(a_conversation())
        message = a_customer_message(conversation=conversation.id, channel_message_id="m1")
        await stores.conversations.receive(message, at_ms=1)

        front.is_down = True
        with pytest.raises(StoreUnavailable):
            await stores.conversations.conversation(conversation.id)
        front.is_down = False

        assert (await stores.conversations.receive(message, at_ms=2)).duplicate
        state = await stores.conversations.conversation(conversation.id)
    assert (state.last_seq, state.status) == (1, Status.BOT)


async def test_a_full_disk_stops_writes_and_nothing_else(settings, front):
    """FAULTS M6, R-D5: reads go on, and space heals it without a restart."""
    full = refusal("No space left on device", 14031)
    async with migrated(settings) as stores:
        scene = await Scene.open(stores.conversations)
        await scene.customer_writes(channel_message_id="m1")
        front.refuse = lambda command: (
            full if {"insert", "update", "findAndModify"} & command.keys() else None
        )

        with pytest.raises(StoreUnavailable, match="No space left"):
            await scene.customer_writes(channel_message_id="m2")
        with pytest.raises(StoreUnavailable):
            await stores.conversations.ping()
        kept = (await stores.conversations.snapshot(scene.id, after=0)).messages
        front.refuse = lambda _command: None

        received = await scene.customer_writes(channel_message_id="m2")
    assert [message.channel_message_id for message in kept] == ["m1"]
    assert (received.message.seq, received.duplicate) == (2, False)


def _access(settings: Settings) -> MongoAccess:
    access = conversations_at(settings)
    assert access is not None
    return access
