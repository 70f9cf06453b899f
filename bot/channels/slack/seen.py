"""What the store says of one conversation, as Slack has to show it: read once, before anything is posted."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bot.channels.slack.writers import SOMEBODY_ELSE, guests
from bot.channels.wording import Names
from bot.core.audit import AuditRow
from bot.core.conversation import Conversation, ConversationId, Message
from bot.core.notes import Note
from bot.core.revisions import outdated, revised
from bot.core.slack_rows import SlackThread
from bot.ports import ConversationStore

Called = Callable[[str, str], Awaitable[str | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One conversation. `messages` are those that still stand, each with what it says now; `outdated` are the seqs of the others.

    `guests` are the names of who else wrote in the customer's thread, by the seq of what they wrote.
    """

    conversation: Conversation
    messages: tuple[Message, ...]
    outdated: frozenset[int]
    last_seq: int
    notes: tuple[Note, ...]
    audit: tuple[AuditRow, ...]
    names: Names
    guests: Mapping[int, str] = field(default_factory=dict)

    def name_of(self, message: Message) -> str | None:
        """Return the name of the agent who wrote a message; None when no agent did."""
        return None if message.author is None else self.names.get(message.author)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeing:
    """Reads conversations; *names* returns what agents are called, *called* what somebody of a team in Slack is."""

    store: ConversationStore
    names: Callable[[], Awaitable[Names]]
    called: Called

    async def seen(self, conversation: ConversationId, threads: Iterable[SlackThread]) -> Seen:
        """Return everything that was written and done; ConversationUnknown, StoreUnavailable."""
        # Messages first: what comes while the rest is read is told again.
        snapshot = await self.store.snapshot(conversation, after=0)
        return Seen(
            conversation=snapshot.conversation,
            messages=revised(snapshot.messages),
            outdated=outdated(snapshot.messages),
            last_seq=max((message.seq for message in snapshot.messages), default=0),
            notes=await self.store.notes(conversation),
            audit=await self.store.audit(conversation),
            names=await self.names(),
            guests={
                seq: await self.called(team, user) or SOMEBODY_ELSE
                for seq, team, user in guests(snapshot.messages, threads)
            },
        )
