"""Which conversation a place in Slack is: opened with the first message there, once, however many come at the same time."""

from dataclasses import dataclass

from bot.channels.slack.customer_people import CustomerPeople
from bot.core.conversation import Channel, ConversationId
from bot.core.languages import language_part
from bot.core.slack_rows import Place, Side, SlackThread
from bot.customer_ports import CustomerStore
from bot.service.customer import CustomerService
from bot.slack_ports import SlackStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerPlaces:
    """The customers' threads. *locale* is the knowledge base's, for who has none of their own. Methods may raise StoreUnavailable."""

    store: SlackStore
    customers: CustomerService
    profiles: CustomerStore
    people: CustomerPeople
    locale: str

    async def known(self, place: Place) -> SlackThread | None:
        """Return the customer's thread that a place is; None when it is none."""
        return await self.store.thread(place, Side.CUSTOMER)

    async def opened(self, place: Place, user: str) -> SlackThread:
        """Return the thread that *place* is from now on, *user*'s unless somebody else's message was faster.

        Whose conversation came too late is never used.
        """
        person = await self.people.of(team=place.team, user=user)
        locale = person.language or language_part(self.locale)
        opened = await self.customers.open(channel=Channel.SLACK, locale=locale)
        await self.profiles.save_profile(opened.id, person.customer)
        thread = SlackThread(conversation=opened.id, side=Side.CUSTOMER, place=place, user=user)
        return await self.store.bind(thread)

    async def customers_thread(self, conversation: ConversationId) -> SlackThread | None:
        """Return where the customer of a conversation writes; None when that is not in Slack."""
        threads = await self.store.threads_of(conversation)
        return next((thread for thread in threads if thread.side is Side.CUSTOMER), None)

    async def language(self, place: Place, user: str) -> str:
        """Return in which language to speak with somebody outside of a conversation."""
        person = await self.people.of(team=place.team, user=user)
        return person.language or language_part(self.locale)
