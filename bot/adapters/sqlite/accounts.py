"""The account store on SQLite: agents, their invitations and sessions. Each method is one transaction."""

import sqlite3
from dataclasses import asdict

from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.accounts import Agent, AgentRole, Invitation, Session, email_key
from bot.core.conversation import AgentId
from bot.errors import InputRejected


class SqliteAccountStore:
    """Accounts in the file that the conversations are in, which several processes may share."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def add_agent(self, agent: Agent) -> None:
        await self._database.write(lambda c: _add_agent(c, agent))

    async def agents(self) -> tuple[Agent, ...]:
        return await self._database.read(_agents)

    async def agent(self, agent: AgentId) -> Agent | None:
        return await self._database.read(lambda c: _agent(c, agent))

    async def agent_by_email(self, email: str) -> Agent | None:
        return await self._database.read(lambda c: _agent_by_email(c, email))

    async def set_disabled(self, agent: AgentId, *, disabled_ms: int | None) -> None:
        await self._database.write(lambda c: _set_disabled(c, agent, disabled_ms))

    async def rehash(self, agent: AgentId, password_hash: str, *, was: str) -> None:
        await self._database.write(lambda c: _rehash(c, agent, password_hash, was))

    async def invite(self, invitation: Invitation) -> None:
        await self._database.write(lambda c: _invite(c, invitation))

    async def invited(self, digest: str, *, now_ms: int) -> Agent | None:
        return await self._database.read(lambda c: _invited(c, digest, now_ms))

    async def accept(self, digest: str, password_hash: str, *, now_ms: int) -> Agent | None:
        return await self._database.write(lambda c: _accept(c, digest, password_hash, now_ms))

    async def begin_session(self, session: Session) -> None:
        await self._database.write(lambda c: _begin_session(c, session))

    async def session(self, digest: str, *, now_ms: int) -> tuple[Session, Agent] | None:
        return await self._database.read(lambda c: _session(c, digest, now_ms))

    async def end_session(self, digest: str) -> None:
        await self._database.write(lambda c: _end_session(c, digest))


def _add_agent(connection: sqlite3.Connection, agent: Agent) -> None:
    inserted = connection.execute(
        """
        INSERT INTO agents (id, email, email_key, name, role, created_ms, password_hash, disabled_ms)
        VALUES (:id, :email, :email_key, :name, :role, :created_ms, :password_hash, :disabled_ms)
        ON CONFLICT (email_key) DO NOTHING
        """,
        {**asdict(agent), "email_key": email_key(agent.email)},
    )
    if not inserted.rowcount:
        raise InputRejected("email", "is another agent's", "use another address, or that agent's account")


def _agents(connection: sqlite3.Connection) -> tuple[Agent, ...]:
    return tuple(map(to_agent, connection.execute("SELECT * FROM agents ORDER BY email_key")))


def _agent(connection: sqlite3.Connection, agent: AgentId) -> Agent | None:
    row = connection.execute("SELECT * FROM agents WHERE id = ?", (agent,)).fetchone()
    return None if row is None else to_agent(row)


def _agent_by_email(connection: sqlite3.Connection, email: str) -> Agent | None:
    row = connection.execute("SELECT * FROM agents WHERE email_key = ?", (email_key(email),)).fetchone()
    return None if row is None else to_agent(row)


def _set_disabled(connection: sqlite3.Connection, agent: AgentId, disabled_ms: int | None) -> None:
    connection.execute("UPDATE agents SET disabled_ms = ? WHERE id = ?", (disabled_ms, agent))
    if disabled_ms is not None:
        connection.execute("DELETE FROM invitations WHERE agent = ?", (agent,))
        _end_sessions(connection, agent)


def _rehash(connection: sqlite3.Connection, agent: AgentId, password_hash: str, was: str) -> None:
    changed = (password_hash, agent, was)
    connection.execute("UPDATE agents SET password_hash = ? WHERE id = ? AND password_hash = ?", changed)


def _invite(connection: sqlite3.Connection, invitation: Invitation) -> None:
    connection.execute("DELETE FROM invitations WHERE agent = ?", (invitation.agent,))
    connection.execute(
        "INSERT INTO invitations (digest, agent, expires_ms) VALUES (:digest, :agent, :expires_ms)",
        asdict(invitation),
    )


def _invited(connection: sqlite3.Connection, digest: str, now_ms: int) -> Agent | None:
    row = connection.execute(
        """
        SELECT a.* FROM invitations AS i JOIN agents AS a ON a.id = i.agent
        WHERE i.digest = ? AND i.expires_ms > ? AND a.disabled_ms IS NULL
        """,
        (digest, now_ms),
    ).fetchone()
    return None if row is None else to_agent(row)


def _accept(connection: sqlite3.Connection, digest: str, password_hash: str, now_ms: int) -> Agent | None:
    invited = _invited(connection, digest, now_ms)
    if invited is None:
        return None
    connection.execute("DELETE FROM invitations WHERE digest = ?", (digest,))
    connection.execute("UPDATE agents SET password_hash = ? WHERE id = ?", (password_hash, invited.id))
    _end_sessions(connection, invited.id)
    return _agent(connection, invited.id)


def _begin_session(connection: sqlite3.Connection, session: Session) -> None:
    connection.execute("DELETE FROM sessions WHERE expires_ms <= ?", (session.created_ms,))
    connection.execute(
        "INSERT INTO sessions VALUES (:digest, :agent, :csrf, :created_ms, :expires_ms)", asdict(session)
    )


def _session(connection: sqlite3.Connection, digest: str, now_ms: int) -> tuple[Session, Agent] | None:
    row = connection.execute(
        "SELECT * FROM sessions WHERE digest = ? AND expires_ms > ?", (digest, now_ms)
    ).fetchone()
    if row is None:
        return None
    agent = _agent(connection, AgentId(row["agent"]))
    return None if agent is None or agent.disabled_ms is not None else (to_session(row), agent)


def _end_session(connection: sqlite3.Connection, digest: str) -> None:
    connection.execute("DELETE FROM sessions WHERE digest = ?", (digest,))


def _end_sessions(connection: sqlite3.Connection, agent: AgentId) -> None:
    connection.execute("DELETE FROM sessions WHERE agent = ?", (agent,))


def to_agent(row: sqlite3.Row) -> Agent:
    return Agent(
        id=AgentId(row["id"]),
        email=row["email"],
        name=row["name"],
        role=AgentRole(row["role"]),
        created_ms=row["created_ms"],
        password_hash=row["password_hash"],
        disabled_ms=row["disabled_ms"],
    )


def to_session(row: sqlite3.Row) -> Session:
    return Session(
        digest=row["digest"],
        agent=AgentId(row["agent"]),
        csrf=row["csrf"],
        created_ms=row["created_ms"],
        expires_ms=row["expires_ms"],
    )
