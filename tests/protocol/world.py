"""The real services around one store and one conversation: a process that can die, two agents, and a bot that obeys."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.ledger import MemoryLedger
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.core.accounts import Agent
from bot.core.audit import Change
from bot.core.conversation import AgentId, Conversation, ConversationId, Message
from bot.core.outbox import DESK, OutboxRow
from bot.core.policy import Deadlines
from bot.core.turn import Turn
from bot.desk_ports import DeskStore
from bot.errors import NotDelivered
from bot.ports import Snapshot
from bot.service.customer import CustomerService
from bot.service.delivering import Deliveries
from bot.service.desk import DeskService
from bot.service.live import LiveHub
from bot.service.running import TurnRunner
from bot.service.sweep import Sweep
from bot.service.turns import TurnService
from bot.service.waiting import Waiting
from tests.builders import CONVERSATION
from tests.protocol.bot import Order, OrderedBot
from tests.service.desk_rig import an_agent
from tests.service.rig import REPLIES, a_metering
from tests.service.stand_ins import Point, RecordingObserver

T = TypeVar("T")
ANNA, BEN = AgentId("anna"), AgentId("ben")


class HeldMemory(MemoryConversationStore):
    """The in-memory store, with a point between what a move or a turn has read and what it writes."""

    at_write = Point()

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        await self.at_write.passed()
        return await super().change(read, moved, change)

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        await self.at_write.passed()
        return await super().commit_turn(turn, messages, moved)


class HeldSqlite(SqliteConversationStore):
    """SQLite, with the same point."""

    at_write = Point()

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        await self.at_write.passed()
        return await super().change(read, moved, change)

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        await self.at_write.passed()
        return await super().commit_turn(turn, messages, moved)


class HeldMongo(MongoConversationStore):
    """MongoDB, with the same point."""

    at_write = Point()

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        await self.at_write.passed()
        return await super().change(read, moved, change)

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        await self.at_write.passed()
        return await super().commit_turn(turn, messages, moved)


Held = HeldMemory | HeldSqlite | HeldMongo


class Colleagues:
    """Everybody answers customers."""

    async def agent(self, agent: AgentId) -> Agent | None:
        return an_agent(agent)


@dataclass(slots=True)
class Post:
    """Where handoffs are posted; `told` are the keys, in order. It fails, or hangs after it has posted, when it is told to."""

    told: list[str] = field(default_factory=list)
    fails: bool = False
    hangs: bool = False
    posted: asyncio.Event = field(default_factory=asyncio.Event)

    async def tell(self, row: OutboxRow) -> None:
        if self.fails:
            raise NotDelivered("closed for today")
        self.told.append(row.key)
        if self.hangs:
            self.posted.set()
            await asyncio.Event().wait()


@dataclass(slots=True, kw_only=True)
class World:
    """One process on a store. Nothing that is not in the store, `post` or the clock outlives it."""

    store: Held
    clock: ManualClock
    post: Post
    live: LiveHub
    bot: OrderedBot
    runner: TurnRunner
    customers: CustomerService
    desk: DeskService
    sweep: Sweep
    waiting: Waiting
    relay: Deliveries
    conversation: ConversationId = CONVERSATION

    async def order(self, order: Order) -> bool:
        """Tell the bot's running turn what comes next, and see it done; False when no turn waits."""
        obeyed = self.bot.order(self.runner._running.get(self.conversation), order)
        await self.quiet()
        return obeyed

    async def quiet(self) -> None:
        """Return when no turn runs, or when the one that runs waits for an order."""
        while (turn := self._busy_turn()) is not None:
            self.bot.arrived.clear()
            await _first_of(turn, self.bot.arrived)

    @asynccontextmanager
    async def held(self, doing: Coroutine[None, None, object]) -> AsyncIterator[None]:
        """Hold the change that *doing* has decided on until the block is left; what *doing* raises, the block raises."""
        held, task = await self._decided(doing)
        try:
            yield
        finally:
            held.opened.set()
            await asyncio.gather(task)

    async def dies_during(self, doing: Coroutine[None, None, object]) -> None:
        """End when *doing* has decided on a change, and has not written it."""
        _, task = await self._decided(doing)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await self.die()

    async def relay_dies_after_its_post(self) -> None:
        """Post one row, and end before it is marked."""
        self.post.hangs, self.post.posted = True, asyncio.Event()
        delivering = asyncio.create_task(self.relay.finish())
        await _first_of(delivering, self.post.posted)
        delivering.cancel()
        await asyncio.gather(delivering, return_exceptions=True)
        self.post.hangs = False

    async def die(self) -> None:
        """Let nothing that runs get any further."""
        await self.relay.stop()
        await self.runner.drain(grace_s=0)

    async def _decided(self, doing: Coroutine[None, None, object]) -> tuple[Point, asyncio.Task[object]]:
        """Begin *doing*, and return when it waits with its change, or is over without one."""
        held = self.store.at_write = Point(waits=True)
        task = asyncio.create_task(doing)
        await _first_of(task, held.reached)
        self.store.at_write = Point()
        return held, task

    def _busy_turn(self) -> asyncio.Task[None] | None:
        turn = self.runner._running.get(self.conversation)
        return None if turn is None or self.bot.is_waiting(turn) else turn


async def _first_of(task: asyncio.Task[T], event: asyncio.Event) -> None:
    """Return when *task* is over or *event* is set."""
    happened = asyncio.create_task(event.wait())
    await asyncio.wait({task, happened}, return_when=asyncio.FIRST_COMPLETED)
    happened.cancel()
    await asyncio.gather(happened, return_exceptions=True)


def a_world(store: Held, desk_store: DeskStore, *, clock: ManualClock, post: Post) -> World:
    """Start a process on *store*."""
    live, bot = LiveHub(), OrderedBot(clock)
    turns = TurnService(
        store=store, answering=bot, replies=REPLIES, metering=a_metering(MemoryLedger(), clock), clock=clock,
        live=live, observer=RecordingObserver(),
    )  # fmt: skip
    runner = TurnRunner(turns=turns)
    desk = DeskService(
        store=store, desk=desk_store, colleagues=Colleagues(), turns=runner, replies=REPLIES, clock=clock,
        live=live,
    )  # fmt: skip
    return World(
        store=store, clock=clock, post=post, live=live, bot=bot, runner=runner, desk=desk,
        customers=CustomerService(store=store, turns=runner, clock=clock, live=live),
        sweep=Sweep(
            store=store, turns=turns, runner=runner, clock=clock, deadlines=Deadlines(), desk=desk
        ),
        waiting=Waiting(store=store, desk=desk_store, clock=clock, live=live, replies=REPLIES),
        relay=Deliveries(store=store, notifier=post, kinds=DESK, clock=clock, jitter=lambda: 0.0),
    )  # fmt: skip
