"""The account store on MongoDB: agents, their invitations and sessions. What one write decides stands in one document."""

from dataclasses import asdict
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.core.accounts import Agent, AgentRole, Invitation, Session, email_key
from bot.core.conversation import AgentId
from bot.errors import InputRejected


class MongoAccountStore:
    """Accounts in the database that the conversations are in.

    A session counts only while it has its agent's `signs`, which grows whenever the agent is disabled or takes a new password, so that
    no session that is begun meanwhile outlives it.
    """

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database

    async def add_agent(self, agent: Agent) -> None:
        fields = {**asdict(agent), "role": str(agent.role), "email_key": email_key(agent.email), "signs": 1}
        if not await self._database.insert("agents", {"_id": fields.pop("id"), **fields}):
            raise InputRejected("email", "is another agent's", "use another address, or that agent's account")

    async def agents(self) -> tuple[Agent, ...]:
        return tuple(map(to_agent, await self._database.find("agents", {}, order=[("email_key", 1)])))

    async def agent(self, agent: AgentId) -> Agent | None:
        return await self._agent({"_id": agent})

    async def agent_by_email(self, email: str) -> Agent | None:
        return await self._agent({"email_key": email_key(email)})

    async def set_disabled(self, agent: AgentId, *, disabled_ms: int | None) -> None:
        changes: dict[str, object] = {"$set": {"disabled_ms": disabled_ms}}
        if disabled_ms is not None:
            changes["$inc"] = {"signs": 1}
        await self._database.update("agents", {"_id": agent}, changes)
        if disabled_ms is not None:
            await self._database.delete("invitations", {"_id": agent})
            await self._database.delete("sessions", {"agent": agent})

    async def rehash(self, agent: AgentId, password_hash: str, *, was: str) -> None:
        unchanged = {"_id": agent, "password_hash": was}
        await self._database.update("agents", unchanged, {"$set": {"password_hash": password_hash}})

    async def invite(self, invitation: Invitation) -> None:
        fields = {"digest": invitation.digest, "expires_ms": invitation.expires_ms}
        await self._database.update("invitations", {"_id": invitation.agent}, {"$set": fields}, upsert=True)

    async def invited(self, digest: str, *, now_ms: int) -> Agent | None:
        found: Any = await self._database.find_one(
            "invitations", {"digest": digest, "expires_ms": {"$gt": now_ms}}
        )
        agent = None if found is None else await self.agent(AgentId(found["_id"]))
        return None if agent is None or agent.disabled_ms is not None else agent

    async def accept(self, digest: str, password_hash: str, *, now_ms: int) -> Agent | None:
        invited = await self.invited(digest, now_ms=now_ms)
        if invited is None or not await self._database.delete(
            "invitations", {"_id": invited.id, "digest": digest}
        ):
            return None
        changes = {"$set": {"password_hash": password_hash}, "$inc": {"signs": 1}}
        if not await self._database.update("agents", {"_id": invited.id, "disabled_ms": None}, changes):
            return None
        await self._database.delete("sessions", {"agent": invited.id})
        return await self.agent(invited.id)

    async def begin_session(self, session: Session) -> None:
        await self._database.delete("sessions", {"expires_ms": {"$lte": session.created_ms}})
        agent: Any = await self._database.find_one("agents", {"_id": session.agent})
        fields = asdict(session)
        signs = 0 if agent is None else int(agent["signs"])
        await self._database.insert("sessions", {"_id": fields.pop("digest"), **fields, "signs": signs})

    async def session(self, digest: str, *, now_ms: int) -> tuple[Session, Agent] | None:
        found: Any = await self._database.find_one("sessions", {"_id": digest, "expires_ms": {"$gt": now_ms}})
        if found is None:
            return None
        agent = await self._agent({"_id": found["agent"], "signs": found["signs"], "disabled_ms": None})
        return None if agent is None else (to_session(found), agent)

    async def end_session(self, digest: str) -> None:
        await self._database.delete("sessions", {"_id": digest})

    async def _agent(self, query: dict[str, object]) -> Agent | None:
        found = await self._database.find_one("agents", query)
        return None if found is None else to_agent(found)


def to_agent(kept: Any) -> Agent:
    return Agent(
        id=AgentId(kept["_id"]),
        email=kept["email"],
        name=kept["name"],
        role=AgentRole(kept["role"]),
        created_ms=kept["created_ms"],
        password_hash=kept["password_hash"],
        disabled_ms=kept["disabled_ms"],
    )


def to_session(kept: Any) -> Session:
    return Session(
        digest=kept["_id"],
        agent=AgentId(kept["agent"]),
        csrf=kept["csrf"],
        created_ms=kept["created_ms"],
        expires_ms=kept["expires_ms"],
    )
