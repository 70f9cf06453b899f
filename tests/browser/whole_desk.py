"""Candor whole, in this process: the service as `serve` wires it over SQLite, with a clock that a test moves on."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.system_clock import SystemClock
from bot.channels.web import serving
from bot.core.accounts import AgentRole
from bot.core.conversation import AgentId, ConversationId, Message, Role
from bot.core.desk import QueueRow, Resolution
from bot.service.accounts import Accounts
from bot.service.inviting import Inviting
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.turn_wiring import Parts
from bot.wiring import opened
from tests.channels.console.door import PASSWORD
from tests.waiting import wait_until

LEASE_IS_OVER_MS = 121_000


class MovableClock(SystemClock):
    """Real time, and what a test has added to it."""

    ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Hired:
    """An agent who has signed in: whose browser, and on which service."""

    id: AgentId
    cookie: str
    origin: str


@dataclass(slots=True, kw_only=True)
class WholeDesk:
    """A running service, which can be stopped and started again on what it keeps."""

    data_dir: Path
    clock: MovableClock
    url: str = ""
    port: int = 0
    _candor: Candor | None = None
    _open: AsyncExitStack | None = None

    @property
    def candor(self) -> Candor:
        assert self._candor is not None, "it is stopped"
        return self._candor

    async def start(self) -> None:
        """Open everything; at the same address as before, if there was one."""
        self._open = AsyncExitStack()
        settings = Settings(data_dir=self.data_dir)
        self._candor = await self._open.enter_async_context(opened(settings, wrap=self._with_clock))
        served = serving(self._candor.web, host="127.0.0.1", port=self.port)
        self.url = await self._open.enter_async_context(served)
        self.port = int(self.url.rpartition(":")[2])

    async def stop(self) -> None:
        """Close everything, as at SIGTERM."""
        if self._open is not None:
            await self._open.aclose()
        self._candor = self._open = None

    async def hire(self, name: str, role: AgentRole = AgentRole.AGENT) -> Hired:
        """Add an agent who accepts the invitation."""
        accounts = Accounts(store=self.candor.desk.agents, passwords=Argon2Passwords(), clock=self.clock)
        inviting = Inviting(store=accounts.store, clock=self.clock)
        email = f"{name.split(maxsplit=1)[0].lower()}@shop.example"
        invited = await inviting.add(email, name=name, role=role)
        begun = await accounts.accept(invited.secret, PASSWORD)
        return Hired(id=invited.agent.id, cookie=begun.secret, origin=self.url)

    async def conversation(self) -> ConversationId:
        """Return the only conversation that is with people."""
        rows: tuple[QueueRow, ...] = await wait_until(self.candor.agents.queue)
        (row,) = rows
        return row.conversation.id

    async def pass_leases(self) -> None:
        """Let two minutes go by without a sign of life, and the sweep come round."""
        self.clock.ahead_ms += LEASE_IS_OVER_MS
        await self.candor.agents.expire_leases()

    async def finish_all(self, agent: Hired) -> None:
        """Leave nobody with people, whoever had them."""
        for row in await self.candor.agents.queue():
            conversation = row.conversation
            if conversation.agent not in (None, agent.id):
                await self.candor.agents.release(conversation.id, conversation.agent)
            await self.candor.agents.claim(conversation.id, agent.id)
            await self.candor.agents.resolve(
                conversation.id, agent.id, Resolution.ANSWERED, seen=conversation.last_customer_seq
            )

    async def said(self, conversation: ConversationId, role: Role) -> list[str]:
        """Return what is stored of one side's messages."""
        return [message.text for message in await self.messages(conversation) if message.role is role]

    async def kept_draft(self, conversation: ConversationId, agent: Hired) -> str:
        """Return the agent's unsent reply."""
        return await self.candor.agents.desk.draft(conversation, agent.id)

    async def messages(self, conversation: ConversationId) -> tuple[Message, ...]:
        return (await self.candor.store.snapshot(conversation, after=0)).messages

    def _with_clock(self, parts: Parts) -> Parts:
        return replace(parts, clock=self.clock)


@asynccontextmanager
async def opened_desk(data_dir: Path) -> AsyncIterator[WholeDesk]:
    """Start the service on what *data_dir* holds."""
    desk = WholeDesk(data_dir=data_dir, clock=MovableClock())
    await desk.start()
    try:
        yield desk
    finally:
        await desk.stop()
