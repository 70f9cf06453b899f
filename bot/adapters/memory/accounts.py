"""The account store in dictionaries. No method waits, so one event loop makes each of them atomic."""

from dataclasses import replace

from bot.core.accounts import Agent, Invitation, Session, email_key
from bot.core.conversation import AgentId
from bot.errors import InputRejected


class MemoryAccountStore:
    """Accounts that live as long as the process."""

    def __init__(self) -> None:
        self._agents: dict[AgentId, Agent] = {}
        self._invitations: dict[AgentId, Invitation] = {}
        self._sessions: dict[str, Session] = {}

    async def add_agent(self, agent: Agent) -> None:
        if await self.agent_by_email(agent.email) is not None:
            raise InputRejected("email", "is another agent's", "use another address, or that agent's account")
        self._agents[agent.id] = agent

    async def agents(self) -> tuple[Agent, ...]:
        return tuple(sorted(self._agents.values(), key=lambda agent: email_key(agent.email)))

    async def agent(self, agent: AgentId) -> Agent | None:
        return self._agents.get(agent)

    async def agent_by_email(self, email: str) -> Agent | None:
        found = (agent for agent in self._agents.values() if email_key(agent.email) == email_key(email))
        return next(found, None)

    async def set_disabled(self, agent: AgentId, *, disabled_ms: int | None) -> None:
        if agent not in self._agents:
            return
        self._agents[agent] = replace(self._agents[agent], disabled_ms=disabled_ms)
        if disabled_ms is not None:
            self._invitations.pop(agent, None)
            self._end_sessions(agent)

    async def rehash(self, agent: AgentId, password_hash: str, *, was: str) -> None:
        if agent in self._agents and self._agents[agent].password_hash == was:
            self._agents[agent] = replace(self._agents[agent], password_hash=password_hash)

    async def invite(self, invitation: Invitation) -> None:
        self._invitations[invitation.agent] = invitation

    async def invited(self, digest: str, *, now_ms: int) -> Agent | None:
        for invitation in self._invitations.values():
            if invitation.digest == digest and invitation.expires_ms > now_ms:
                return self._enabled(invitation.agent)
        return None

    async def accept(self, digest: str, password_hash: str, *, now_ms: int) -> Agent | None:
        invited = await self.invited(digest, now_ms=now_ms)
        if invited is None:
            return None
        del self._invitations[invited.id]
        self._end_sessions(invited.id)
        self._agents[invited.id] = replace(invited, password_hash=password_hash)
        return self._agents[invited.id]

    async def begin_session(self, session: Session) -> None:
        kept = {key: one for key, one in self._sessions.items() if one.expires_ms > session.created_ms}
        self._sessions = {**kept, session.digest: session}

    async def session(self, digest: str, *, now_ms: int) -> tuple[Session, Agent] | None:
        session = self._sessions.get(digest)
        if session is None or session.expires_ms <= now_ms:
            return None
        agent = self._enabled(session.agent)
        return None if agent is None else (session, agent)

    async def end_session(self, digest: str) -> None:
        self._sessions.pop(digest, None)

    def _enabled(self, agent: AgentId) -> Agent | None:
        found = self._agents.get(agent)
        return None if found is None or found.disabled_ms is not None else found

    def _end_sessions(self, agent: AgentId) -> None:
        self._sessions = {key: one for key, one in self._sessions.items() if one.agent != agent}
