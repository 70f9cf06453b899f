"""What is kept of Slack, as a Protocol. Every method may raise StoreUnavailable."""

from typing import Protocol

from bot.core.conversation import AgentId, ConversationId
from bot.core.slack_rows import InboxRow, Place, Side, SlackPerson, SlackPost, SlackThread


class SlackInbox(Protocol):
    """What came in, kept before it is acknowledged and worked on at least once.

    What is said of a key that is not there, or was done before, changes nothing.
    """

    async def keep(self, row: InboxRow) -> bool:
        """Keep what came in; False, and nothing kept, when its key or its effect was kept before."""
        ...

    async def inbox_due(self, *, now_ms: int, limit: int) -> tuple[InboxRow, ...]:
        """Return what is due and neither done nor dead, the oldest first."""
        ...

    async def done(self, key: str, *, at_ms: int) -> None:
        """Note that a row needs nothing more, also one that was dead; its payload goes, its ids stay."""
        ...

    async def postponed(self, key: str, *, until_ms: int, error: str) -> None:
        """Count a failed attempt and set when the next one is due; a dead row stays dead."""
        ...

    async def died(self, key: str, *, at_ms: int, error: str) -> None:
        """Count a failed attempt and give up; the row is a dead letter until it is revived."""
        ...

    async def dead_letters(self) -> tuple[InboxRow, ...]:
        """Return what was given up, the oldest first."""
        ...

    async def revive(self, key: str, *, due_ms: int) -> bool:
        """Let a dead letter be tried from the beginning; False when it is none."""
        ...

    async def forget_done(self, *, received_before_ms: int) -> int:
        """Forget the ids of what came in before then and is done; return how many."""
        ...


class SlackPlaces(Protocol):
    """Which thread is which conversation, and what the bot posted there. What is erased with its conversation is not there."""

    async def bind(self, thread: SlackThread) -> SlackThread:
        """Keep what a place is, once for each side; return *thread* itself when it is new, and else the stored one.

        ConversationUnknown when *thread* is new and its conversation is not there.
        """
        ...

    async def thread(self, place: Place, side: Side) -> SlackThread | None:
        """Return what a place is; None when it is nothing."""
        ...

    async def threads_of(self, conversation: ConversationId) -> tuple[SlackThread, ...]:
        """Return a conversation's threads: the customer's, and the desk's by spell."""
        ...

    async def shown(self, thread: SlackThread, *, seq: int = 0, note: int = 0) -> None:
        """Move the thread's cursors forward; they never go back."""
        ...

    async def begin_post(self, post: SlackPost) -> SlackPost:
        """Note that a post is about to be made; return *post* itself when its key is new, and else the stored one.

        ConversationUnknown when *post* is new and its conversation is not there.
        """
        ...

    async def posted(self, key: str, *, ts: str, digest: str) -> None:
        """Note where a post is and what it shows."""
        ...

    async def post(self, key: str) -> SlackPost | None:
        """Return a post by its key; None when it was never begun."""
        ...

    async def posts_of(self, conversation: ConversationId) -> tuple[SlackPost, ...]:
        """Return a conversation's posts in the order in which they were begun."""
        ...

    async def drop_post(self, key: str) -> None:
        """Forget a post, which may then be begun anew."""
        ...

    async def post_at(self, place_channel: str, ts: str) -> SlackPost | None:
        """Return the post that is the message *ts* of a channel; None when the bot made none there."""
        ...


class SlackPeople(Protocol):
    """Which agents the users of Slack are."""

    async def link(self, person: SlackPerson) -> None:
        """Keep which agent somebody is, in place of what was kept of them before."""
        ...

    async def person(self, team: str, user: str) -> SlackPerson | None:
        """Return who a user is; None when nothing is kept of them."""
        ...

    async def person_of(self, agent: AgentId) -> SlackPerson | None:
        """Return the first user, by team and id, who is the agent; None when nobody is."""
        ...


class SlackStore(SlackInbox, SlackPlaces, SlackPeople, Protocol):
    """Everything that is kept of Slack."""
