"""The shapes that MongoDB is told to insist on: what the stores write fits them, and what would break a reader does not.

The server of these tests ignores them, so they are held against the documents here.
"""

import json
from collections.abc import AsyncIterator, Iterator

import jsonschema_rs
import pytest

from bot.adapters.mongo.access import Driver, MongoAccess
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.indexes import COLLECTIONS, require_shapes
from bot.adapters.mongo.opening import opened_database
from bot.adapters.mongo.schemas import ARTICLES, KNOWLEDGE, PASSAGES, SCHEMAS
from tests.builders import a_handoff
from tests.contract.knowledge_rig import in_mongo
from tests.contract.scene import Scene
from tests.knowledge_builders import a_calibration, a_run, an_article
from tests.vendors.atlas import atlas, emptied_knowledge
from tests.vendors.mongodb_front import Command, MongoFront, Reply
from tests.vendors.mongodb_server import MongoServer, emptied_database

WITHOUT_SHAPE = {"state"}  # marks of its own kind each
SHAPES = {**SCHEMAS, **KNOWLEDGE, "articles": ARTICLES, "passages": PASSAGES}
LIFE = {"conversations", "messages", "turns", "handoffs", "audit", "outbox"}


@pytest.fixture
async def database(mongodb: MongoServer) -> AsyncIterator[MongoDatabase]:
    async with emptied_database(mongodb, Driver.PYMONGO) as database:
        yield database


@pytest.fixture
def front() -> Iterator[MongoFront]:
    """A server whose commands are seen."""
    front = atlas()
    was = front.refuse
    yield front
    front.refuse = was


def problems(collection: str, document: object) -> list[str]:
    """Return what a server that knows the shape would refuse; bytes and dates are texts to it here."""
    plain = json.loads(json.dumps(document, default=str))
    validator = jsonschema_rs.Draft7Validator(dict(SHAPES[collection]))
    return [error.message for error in validator.iter_errors(plain)]


def test_every_collection_but_that_of_marks_has_a_shape():
    assert SCHEMAS.keys() | WITHOUT_SHAPE >= set(COLLECTIONS)


async def test_what_a_conversation_leaves_behind_fits(database):
    scene = await Scene.open(MongoConversationStore(database))
    await scene.customer_writes()
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    await scene.agent_replies("I have a look.", id="r1", read=held)
    await scene.agent_resolves()

    kept = {collection: await database.find(collection, {}) for collection in sorted(LIFE)}

    assert all(kept.values())
    assert [problems(name, one) for name, some in kept.items() for one in some if problems(name, one)] == []


def test_what_a_sync_leaves_behind_fits():
    with emptied_knowledge() as (database, waiting):
        rig = in_mongo(database, waiting)
        rig.publish(an_article("KB1"), an_article("KB2", supersedes=("KB1",), last_modified_ms=1))
        rig.change(retired=["KB2"])
        rig.writer.store_calibration(a_calibration())
        rig.writer.record_run(a_run("r2", ended_ms=None))
        kept = {name: database.find(name, {}) for name in database.collections()}

    assert {shape_of(name) for name in kept} == {*KNOWLEDGE, "articles", "passages"}
    assert all(kept.values())
    assert [p for name, some in kept.items() for one in some for p in problems(shape_of(name), one)] == []


def shape_of(collection: str) -> str:
    """Return the name under which the shape of a collection stands; each generation has two of its own."""
    return (
        collection.partition("_g")[0] if collection.startswith(("articles_g", "passages_g")) else collection
    )


@pytest.mark.parametrize("collection", sorted(SHAPES))
def test_a_document_that_lacks_a_field_is_refused(collection):
    assert problems(collection, {"_id": "a"}) != []
    assert problems(collection, {}) != problems(collection, {"_id": "a"})


@pytest.mark.parametrize(
    ("collection", "field", "value"),
    [
        ("messages", "seq", "1"),
        ("messages", "text", None),
        ("messages", "role", "visitor"),
        ("conversations", "status", "open"),
        ("conversations", "version", None),
        ("conversations", "journal", {}),
        ("turns", "record", {}),
    ],
)
async def test_a_value_that_no_reader_understands_is_refused(database, collection, field, value):
    scene = await Scene.open(MongoConversationStore(database))
    await scene.customer_writes()
    await scene.bot_hands_over(a_handoff())
    (first, *_) = await database.find(collection, {})

    assert problems(collection, first) == []
    assert len(problems(collection, {**first, field: value})) == 1


async def test_a_field_of_a_newer_version_is_let_through(database):
    await Scene.open(MongoConversationStore(database))
    (kept,) = await database.find("conversations", {})

    assert problems("conversations", {**kept, "mood": "good"}) == []


async def test_the_server_is_told_to_refuse_and_to_leave_what_is_there(front):
    told: dict[str, Command] = {}

    def see(command: Command) -> Reply | None:
        if "collMod" in command:
            told[command["collMod"]] = command
        return None

    front.refuse = see
    async with opened_database(MongoAccess(uri=front.uri, database="candor_test_shapes")) as database:
        await require_shapes(database)
        await require_shapes(database)

    assert told.keys() == SCHEMAS.keys()
    assert {name: one["validator"]["$jsonSchema"] for name, one in told.items()} == SCHEMAS
    assert {(one["validationLevel"], one["validationAction"]) for one in told.values()} == {
        ("moderate", "error")
    }
