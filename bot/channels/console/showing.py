"""Puts views together: reads the names that they need, and the address that a customer left."""

from collections import OrderedDict
from dataclasses import dataclass, field

from bot.channels.console.roster import Roster
from bot.channels.console.views import Reader, to_row, to_view
from bot.channels.events import Event
from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.core.desk import QueueRow
from bot.core.replies import Replies
from bot.core.waiting import contact_in
from bot.ports import Clock, ConversationStore
from bot.service.desk_reading import DeskView

MOST_CONTACTS = 2_000  # conversations; many more than ever wait at a time


@dataclass(slots=True, kw_only=True)
class Contacts:
    """The e-mail addresses that customers wrote, each message looked at once. Methods may raise StoreUnavailable."""

    store: ConversationStore
    _known: OrderedDict[ConversationId, tuple[int, str | None]] = field(default_factory=OrderedDict)

    async def of(self, conversation: Conversation) -> str | None:
        """Return the last address that the customer wrote; None when there is none."""
        after, known = self._known.get(conversation.id, (0, None))
        if after < conversation.last_customer_seq:
            snapshot = await self.store.snapshot(conversation.id, after=after)
            if any(
                message.revises is not None for message in snapshot.messages
            ):  # perhaps the one that held it
                snapshot, known = await self.store.snapshot(conversation.id, after=0), None
            known = contact_in(snapshot.messages) or known
            self._keep(conversation.id, (snapshot.conversation.last_customer_seq, known))
        return known

    def forget(self, conversation: ConversationId) -> None:
        """Drop what a conversation held that was erased."""
        self._known.pop(conversation, None)

    def _keep(self, conversation: ConversationId, found: tuple[int, str | None]) -> None:
        self._known[conversation] = found
        self._known.move_to_end(conversation)
        while len(self._known) > MOST_CONTACTS:
            self._known.popitem(last=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """Shows things to one agent or another. Methods may raise StoreUnavailable."""

    roster: Roster
    contacts: Contacts
    replies: Replies
    clock: Clock
    locale: str

    async def reader(self, agent: AgentId) -> Reader:
        """Return for whom to translate, with the names and the time of now."""
        return Reader(
            agent=agent,
            names=await self.roster.names(),
            replies=self.replies,
            locale=self.locale,
            now_ms=self.clock.now_ms(),
        )

    async def row(self, row: QueueRow, agent: AgentId) -> Event:
        """Show one line of the queue."""
        contact = await self.contacts.of(row.conversation) or row.customer.email
        return to_row(row, await self.reader(agent), contact=contact)

    async def view(self, view: DeskView, agent: AgentId) -> Event:
        """Show one conversation."""
        contact = await self.contacts.of(view.conversation) or view.profile.customer.email
        return to_view(view, await self.reader(agent), contact=contact)
