"""Who may use the console at all: accounts, their invitations, and shutting somebody out. For admins at the command line."""

from dataclasses import dataclass, field

from bot.core.accounts import INVITATION_MS, Agent, AgentRole, Invitation
from bot.core.conversation import AgentId
from bot.core.credentials import to_email, to_name
from bot.desk_ports import AccountStore
from bot.errors import InputRejected
from bot.ports import Clock
from bot.service.accounts import digest_of, new_secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """An agent with a fresh invitation; only now is its secret known."""

    agent: Agent
    secret: str = field(repr=False)
    expires_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inviting:
    """What an admin does with accounts. Methods may raise StoreUnavailable."""

    store: AccountStore
    clock: Clock

    async def add(self, email: str, *, name: str, role: AgentRole) -> Invited:
        """Make an account and invite its owner; InputRejected when the address is none or is taken."""
        agent = Agent(
            id=AgentId(self.clock.new_id()),
            email=to_email(email),
            name=to_name(name),
            role=role,
            created_ms=self.clock.now_ms(),
        )
        await self.store.add_agent(agent)
        return await self._invited(agent)

    async def invite(self, email: str) -> Invited:
        """Make a new link in place of earlier ones, for who lost it or forgot the password."""
        agent = await self._known(email)
        if agent.disabled_ms is not None:
            raise InputRejected("email", "belongs to a disabled account", "enable it first")
        return await self._invited(agent)

    async def disable(self, email: str) -> Agent:
        """Shut an agent out, which ends its sessions and invitations."""
        agent = await self._known(email)
        await self.store.set_disabled(agent.id, disabled_ms=self.clock.now_ms())
        return agent

    async def enable(self, email: str) -> Agent:
        """Let a disabled agent in again, with the password it had."""
        agent = await self._known(email)
        await self.store.set_disabled(agent.id, disabled_ms=None)
        return agent

    async def _known(self, email: str) -> Agent:
        agent = await self.store.agent_by_email(email.strip())
        if agent is None:
            raise InputRejected("email", "belongs to no agent", "`agents list` shows them")
        return agent

    async def _invited(self, agent: Agent) -> Invited:
        secret, expires_ms = new_secret(), self.clock.now_ms() + INVITATION_MS
        await self.store.invite(Invitation(digest=digest_of(secret), agent=agent.id, expires_ms=expires_ms))
        return Invited(agent=agent, secret=secret, expires_ms=expires_ms)
