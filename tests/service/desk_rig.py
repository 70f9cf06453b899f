"""The agents' side of the service's rig: its desk, and who works there."""

import asyncio
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from typing import TypeVar

from bot.adapters.memory.accounts import MemoryAccountStore
from bot.adapters.memory.desk import MemoryDeskStore
from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId, Conversation, Message, Status
from bot.core.desk import Resolution
from bot.core.handoffs import HandoffRow
from bot.service.desk import DeskService
from tests.service.rig import REPLIES, UNCOVERED, Rig
from tests.service.stand_ins import Point

ANNA, BEN = AgentId("anna"), AgentId("ben")  # answer customers
CLEO, DAN = AgentId("cleo"), AgentId("dan")  # writes articles; was disabled
Done = TypeVar("Done")
EVERYTHING = 1_000  # no conversation of these tests is as long: its agent has seen all of it


@dataclass(slots=True, kw_only=True, repr=False)
class Desk:
    """One conversation as the desk has it; what is not said otherwise is done by Anna."""

    rig: Rig
    service: DeskService
    store: MemoryDeskStore

    async def hand_over(self) -> None:
        """Let the customer ask what the bot has to hand over."""
        await self.rig.ask(UNCOVERED)
        assert await self.is_queued()

    async def claim(self, agent: AgentId = ANNA) -> Conversation:
        return await self.service.claim(self.rig.conversation, agent)

    async def claimed(self) -> None:
        """Let Anna have what the bot handed over."""
        await self.hand_over()
        await self.claim()

    async def reply(
        self, text: str = "Trout?", *, agent: AgentId = ANNA, id: str = "r1", seen: int = EVERYTHING
    ) -> Message:
        return await self.service.reply(self.rig.conversation, agent, text=text, message_id=id, seen=seen)

    async def return_to_bot(self) -> Conversation:
        return await self.service.return_to_bot(self.rig.conversation, ANNA)

    async def resolve(self, *, seen: int = EVERYTHING) -> Conversation:
        return await self.service.resolve(self.rig.conversation, ANNA, Resolution.ANSWERED, seen=seen)

    async def is_queued(self) -> bool:
        return (await self.rig.state()).status is Status.QUEUED

    async def audit(self) -> list[tuple[str, str]]:
        """Return who did what to the conversation's state, oldest first."""
        return [(row.who, row.what) for row in await self.service.history(self.rig.conversation)]

    async def handoffs(self) -> tuple[HandoffRow, ...]:
        return await self.rig.store.handoffs(self.rig.conversation)

    async def own_draft(self, agent: AgentId = ANNA) -> str:
        return await self.store.draft(self.rig.conversation, agent)


async def a_desk(rig: Rig) -> Desk:
    """Open the desk of *rig*, whose sweep and customers' side know it from now on."""
    accounts, store = MemoryAccountStore(), MemoryDeskStore(rig.store)
    for agent in (an_agent(ANNA), an_agent(BEN), an_agent(CLEO, AgentRole.CONTENT), an_agent(DAN)):
        await accounts.add_agent(agent)
    await accounts.set_disabled(DAN, disabled_ms=1)
    service = DeskService(
        store=rig.store, desk=store, colleagues=accounts, turns=rig.runner, replies=REPLIES, clock=rig.clock,
        live=rig.live,
    )  # fmt: skip
    rig.customers.marks = store
    return Desk(rig=rig, service=service, store=store)


def an_agent(agent: AgentId, role: AgentRole = AgentRole.AGENT) -> Agent:
    return Agent(id=agent, email=f"{agent}@desk.example", name=agent.title(), role=role, created_ms=0)


async def meanwhile(desk: Desk, doing: Coroutine[None, None, Done], between: Awaitable[object]) -> Done:
    """Hold the change that *doing* has decided on until *between* is done; return or raise what *doing* does."""
    held = desk.rig.store.at_change = Point(waits=True)
    task = asyncio.create_task(doing)
    await held.reached.wait()
    desk.rig.store.at_change = Point()
    await between
    held.opened.set()
    return await task
