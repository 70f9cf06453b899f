"""`migrate --from` moves a grown data file into MongoDB whole: compared row by row, twice without harm, and the file is only read."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pymongo import MongoClient

from bot.adapters.erasure_list import NAME, ErasureList
from bot.adapters.mongo.schemas import SCHEMAS
from bot.adapters.sqlite.accounts import SqliteAccountStore
from bot.adapters.sqlite.catalogue import SqliteArticleCatalogue
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.core.accounts import Agent, AgentRole, Invitation, Session
from bot.core.content import Decision, DecisionKind
from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import CannedReply
from bot.settings import Settings
from bot.store_wiring import opened_stores
from bot.stores import Stores
from tests.adapters.test_mongo_schemas import problems
from tests.builders import NOON_MS, a_customer_message
from tests.kb_sync.folders import write_article
from tests.planting import planted
from tests.synced_sample import sync
from tests.terminal.command_line import CommandLine
from tests.vendors.atlas import atlas

ANNA = AgentId("anna")
GROWN = tuple(ConversationId(f"c{number}") for number in range(3))
GONE = ConversationId("gone")


class Move(CommandLine):
    """`migrate --from` the same file into a database of its own."""

    def __init__(self, data: Path, source: Path, database: str) -> None:
        super().__init__(data)
        self.source = source
        self.environment = {"MONGODB_URI": atlas().uri, "MONGODB_DATABASE": database}

    def moved(self):
        return self.json("migrate", "--from", f"sqlite:{self.source}", **self.environment)

    def see(self, look: Callable[[Stores], Awaitable[object]]):
        async def looked() -> object:
            settings = Settings.model_validate({"CANDOR_DATA_DIR": self.data, **self.environment})
            async with opened_stores(settings) as stores:
                return await look(stores)

        return asyncio.run(looked())


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data file with conversations that went through everything, accounts, an erasure and articles."""
    folder = tmp_path_factory.mktemp("grown")
    for edition in ("first", "second"):
        for number in (1, 2):
            text = f"Open the calendar of your {edition} account and choose day {number}."
            write_article(folder / "articles", f"{number}.md", f"id: KB{number}\ntitle: Day {number}", text)
        asyncio.run(sync(folder / "articles", folder / "data"))
    asyncio.run(_grow(folder / "data" / "candor.db"))
    return folder / "data" / "candor.db"


async def _grow(file: Path) -> None:
    with closing(SqliteDatabase.open(file)) as database:
        for conversation in (*GROWN, GONE):
            await planted(database, conversation, f"marker-{conversation}")
        await SqliteArticleCatalogue(database).decide(
            Decision(key="k", kind=DecisionKind.DISTINCT, loser="KB1", winner="KB2", who="anna", at_ms=1)
        )
        accounts = SqliteAccountStore(database)
        anna = Agent(
            id=ANNA,
            email="anna@shop.example",
            name="Anna",
            role=AgentRole.ADMIN,
            created_ms=1,
            password_hash="h",
        )
        await accounts.add_agent(anna)
        await accounts.invite(Invitation(digest="d", agent=ANNA, expires_ms=NOON_MS))
        await accounts.begin_session(
            Session(digest="s", agent=ANNA, csrf="c", created_ms=1, expires_ms=2 * NOON_MS)
        )
        await SqliteDeskStore(database).save_canned_reply(CannedReply(id="r", title="Hi", text="Hello"))
        listed = ErasureList(file.with_name(NAME))
        await SqliteErasure(database, noted=listed).erase([GONE], who="operator", at_ms=NOON_MS)


@pytest.fixture
def move(grown: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Move]:
    yield Move(tmp_path / "data", grown, f"m{abs(hash(request.node.name)):x}")
    atlas().refuse = lambda _command: None


def test_everything_is_there_afterwards_and_the_file_is_as_it_was(move):
    before = hashlib.sha256(move.source.read_bytes()).hexdigest()

    moved = move.moved()

    assert (moved["moved"], moved["differing"]) == (len(GROWN), [])
    for kind in (
        "messages",
        "turns",
        "handoffs",
        "audit",
        "outbox",
        "notes",
        "marks",
        "ratings",
        "attachments",
        "slack threads",
        "slack posts",
        "slack inbox",
    ):
        assert moved["compared"][kind] >= len(GROWN), kind
    assert {"agents", "sessions", "invitations", "erased", "sign outs", "slack people"} <= moved[
        "compared"
    ].keys()
    assert hashlib.sha256(move.source.read_bytes()).hexdigest() == before
    assert ErasureList(move.data / NAME).all() == (GONE,)


