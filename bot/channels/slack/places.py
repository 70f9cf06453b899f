"""Which conversation a place in Slack is: opened with the first message there, once, however many come at the same time."""

from dataclasses import dataclass, replace

from bot.channels.slack.customer_people import CustomerPeople
from bot.channels.slack.keys_of_posts import customers_seq
from bot.channels.slack.payloads import Spot
from bot.channels.slack.writers import is_at
from bot.core.conversation import Channel, ConversationId, Role, Status
from bot.core.languages import language_part
from bot.core.slack_rows import Place, Side, SlackThread
from bot.customer_ports import CustomerStore
from bot.ports import Snapshot
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

    async def home(self, at: Spot) -> SlackThread | None:
        """Return the thread whose conversation a message belongs to; None when it may begin one.

        Whoever answers a person below something in a direct message goes on with it: that thread is no conversation of its own.
        """
        known = await self.known(at.place)
        if known is not None or not (at.is_direct and at.place.thread_ts):
            return known
        direct = await self.known(replace(at.place, thread_ts=""))
        return direct if direct is not None and await self._goes_on(direct, at) else None

    async def _goes_on(self, direct: SlackThread, at: Spot) -> bool:
        snapshot = await self.customers.snapshot(direct.conversation, after=0)
        if any(is_at(message, at.place, at.ts) for message in snapshot.messages):  # what was taken before
            return True
        role = await self._role_above(snapshot, at)
        with_people = snapshot.conversation.status in (Status.QUEUED, Status.CLAIMED)
        return role is Role.AGENT or (role is not None and with_people)

    async def _role_above(self, snapshot: Snapshot, at: Spot) -> Role | None:
        """Return who wrote the message that a thread is below; None when it is none of the conversation's."""
        above = at.place.thread_ts
        if any(is_at(message, at.place, above) for message in snapshot.messages):
            return Role.CUSTOMER
        post = await self.store.post_at(at.place.channel, above)
        if post is None or post.conversation != snapshot.conversation.id:
            return None
        seq = customers_seq(post)
        return next((message.role for message in snapshot.messages if message.seq == seq), None)

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
