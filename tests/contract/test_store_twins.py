"""One random schedule on the in-memory store and on SQLite: all that can be observed is the same.

A schedule may use states and turns that are long out of date, as a slow bot or agent would.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.conversation import AgentId, Conversation, Kind, Message, Status
from bot.core.notes import BOT, Note, summary_key
from bot.core.outbox import EVERYTHING
from bot.core.outcome import Ask
from bot.core.turn import TurnStart
from bot.errors import CandorError, Refused
from bot.ports import ConversationStore
from tests.builders import (
    CONVERSATION,
    NOON_MS,
    a_bot_message,
    a_conversation,
    a_handoff,
    a_revision,
    an_agent_message,
    an_answer,
)
from tests.contract.scene import Scene, assert_rebuilds
from tests.sqlite_file import new_file

ANNA, BEN = AgentId("anna"), AgentId("ben")
Act = Callable[[Scene], Awaitable[object]]
MOVES: dict[str, Callable[[Conversation, AgentId, int], Conversation]] = {
    "claimed": lambda c, agent, now_ms: c.claimed_by(agent, now_ms=now_ms),
    "took over": lambda c, agent, now_ms: c.taken_over_by(agent, now_ms=now_ms),
    "released": lambda c, agent, now_ms: c.released_by(agent, now_ms=now_ms),
    "expired": lambda c, _, now_ms: c.lease_expired(now_ms=now_ms + 10**9),
    "transferred": lambda c, agent, now_ms: c.transferred_by(agent, to=_colleague(agent), now_ms=now_ms),
    "renewed": lambda c, agent, now_ms: c.renewed_by(agent, now_ms=now_ms),
    "replied": lambda c, agent, now_ms: c.replied_by(agent, now_ms=now_ms),
    "returned": lambda c, agent, now_ms: c.returned_to_bot(agent, now_ms=now_ms),
    "resolved": lambda c, agent, now_ms: c.resolved_by(agent, now_ms=now_ms),
}
AGENTS = st.sampled_from([ANNA, BEN])
SAID = [kind for kind in Kind if kind is not Kind.TOMBSTONE]
OUTCOMES = st.sampled_from([an_answer(), Ask(text="Which?"), a_handoff()])
LATEST_OFTEN = st.sampled_from([0, 0, 0, 1, 2])  # how many reads ago


class Twins(RuleBasedStateMachine):
    """Both stores, driven alike. Most turns and moves follow what was just read, or no schedule would get far."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self._runner = asyncio.Runner()
        self._database = SqliteDatabase.open(new_file(Path(self._folder.name) / "candor.db"))
        self._scenes = (
            Scene(MemoryConversationStore(told=EVERYTHING), CONVERSATION),
            Scene(SqliteConversationStore(self._database, told=EVERYTHING), CONVERSATION),
        )
        self._now_ms = NOON_MS
        self._reads: list[Conversation] = []
        self._starts: list[TurnStart] = []
        self._both(lambda scene: scene.store.open_conversation(a_conversation()))

    @rule(text=st.sampled_from(["yes", "no"]), number=st.integers(0, 20), kind=st.sampled_from(SAID))
    def customer_writes(self, text: str, number: int, kind: Kind) -> None:
        self._now_ms += 1
        self._both(
            lambda s: s.customer_writes(text, channel_message_id=f"m{number}", kind=kind, at_ms=self._now_ms)
        )
        self.turn_begins(history=number % 5)

    @rule(
        text=st.sampled_from(["yes", "no", None]), number=st.integers(0, 20), revision=st.sampled_from("12")
    )
    def customer_revises(self, text: str | None, number: int, revision: str) -> None:
        self._now_ms += 1
        revised = a_revision(f"m{number}", text, revision=revision)
        self._both(lambda s: s.store.receive(revised, at_ms=self._now_ms))
        self.turn_begins(history=number % 5)

    @rule()
    def somebody_reads(self) -> None:
        self._reads.append(self._both(lambda scene: scene.state()))

    @rule(history=st.integers(0, 4), ago_ms=st.integers(0, 4))
    def turn_begins(self, history: int, ago_ms: int = 0) -> None:
        since_ms = self._now_ms - ago_ms
        start = self._both(lambda scene: scene.begun_turn(history=history, turns_since_ms=since_ms))
        self._starts += [start] if start else []

    @precondition(lambda self: self._starts)
    @rule(
        ago=LATEST_OFTEN, texts=st.lists(st.sampled_from(["Open it.", "Close it."]), min_size=1, max_size=3)
    )
    def bot_shows(self, ago: int, texts: list[str]) -> None:
        turn, start = self._turn(ago)
        self._both(lambda scene: scene.bot_shows(start, *texts, turn=turn))

    @precondition(lambda self: self._starts)
    @rule(ago=LATEST_OFTEN, outcome=OUTCOMES, says=st.integers(0, 2))
    def bot_settles(self, ago: int, outcome, says: int) -> None:
        turn, start = self._turn(ago)
        self._now_ms += 1
        messages = [a_bot_message(at_ms=self._now_ms)] * says
        self._both(
            lambda s: s.bot_settles(start, outcome, turn=turn, messages=messages, settled_ms=self._now_ms)
        )

    @precondition(lambda self: self._reads)
    @rule(ago=LATEST_OFTEN, choice=st.integers(0, 6), agent=AGENTS, id=st.sampled_from(["r1", "r2", None]))
    def somebody_moves(self, ago: int, choice: int, agent: AgentId, id: str | None) -> None:
        read = self._reads[-1 - ago % len(self._reads)]
        self._now_ms += 1
        legal = _legal_moves(read, read.agent or agent, self._now_ms)
        move = sorted(legal)[choice % len(legal)] if legal else None
        if move is not None:
            said = _said_with(move, agent, id, at_ms=self._now_ms)
            self._both(
                lambda s: s.changes(read, legal[move], *said, who=agent, what=move, at_ms=self._now_ms)
            )
            self.somebody_reads()

    @rule(number=st.integers(0, 9), is_told=st.booleans())
    def outbox_is_relayed(self, number: int, is_told: bool) -> None:
        rows = self._both(lambda scene: scene.store.outbox_due(now_ms=self._now_ms, limit=9))
        key = rows[number].key if number < len(rows) else "a key of nothing"
        if is_told:
            self._both(lambda scene: scene.store.delivered(key, at_ms=self._now_ms))
        else:
            self._both(lambda scene: scene.store.postponed(key, until_ms=self._now_ms + 2))

    @rule(epoch=st.integers(1, 3), text=st.sampled_from(["called", "called twice"]))
    def note_is_added(self, epoch: int, text: str) -> None:
        note = Note(seq=0, author=BOT, text=text, at_ms=self._now_ms, key=summary_key(epoch))
        self._both(lambda scene: scene.store.add_note(CONVERSATION, note))

    @invariant()
    def all_that_can_be_observed_is_the_same(self) -> None:
        state, snapshot, audit, handoffs = self._both(_observed)[:4]

        assert_rebuilds(audit, state)
        assert sum(row.closed_ms is None for row in handoffs) <= 1
        assert {m.seq for m in snapshot.messages} <= set(range(1, state.last_seq + 1))
        assert snapshot.draft == () or state.status is Status.BOT

    def teardown(self) -> None:
        self._runner.close()
        self._database.close()
        self._folder.cleanup()

    def _turn(self, ago: int) -> tuple[str, TurnStart]:
        index = len(self._starts) - 1 - ago % len(self._starts)
        return f"t{index}", self._starts[index]

    def _both(self, act: Act):
        memory, sqlite = (self._runner.run(_result(act, scene)) for scene in self._scenes)
        assert memory == sqlite
        return memory


