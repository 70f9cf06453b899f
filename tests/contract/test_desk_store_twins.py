"""Random days at the desk on the in-memory stores and on SQLite: agents see the same of them."""

import asyncio
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, ConversationId, Kind
from bot.core.desk import Mark, MarkKind
from bot.errors import Refused
from tests.builders import NOON_MS, a_handoff, an_answer
from tests.contract.scene import Scene
from tests.sqlite_file import new_file

ANNA, BEN = AgentId("anna"), AgentId("ben")
NAMES = [ConversationId(name) for name in "abc"]
TEXTS = ["yes", "no", "My card\nis lost", "Café", " \n "]
LATEST_MS = NOON_MS + 99


async def customer_writes(scene, desk, n):
    kind = [Kind.TEXT, Kind.TEXT, Kind.FEEDBACK, Kind.PERSON_REQUEST][n % 4]
    text = TEXTS[n % len(TEXTS)]
    await scene.customer_writes(text, channel_message_id=f"m{n}", kind=kind, at_ms=NOON_MS + n)


async def bot_settles(scene, desk, n):
    outcome = an_answer() if n % 3 == 0 else a_handoff()
    if start := await scene.begun_turn():
        await scene.bot_settles(start, outcome, turn=f"{scene.id}-{n}", settled_ms=NOON_MS + n)


async def agent_claims(scene, desk, n):
    read = await scene.state()
    await scene.moves(read, read.claimed_by(ANNA, now_ms=NOON_MS + n), at_ms=NOON_MS + n)


async def agent_takes_over(scene, desk, n):
    read = await scene.state()
    await scene.moves(read, read.taken_over_by(ANNA, now_ms=NOON_MS + n), at_ms=NOON_MS + n)


async def agent_replies(scene, desk, n):
    await scene.agent_replies(id=str(n), at_ms=NOON_MS + n)


async def agent_gives_back(scene, desk, n):
    read = await scene.state()
    give_back = [read.released_by, read.returned_to_bot, read.resolved_by][n % 3]
    await scene.moves(read, give_back(ANNA, now_ms=NOON_MS + n), at_ms=NOON_MS + n)


async def agent_marks(scene, desk, n):
    kind = list(MarkKind)[n % 2]
    mark = Mark(conversation=scene.id, kind=kind, seq=n % 3, agent=ANNA, at_ms=NOON_MS + n, remark=str(n))
    await desk.add_mark(mark)


async def agent_takes_a_mark_back(scene, desk, n):
    await desk.remove_mark(scene.id, list(MarkKind)[n % 2], n % 3)


async def somebody_reads(scene, desk, n):
    await desk.mark_read(scene.id, agent=n % 5, customer=n % 7)


ACTS = (
    customer_writes,
    bot_settles,
    agent_claims,
    agent_takes_over,
    agent_replies,
    agent_gives_back,
    agent_marks,
    agent_takes_a_mark_back,
    somebody_reads,
)
DAYS = st.lists(st.tuples(st.sampled_from(ACTS), st.sampled_from(range(3)), st.integers(0, 99)), max_size=40)


@pytest.mark.timeout(300)  # a busy disk, or the shrinking of a failure
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(DAYS)
def test_agents_see_the_same_of_both_stores(day):
    with TemporaryDirectory() as folder, asyncio.Runner() as runner:
        memory = MemoryConversationStore()
        database = SqliteDatabase.open(new_file(Path(folder) / "candor.db"))
        of_memory = runner.run(_after(day, memory, MemoryDeskStore(memory)))
        of_sqlite = runner.run(_after(day, SqliteConversationStore(database), SqliteDeskStore(database)))
        database.close()

    assert of_memory == of_sqlite


async def _after(day, store, desk):
    """Let *day* happen, whose acts come in any order and may be refused, and return all that agents see."""
    scenes = [await Scene.open(store, name) for name in NAMES]
    for act, which, n in day:
        with suppress(Refused):
            await act(scenes[which], desk, n)
    return [
        await desk.queue(),
        *[await desk.queue_row(name) for name in NAMES],
        *[await desk.position(name) for name in NAMES],
        *[await desk.marks(name) for name in NAMES],
        *[await desk.read_marks(name) for name in NAMES],
        *[await desk.marked(kind, since_ms=NOON_MS + 30) for kind in MarkKind],
        *[await desk.search(text, limit=9) for text in ("card", "cafe", "y n", "help for")],
        await desk.recent_waits(since_ms=NOON_MS + 20, limit=3),
        await desk.leases_over(now_ms=NOON_MS + CLAIM_LEASE_MS + 50),
        *[await desk.claims_of(agent) for agent in (ANNA, BEN)],
        await desk.activity(since_ms=NOON_MS + 20, until_ms=NOON_MS + 80),
        await desk.handoff_turns(since_ms=NOON_MS + 20, until_ms=NOON_MS + 80),
    ]
