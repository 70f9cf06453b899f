"""What every ledger promises: sums of a day, one entry for a turn, and a cap that many at once do not pass."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.ledger import MemoryLedger
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.ledger import MongoLedger
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.ledger import SqliteLedger
from bot.core.caps import UNCAPPED, Allowance, Caps, Spending, Spent, SpentInADay
from bot.core.conversation import ConversationId, TurnId
from bot.core.prompt import Usage
from bot.ports import Ledger
from tests.builders import CONVERSATION, a_conversation
from tests.sqlite_file import new_file

OTHER = ConversationId("another")


def a_spending(turn="t1", *, tokens=1_000, usd=0.01, at_ms=1, conversation=CONVERSATION):
    usage = Usage(input_tokens=tokens - 100, output_tokens=100, cost_usd=usd)
    return Spending(turn=TurnId(turn), conversation=conversation, usage=usage, at_ms=at_ms)


async def counted(ledger, *spendings, caps=UNCAPPED):
    return [await ledger.spend(one, caps=caps, since_ms=0) for one in spendings]


async def with_conversations(database: SqliteDatabase) -> SqliteLedger:
    """Open two conversations: a ledger has entries for no others."""
    store = SqliteConversationStore(database)
    for conversation in (CONVERSATION, OTHER):
        await store.open_conversation(a_conversation(id=conversation))
    return SqliteLedger(database)


@pytest.fixture
async def ledger(store, request) -> Ledger:
    if isinstance(store, MongoConversationStore):
        return MongoLedger(store.database)
    is_memory = isinstance(store, MemoryConversationStore)
    return MemoryLedger() if is_memory else await with_conversations(request.getfixturevalue("database"))


async def test_at_first_nothing_is_spent(ledger):
    assert await ledger.spent(CONVERSATION, since_ms=0) == SpentInADay()


async def test_sums_are_of_one_conversation_and_of_all(ledger):
    await counted(
        ledger, a_spending("t1"), a_spending("t2"), a_spending("t3", tokens=500, conversation=OTHER)
    )

    assert await ledger.spent(CONVERSATION, since_ms=0) == SpentInADay(
        conversation=Spent(turns=2, tokens=2_000, micro_usd=20_000),
        overall=Spent(turns=3, tokens=2_500, micro_usd=30_000),
    )


async def test_only_what_was_spent_since_a_time_counts(ledger):
    await counted(ledger, *(a_spending(f"t{n}", at_ms=n) for n in range(3)))

    spent = [await ledger.spent(CONVERSATION, since_ms=n) for n in range(4)]

    assert [(s.conversation.turns, s.overall.turns) for s in spent] == [(3, 3), (2, 2), (1, 1), (0, 0)]


async def test_what_a_turn_used_takes_the_place_of_what_was_set_aside_for_it(ledger):
    await counted(ledger, a_spending("t1", tokens=8_600, usd=0.02), a_spending("t1", tokens=900, usd=0.001))

    spent = await ledger.spent(CONVERSATION, since_ms=0)

    assert spent.overall == Spent(turns=1, tokens=900, micro_usd=1_000)


@pytest.mark.parametrize(
    ("caps", "named"),
    [
        (Caps(conversation=Allowance(turns=1)), "1 turns in a day"),
        (Caps(overall=Allowance(tokens=1_000)), "1000 tokens in a day over all conversations"),
    ],
)
async def test_at_a_cap_nothing_is_kept_and_the_cap_is_named(ledger, caps, named):
    said = await counted(ledger, a_spending("t1"), a_spending("t2"), caps=caps)

    assert said == [None, named]
    assert (await ledger.spent(CONVERSATION, since_ms=0)).overall.turns == 1


async def test_of_many_that_ask_at_once_at_most_one_passes_the_end_of_the_cap(ledger):
    caps = Caps(conversation=Allowance(), overall=Allowance(cost_usd=0.055))
    asking = [
        ledger.spend(a_spending(f"t{n}", conversation=(CONVERSATION, OTHER)[n % 2]), caps=caps, since_ms=0)
        for n in range(50)
    ]

    said = await asyncio.gather(*asking)

    assert said.count(None) == 6


@asynccontextmanager
async def a_new_ledger() -> AsyncIterator[SqliteLedger]:
    with TemporaryDirectory() as folder:
        database = SqliteDatabase.open(new_file(Path(folder) / "candor.db"))
        try:
            yield await with_conversations(database)
        finally:
            database.close()


SPENDINGS = st.builds(
    a_spending,
    st.sampled_from(["t1", "t2", "t3", "t4"]),
    tokens=st.integers(100, 5_000),
    usd=st.floats(0, 1),
    at_ms=st.integers(0, 9),
    conversation=st.sampled_from([CONVERSATION, OTHER]),
)
CAPS = Caps(conversation=Allowance(turns=2, tokens=9_000), overall=Allowance(cost_usd=2))


@settings(max_examples=30, deadline=None)
@given(
    steps=st.lists(st.tuples(SPENDINGS, st.sampled_from([CAPS, UNCAPPED]), st.integers(0, 9)), max_size=12)
)
async def test_memory_and_sqlite_count_alike(steps):
    async with a_new_ledger() as sqlite:
        memory = MemoryLedger()
        for spending, caps, since_ms in steps:
            said = [await one.spend(spending, caps=caps, since_ms=since_ms) for one in (memory, sqlite)]
            sums = [await one.spent(CONVERSATION, since_ms=since_ms) for one in (memory, sqlite)]
            assert (said[0], sums[0]) == (said[1], sums[1])
