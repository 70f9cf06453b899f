"""Who may use the console: agents, content people and admins, their invitations and their sessions. Pure."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import AgentId

SESSION_MS = 12 * 3600 * 1000  # a working day; after it the agent signs in again
INVITATION_MS = 72 * 3600 * 1000


class AgentRole(StrEnum):
    """What an account may do: AGENT answers customers, CONTENT works on what articles lack, ADMIN does both and manages."""

    AGENT = "agent"
    CONTENT = "content"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One account. `email` signs in, `name` is what customers and colleagues see; `password_hash` is None until it is set."""

    id: AgentId
    email: str
    name: str
    role: AgentRole
    created_ms: int
    password_hash: str | None = None
    disabled_ms: int | None = None

    @property
    def answers_customers(self) -> bool:
        """Whether the role may claim conversations."""
        return self.role in (AgentRole.AGENT, AgentRole.ADMIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A one-time link with which an agent sets a password; only the digest of its secret is kept."""

    digest: str
    agent: AgentId
    expires_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One sign-in of one browser; only the digest of its cookie is kept. `csrf` is what its writes must repeat."""

    digest: str
    agent: AgentId
    csrf: str
    created_ms: int
    expires_ms: int


def email_key(email: str) -> str:
    """Return what two addresses share when they are the same but for case."""
    return unicodedata.normalize("NFC", email).casefold()