def _colleague(agent: AgentId) -> AgentId:
    return BEN if agent == ANNA else ANNA


def _legal_moves(read: Conversation, agent: AgentId, now_ms: int) -> dict[str, Conversation]:
    legal = {}
    for name, move in MOVES.items():
        with suppress(Refused):
            legal[name] = move(read, agent, now_ms)
    return legal


def _said_with(move: str, agent: AgentId, id: str | None, *, at_ms: int) -> tuple[Message, ...]:
    """Agents say something when they reply, and sometimes with what they do; an id that comes again is a repeat."""
    if id is None and move != "replied":
        return ()
    return (an_agent_message(f"I have {move} it.", id=f"{move} {id}", author=agent, at_ms=at_ms),)


async def _result(act: Act, scene: Scene):
    try:
        return await act(scene)
    except CandorError as refused:
        return type(refused)


async def _observed(scene: Scene):
    store: ConversationStore = scene.store
    return (
        await scene.state(),
        await scene.seen(),
        await store.audit(CONVERSATION),
        await store.handoffs(CONVERSATION),
        await store.turns(CONVERSATION),
        await store.outbox(limit=99),
        await store.outbox_due(now_ms=NOON_MS + 5, limit=99),
        await store.unanswered(received_before_ms=NOON_MS + 5),
        await store.notes(CONVERSATION),
        await store.unsummarised(opened_before_ms=NOON_MS + 9, limit=9),
    )


@pytest.mark.timeout(300)  # a busy disk, or the shrinking of a failure
class TestTwins(Twins.TestCase):  # type: ignore[valid-type,misc]  # Hypothesis makes the class at run time
    settings = settings(
        max_examples=50,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],  # each step of SQLite's waits for the disk
    )
