"""What the agents' desk needs kept and told beside the conversations, as Protocols. Every method may raise StoreUnavailable."""

from typing import Protocol

from bot.core.accounts import Agent, Invitation, Session
from bot.core.activity import Activity
from bot.core.conversation import AgentId, ConversationId
from bot.core.customers import Profile
from bot.core.desk import CannedReply, Found, Mark, MarkKind, QueueRow, ReadMarks
from bot.core.outbox import OutboxRow
from bot.core.turn import Turn


class DeskStore(Protocol):
    """What agents read across conversations, and what they write beside them."""

    async def queue(self) -> tuple[QueueRow, ...]:
        """Return every queued and claimed conversation, the longest waiting first, then those where nobody waits."""
        ...

    async def queue_row(self, conversation: ConversationId) -> QueueRow | None:
        """Return one conversation's row; None when it is neither queued nor claimed, or unknown."""
        ...

    async def position(self, conversation: ConversationId) -> int | None:
        """Return its place among the queued by waiting time, from 1; None when it is not queued."""
        ...

    async def recent_waits(self, *, since_ms: int, limit: int) -> tuple[int, ...]:
        """Return how long customers waited from the handoff to the first human reply, of those replied to since then, newest first."""
        ...

    async def leases_over(self, *, now_ms: int) -> tuple[ConversationId, ...]:
        """Return claimed conversations whose lease has passed, the longest ago first."""
        ...

    async def claims_of(self, agent: AgentId) -> tuple[ConversationId, ...]:
        """Return what the agent has claimed, in the order of its ids."""
        ...

    async def add_mark(self, mark: Mark) -> Mark:
        """Keep a mark; the stored one when the conversation has an equal (kind, seq)."""
        ...

    async def remove_mark(self, conversation: ConversationId, kind: MarkKind, seq: int) -> None:
        """Take a mark back; one that is not there is left alone."""
        ...

    async def marks(self, conversation: ConversationId) -> tuple[Mark, ...]:
        """Return a conversation's marks, oldest first."""
        ...

    async def marked(self, kind: MarkKind, *, since_ms: int) -> tuple[Mark, ...]:
        """Return every mark of a kind since then, oldest first."""
        ...

    async def keep_draft(
        self, conversation: ConversationId, agent: AgentId, text: str, *, at_ms: int
    ) -> None:
        """Keep an agent's unsent reply in place of the one before; an empty text drops it."""
        ...

    async def draft(self, conversation: ConversationId, agent: AgentId) -> str:
        """Return the agent's unsent reply; empty when there is none."""
        ...

    async def mark_read(
        self, conversation: ConversationId, *, customer: int = 0, agent: int = 0
    ) -> ReadMarks:
        """Move the marks forward, never back; return them."""
        ...

    async def read_marks(self, conversation: ConversationId) -> ReadMarks:
        """Return up to where both sides have read."""
        ...

    async def canned_replies(self) -> tuple[CannedReply, ...]:
        """Return the canned replies by title."""
        ...

    async def save_canned_reply(self, reply: CannedReply) -> None:
        """Keep a canned reply in place of the one with its id."""
        ...

    async def remove_canned_reply(self, reply_id: str) -> None:
        """Remove a canned reply; one that is not there is left alone."""
        ...

    async def profile(self, conversation: ConversationId) -> Profile:
        """Return what is known of a conversation's customer; an empty profile when nothing is."""
        ...

    async def search(self, text: str, *, limit: int) -> tuple[Found, ...]:
        """Return conversations with a customer-visible message that holds words beginning with each word of *text*, newest match first."""
        ...

    async def activity(self, *, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
        """Return what happened in the span, by conversation; of wrote_ms and helped also the day after it."""
        ...

    async def handoff_turns(self, *, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
        """Return the turns of the span that handed over, oldest first."""
        ...


class AccountStore(Protocol):
    """The agents, their invitations and their sessions."""

    async def add_agent(self, agent: Agent) -> None:
        """Keep a new agent; InputRejected when the e-mail address, read without regard to case, is taken."""
        ...

    async def agents(self) -> tuple[Agent, ...]:
        """Return every agent, disabled ones too, by e-mail address."""
        ...

    async def agent(self, agent: AgentId) -> Agent | None:
        """Return an agent; None when there is none."""
        ...

    async def agent_by_email(self, email: str) -> Agent | None:
        """Return the agent with this address, read without regard to case; None when there is none."""
        ...

    async def set_disabled(self, agent: AgentId, *, disabled_ms: int | None) -> None:
        """Disable an agent, which ends its sessions and invitations, or let it in again with None."""
        ...

    async def rehash(self, agent: AgentId, password_hash: str, *, was: str) -> None:
        """Replace the hash *was* of an unchanged password by a stronger one; any other, a newer password's, is left alone."""
        ...

    async def invite(self, invitation: Invitation) -> None:
        """Keep an invitation in place of the agent's earlier ones."""
        ...

    async def invited(self, digest: str, *, now_ms: int) -> Agent | None:
        """Return whom an invitation is for; None when it is unknown, used or too old, or the agent is disabled."""
        ...

    async def accept(self, digest: str, password_hash: str, *, now_ms: int) -> Agent | None:
        """Use an invitation once: set the password and end the agent's sessions; None as for `invited`."""
        ...

    async def begin_session(self, session: Session) -> None:
        """Keep a session, and forget those that have run out."""
        ...

    async def session(self, digest: str, *, now_ms: int) -> tuple[Session, Agent] | None:
        """Return a session with its agent; None when it is unknown or too old, or the agent is disabled."""
        ...

    async def end_session(self, digest: str) -> None:
        """Forget a session; one that is not there is left alone."""
        ...


class Passwords(Protocol):
    """Turns passwords into hashes that are slow to guess from, and looks whether one fits."""

    async def hash(self, password: str) -> str:
        """Return a hash with a salt of its own."""
        ...

    async def fits(self, password: str, password_hash: str | None) -> bool:
        """Say whether a hash was made of this password; for None it takes as long and is False."""
        ...

    def is_outdated(self, password_hash: str) -> bool:
        """Say whether hashes are made stronger by now than this one was."""
        ...


class Notifier(Protocol):
    """Somebody outside who is told of outbox rows, at least once each; the row's key tells a repeat."""

    async def tell(self, row: OutboxRow) -> None:
        """Deliver a row; OutsideFailure when it has to be tried again."""
        ...


class DeskObserver(Protocol):
    """Counts what operators watch of the desk; never raises and never waits."""

    def outbox_seen(self, *, oldest_s: float, waiting: int) -> None:
        """Show how old the oldest undelivered row is, 0 when there is none, and how many wait."""
        ...

    def queue_seen(self, *, waiting: int, claimed: int, longest_s: float) -> None:
        """Show who waits."""
        ...
