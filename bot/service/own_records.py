"""Binds a database to one customer: whose rows are read is decided here, by the site's own word, and nowhere else."""

from dataclasses import dataclass

from bot.core.conversation import Channel, ConversationId
from bot.core.customers import Subject
from bot.core.records import RecordsSchema, Rows
from bot.customer_ports import CustomerStore
from bot.ports import ConversationStore
from bot.records_ports import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsOfOne:
    """One customer's rows."""

    records: Records
    subject: Subject

    async def query(self, sql: str) -> Rows:
        return await self.records.query(sql, subject=self.subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRecordsOnly:
    """Opens to a customer of the widget, whom the site's token names, what is theirs. Without `customers` nobody is known."""

    records: Records
    store: ConversationStore | None = None
    customers: CustomerStore | None = None

    @property
    def schema(self) -> RecordsSchema:
        return self.records.schema

    async def of(self, conversation: ConversationId) -> RecordsOfOne | None:
        """Return the records of the conversation's customer; None where the site vouches for nobody, as in Slack. StoreUnavailable."""
        if self.store is None or self.customers is None:
            return None
        if (await self.store.conversation(conversation)).channel is not Channel.WIDGET:
            return None
        subject = (await self.customers.profile(conversation)).customer.subject
        return None if subject is None else RecordsOfOne(records=self.records, subject=subject)
