"""What the service needs kept, searched, timed and told, as Protocols. Types that cross them are core types or builtins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.audit import AuditRow, Change
from bot.core.caps import Caps, Spending, SpentInADay
from bot.core.circuit import Cause
from bot.core.conversation import Conversation, ConversationId, Message, TurnId
from bot.core.duties import Duty
from bot.core.handoffs import HandoffRow
from bot.core.inbound import CustomerMessage
from bot.core.knowledge import ArticleId, ArticleText, IndexStatus, SearchQuery, SearchResult
from bot.core.notes import Note
from bot.core.outbox import EVERYTHING, OutboxRow, Told
from bot.core.turn import Fence, Turn, TurnStart


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A stored customer message and the conversation after it; `duplicate` when it had been stored before."""

    message: Message
    conversation: Conversation
    duplicate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What a reconnecting customer reads: the state, messages after a cursor, and the running answer's shown blocks."""

    conversation: Conversation
    messages: tuple[Message, ...]
    draft: tuple[str, ...] = ()


class Clock(Protocol):
    """The time and fresh ids, so that tests own both."""

    def now_ms(self) -> int:
        """Return Unix time in milliseconds."""
        ...

    def monotonic_s(self) -> float:
        """Return seconds that never run backwards, for measuring."""
        ...

    def new_id(self) -> str:
        """Return a fresh id of at least 128 random bits."""
        ...


class TurnObserver(Protocol):
    """Counts what operators watch."""

    def turn_settled(self, turn: Turn, *, truthful: bool) -> None:
        """Count one committed turn; never raises and never waits."""
        ...


class CircuitObserver(Protocol):
    """Is told when a dependency is left alone, and when it is asked again; never raises and never waits."""

    def circuit_opened(self, dependency: str, cause: Cause) -> None:
        """Raise the one alarm of this opening."""
        ...

    def circuit_closed(self, dependency: str) -> None:
        """Say that the dependency is asked again."""
        ...