def test_moving_again_changes_nothing_and_leaves_alone_what_has_gone_on(move):
    move.moved()

    async def goes_on(stores: Stores) -> None:
        await stores.conversations.receive(
            replace(a_customer_message("And now?", conversation=GROWN[0]), channel_message_id="new"),
            at_ms=NOON_MS,
        )
        await stores.erasure.erase([GROWN[1]], who="operator", at_ms=NOON_MS)

    move.see(goes_on)
    again = move.moved()

    assert [again[name] for name in ("moved", "gone_on", "erased", "differing")] == [0, 1, 1, []]
    seen = move.see(lambda stores: stores.conversations.snapshot(GROWN[0], after=0))
    assert seen.messages[-1].text == "And now?"
    assert again["articles"] == {"vectors": 0, "generations": 0, "runs": 0, "decisions": 0}


def test_a_move_that_was_cut_off_goes_on(move):
    refused = {"insert": 0}

    def cut(command):
        if command.get("insert") == "conversations":
            refused["insert"] += 1
            return {"ok": 0, "errmsg": "not primary", "code": 10107} if refused["insert"] == 2 else None
        return None

    atlas().refuse = cut
    assert move.run("migrate", "--from", f"sqlite:{move.source}", **move.environment).exit_code == 1
    atlas().refuse = lambda _command: None

    rest = move.moved()
    assert (rest["moved"] < len(GROWN), rest["differing"]) == (True, [])
    assert rest["compared"]["conversations"] >= len(GROWN)


def test_a_conversation_is_handled_there_as_it_was_here(move):
    move.moved()

    async def look(stores: Stores) -> tuple[object, ...]:
        start = await stores.conversations.begin_turn(GROWN[0], history=50, turns_since_ms=0)
        assert start is not None
        found = await stores.desk.search("marker-c0", limit=5)
        person = await stores.erasure.traces_of("subject marker-c0")
        agent = await stores.accounts.session("s", now_ms=1)
        return len(start.unanswered), [one.conversation.id for one in found], len(person), agent is not None

    assert move.see(look) == (2, [GROWN[0]], 1, True)


def test_articles_answer_from_there_and_no_text_is_embedded_again(move):
    moved = move.moved()

    assert (moved["articles"]["generations"], moved["articles"]["decisions"]) == (2, 1)
    assert moved["articles"]["vectors"] > 0
    there = move.json("inspect", "Which day can I choose?", **move.environment)
    assert there == CommandLine(move.source.parent).json("inspect", "Which day can I choose?")
    assert {one["article_id"] for one in there[0]["passages"]} == {"KB1", "KB2"}


def test_what_differs_is_named_and_the_move_has_failed(move):
    move.run("migrate", **move.environment)
    move.run("agents", "add", "anna@shop.example", "--name", "Another Anna", **move.environment)

    moved = move.run("migrate", "--from", f"sqlite:{move.source}", **move.environment)

    assert moved.exit_code == 1
    rows = {line.split()[0]: line for line in moved.stdout.splitlines() if line.split()}
    assert [kind for kind, row in rows.items() if "NO" in row.split()] == ["agents"]
    assert "3 conversations were moved now" in " ".join(moved.stdout.split())


@pytest.mark.parametrize(
    ("source", "said"),
    [("var/candor.db", "write sqlite:PATH"), ("sqlite:no-such.db", "there is no data file")],
)
def test_a_source_that_is_none_is_refused(move, source, said):
    refused = move.run("migrate", "--from", source, **move.environment)

    assert (refused.exit_code, said in refused.stderr) == (1, True)


def test_without_mongodb_there_is_nowhere_to_move_to(move):
    refused = move.run("migrate", "--from", f"sqlite:{move.source}")

    assert (refused.exit_code, "MONGODB_URI is not set" in refused.stderr) == (1, True)


def test_what_is_moved_has_the_shapes_that_mongodb_is_told_to_insist_on(move):
    """The server of these tests does not insist."""
    move.moved()

    with MongoClient[dict[str, object]](atlas().uri) as client:
        kept = client[move.environment["MONGODB_DATABASE"]]
        found = {collection: kept[collection].find().to_list() for collection in SCHEMAS}

    assert {"conversations", "messages", "audit", "attachments", "agents", "spending"} <= {
        collection for collection, documents in found.items() if documents
    }
    assert [fault for name, some in found.items() for one in some for fault in problems(name, one)] == []
