"""How what is kept of people is found, taken out and removed, as Protocols. Every method may raise StoreUnavailable."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.core.conversation import ConversationId
from bot.core.erasure import Erased, Trace


class Erasure(Protocol):
    """The whole store, seen from the person whom it is about."""

    async def traces_of(self, person: str) -> tuple[Trace, ...]:
        """Return the conversations of a subject or an e-mail address, latest opened first.

        An address counts that the site vouched for, and one that a customer wrote whom nobody vouches for.
        """
        ...

    async def everything(self, conversation: ConversationId) -> Mapping[str, object]:
        """Return all that is kept of a conversation, its audit too, as JSON values by table; ConversationUnknown."""
        ...

    async def erase(
        self, conversations: Sequence[ConversationId], *, who: str, at_ms: int
    ) -> tuple[ConversationId, ...]:
        """Remove conversations and all that belongs to them in one step; return those that were there.

        The audit stays and gets a row. The ids are never opened again.
        """
        ...

    async def erase_again(self, *, at_ms: int) -> tuple[ConversationId, ...]:
        """Remove what operators had erased and a restored backup brought back; return what that was."""
        ...

    async def erased(self, *, after: int) -> tuple[Erased, ...]:
        """Return the erasures with a number greater than *after*, in order."""
        ...

    async def erasure_of(self, conversation: ConversationId) -> Erased | None:
        """Return when a conversation was erased; None when it never was."""
        ...

    async def idle(self, *, since_ms: int, limit: int) -> tuple[ConversationId, ...]:
        """Return conversations in which nothing has happened since then and nobody waits or works, the oldest first."""
        ...

    async def reduce_evidence(self, *, settled_before_ms: int, limit: int) -> int:
        """Reduce the records of turns settled before then, as `core.evidence.reduced` does; return how many."""
        ...

    async def scrub(self, *, copying: bool) -> None:
        """Leave no trace of what was removed in what the store has written; with *copying* also where it had been.

        Copying takes the time and the space of the whole store, and others wait for it.
        """
        ...


class NotedErasures(Protocol):
    """A list of erased conversations outside the store, which a restored backup does not take back."""

    def add(self, conversations: Sequence[ConversationId]) -> None:
        """Add ids, so that they are on the disk when this returns; StoreUnavailable."""
        ...

    def all(self) -> tuple[ConversationId, ...]:
        """Return every id once, in order; StoreUnavailable."""
        ...