class ConversationStore(Protocol):
    """The record of every conversation. Every method may raise StoreUnavailable."""

    async def open_conversation(self, conversation: Conversation) -> Conversation:
        """Store a new conversation; the stored one when the id exists already, ConversationUnknown when it was erased."""
        ...

    async def conversation(self, conversation: ConversationId) -> Conversation:
        """Return the current state; ConversationUnknown when there is none."""
        ...

    async def receive(self, message: CustomerMessage, *, at_ms: int) -> Received:
        """Store a customer message once, with the next seq.

        A repeat of (conversation, channel_message_id) returns the stored one; MessageConflict when its text or kind differs.
        Reopens a resolved conversation. Adds the outbox row of a message. A running answer's shown blocks become a message marked interrupted first.
        While a person has the conversation nothing else happens; FEEDBACK and CATEGORY messages count as customer
        messages like any other.
        """
        ...

    async def begin_turn(
        self, conversation: ConversationId, *, history: int, turns_since_ms: int
    ) -> TurnStart | None:
        """Read what a turn needs; None when no turn is owed.

        That is the last *history* messages, all unanswered ones, and how many turns were settled since then.
        """
        ...

    async def show_blocks(self, fence: Fence, *, turn: TurnId, texts: Sequence[str]) -> None:
        """Record one or more verified blocks, all or none, before they are shown.

        ConversationChanged when the fence no longer holds, or when another turn has shown a block since this one did: of
        two processes that run the same turn the later one goes on.
        """
        ...

    async def commit_turn(self, turn: Turn, messages: Sequence[Message], moved: Conversation) -> Snapshot:
        """Write a settled turn in one step; ConversationChanged, and nothing written, as for its blocks.

        Writes the turn record, *messages* (their seq is assigned here), the state *moved* (its last_seq is assigned
        here), an audit row, for a handoff the handoff, and the outbox rows of `core.outbox.announced`. For a Handoff
        outcome shown blocks become a message marked interrupted before *messages*; for others they are replaced.
        Returns the state and the messages written.
        """
        ...

    async def change(self, read: Conversation, moved: Conversation, change: Change) -> Snapshot:
        """Write a move by a person or the sweep and its messages in one step; return the state and the messages written.

        ConversationChanged, and nothing written, when status or epoch differ from *read*, or when a conversation would be resolved
        over a customer message that *read* did not have. A message whose channel_message_id is stored already makes the whole
        call a repeat: it writes nothing, and returns the stored message. Shown blocks become a message marked interrupted when the
        owner changes; a move to BOT or RESOLVED closes the open handoff, the first claim and an agent's first reply are timed in it.
        A change of owner adds an audit row, and outbox rows are those of `core.outbox.announced`.
        """
        ...

    async def snapshot(self, conversation: ConversationId, *, after: int) -> Snapshot:
        """Return the customer-visible messages with seq greater than *after*, oldest first."""
        ...

    async def unanswered(self, *, received_before_ms: int) -> tuple[ConversationId, ...]:
        """Return conversations that have owed a turn since before then, oldest first; never since before the bot got them."""
        ...

    async def conversations_with_turns(self, *, since_ms: int) -> tuple[ConversationId, ...]:
        """Return conversations with a turn settled since then, by the first such turn."""
        ...

    async def turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        """Return the turn records, oldest first."""
        ...

    async def handoffs(self, conversation: ConversationId) -> tuple[HandoffRow, ...]:
        """Return the handoffs, oldest first; at most one is open."""
        ...

    async def audit(self, conversation: ConversationId) -> tuple[AuditRow, ...]:
        """Return the audit rows, oldest first."""
        ...

    async def outbox(self, *, limit: int) -> tuple[OutboxRow, ...]:
        """Return undelivered rows, oldest first."""
        ...

    async def outbox_due(self, *, now_ms: int, limit: int, kinds: Told = EVERYTHING) -> tuple[OutboxRow, ...]:
        """Return undelivered rows of these kinds to deliver now, oldest first.

        A row waits for its own `due_ms`, and for earlier ones of its conversation as `core.outbox.held_back_by` says.
        """
        ...

    async def delivered(self, key: str, *, at_ms: int) -> None:
        """Mark an outbox row as delivered; unknown and delivered keys are left alone."""
        ...

    async def postponed(self, key: str, *, until_ms: int) -> None:
        """Count an attempt that failed, and make the row due again then; unknown and delivered keys are left alone."""
        ...

    async def add_note(self, conversation: ConversationId, note: Note) -> Note:
        """Store an internal note under the next seq of the notes; the stored one when its key was used in this conversation."""
        ...

    async def notes(self, conversation: ConversationId) -> tuple[Note, ...]:
        """Return the internal notes, oldest first. No other method returns them: they are for agents alone."""
        ...

    async def unsummarised(self, *, opened_before_ms: int, limit: int) -> tuple[HandoffRow, ...]:
        """Return open handoffs, opened before then, that have no note with their `summary_key`; oldest first."""
        ...

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the store can be read and written."""
        ...


class Elsewhere(Protocol):
    """What other processes over the same store have written. May raise StoreUnavailable."""

    async def changed(self) -> frozenset[ConversationId]:
        """Return the conversations that others have changed since the last call, own changes perhaps among them; none at the first."""
        ...

    async def woken(self, *, within_s: float) -> None:
        """Return when it is time to look: as soon as others have written where that can be known, else after so long; never raises."""
        ...


class Duties(Protocol):
    """What one of the processes over a store does for all. May raise StoreUnavailable."""

    async def mine(self, duty: Duty) -> bool:
        """Take a duty, or keep it, for as long as `core.duties` says; False while another process has it."""
        ...


class Ledger(Protocol):
    """What the bot's drafts used, kept with the conversations. Every method may raise StoreUnavailable."""

    async def spent(self, conversation: ConversationId, *, since_ms: int) -> SpentInADay:
        """Return what was used since then, in *conversation* and over all; its turns are drafts that were asked for."""
        ...

    async def spend(self, spending: Spending, *, caps: Caps, since_ms: int) -> str | None:
        """Keep *spending* in place of what its turn had, unless one of *caps* is reached: then return its name, and keep nothing.

        Both in one step, so that of many that ask at once at most one passes the cap's end.
        """
        ...


class PassageIndex(Protocol):
    """Vector search over the passages. It never returns an empty result where an index is not usable."""

    async def status(self) -> IndexStatus:
        """Return the state as of now; RetrievalUnavailable when it cannot be read."""
        ...

    async def search(self, query: SearchQuery) -> SearchResult:
        """Return the nearest passages by raw cosine; IndexNotReady, RetrievalUnavailable."""
        ...

    async def article(self, article: ArticleId) -> ArticleText | None:
        """Return an active article of the live generation, whichever model embedded it; RetrievalUnavailable.

        None for an unknown id, and for drafts, superseded and retired articles: customers must never read them.
        """
        ...
