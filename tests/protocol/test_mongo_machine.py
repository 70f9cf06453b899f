"""Any history of one conversation over MongoDB, with a server that is lost at any call of any write (FAULTS H1-H4, H8-H10, R-D2)."""

from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule
from pymongo import AsyncMongoClient

from bot.adapters.mongo.desk import MongoDeskStore
from bot.adapters.mongo.indexes import COLLECTIONS, create_indexes
from bot.core.outbox import EVERYTHING
from bot.errors import StoreUnavailable
from tests.protocol.machine import AGENTS, DOES, HOLDER, Agent, Protocol, run_machine
from tests.protocol.mongo import LosableDatabase, record_as_left
from tests.protocol.promises import Record
from tests.protocol.world import HeldMongo, World, a_world

DATABASE = "protocol"
CALLS = st.integers(0, 12)  # an agent's reply reads, writes, and copies what it wrote in fewer


class OnServer(NamedTuple):
    """One process, and its own connection."""

    world: World
    database: LosableDatabase
    client: AsyncMongoClient[dict[str, object]]


class MongoProtocol(Protocol[OnServer]):
    """On a database that is emptied after each history."""

    uri = ""

    @rule(agent=AGENTS, does=DOES, after=CALLS, is_done=st.booleans())
    def agent_acts_and_the_server_is_lost(self, agent: Agent, does: str, after: int, is_done: bool) -> None:
        self._processes[0].database.lose(after=after, is_done=is_done)
        with suppress(StoreUnavailable):  # nothing was acknowledged; it may be stored
            self._run(self._life.agent(agent, does))
        self.process_dies(relays=False, agent=HOLDER, does=None)

    @rule(after=CALLS, is_done=st.booleans())
    def customer_writes_and_the_server_is_lost(self, after: int, is_done: bool) -> None:
        self._processes[0].database.lose(after=after, is_done=is_done)
        with suppress(StoreUnavailable):
            self._run(self._life.customer_writes())
        self.process_dies(relays=False, agent=HOLDER, does=None)

    @rule(does=st.sampled_from(["answers", "hands over"]), after=CALLS, is_done=st.booleans())
    def bot_settles_and_the_server_is_lost(self, does: str, after: int, is_done: bool) -> None:
        self._run(self._life.customer_writes())
        self._processes[0].database.lose(after=after, is_done=is_done)
        self._run(self._life.bot(does))
        self.process_dies(relays=False, agent=HOLDER, does=None)

    @rule(after=CALLS)
    def customer_did_not_hear_what_is_left_uncopied(self, after: int) -> None:
        """A process writes and dies before all of it is copied; the browser sends the message again to the other."""
        self._processes[0].database.lose(after=after, is_done=False)
        with suppress(StoreUnavailable):
            self._run(self._life.customer_writes())
        self._processes[0].database.lose(after=0, is_done=False)
        self.requests_reach_the_other_process()
        self.customer_repeats()
        self.requests_reach_the_other_process()
        self.process_dies(relays=False, agent=HOLDER, does=None)

    def _started(self) -> OnServer:
        client: AsyncMongoClient[dict[str, object]] = AsyncMongoClient(self.uri)
        database = LosableDatabase(client[DATABASE])
        store = HeldMongo(database, told=EVERYTHING)
        world = a_world(store, MongoDeskStore(database), clock=self._clock, post=self._post)
        return OnServer(world, database, client)

    def _ended(self, process: OnServer) -> None:
        self._run(process.client.close())

    def _cleared(self) -> None:
        async def empty() -> None:
            async with AsyncMongoClient[dict[str, object]](self.uri) as client:
                for collection in COLLECTIONS:
                    await client[DATABASE][collection].delete_many({})

        self._run(empty())

    def _record(self) -> Record:
        record: Record = self._run(record_as_left(self._processes[0].database))
        return record


@pytest.fixture
async def machine(mongodb) -> type[MongoProtocol]:
    async with AsyncMongoClient[dict[str, object]](mongodb.uri) as client:
        await create_indexes(LosableDatabase(client[DATABASE]))
    MongoProtocol.uri = mongodb.uri
    return MongoProtocol


@pytest.mark.timeout(300)  # a busy machine, or the shrinking of a failure
def test_no_history_of_one_conversation_breaks_a_promise(machine):
    """FAULTS H1, H2, H3, H4, H8, H9, H10; R-H1 to R-H5, R-H9 to R-H11, R-S20, R-D2."""
    run_machine(machine, examples=25, steps=10)


@pytest.mark.soak
def test_no_history_of_many_breaks_a_promise(machine):
    run_machine(machine, examples=1_000)
