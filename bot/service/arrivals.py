"""Which conversation a customer's browser goes on with when it comes, and when it may go on no more.

Whom the site vouches for goes on with a conversation of their own. What somebody unknown wrote never becomes a known customer's.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bot.core.conversation import Channel, ConversationId
from bot.core.customers import Customer, Identity, Page, Profile, Ticket, latest_open
from bot.customer_ports import CustomerStore
from bot.errors import AccessRefused, IdentityRequired
from bot.service.customer import CustomerService
from bot.service.live import Changed

SIGNED_OUT = "signed_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """What a browser says when it comes. `ticket` is what its token stands for; with `restart` it wants a new conversation."""

    locale: str
    page: Page | None = None
    ticket: Ticket | None = None
    restart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """The conversation that a browser goes on with, and a ticket for it."""

    ticket: Ticket
    customer: Customer
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """Lets customers in. Methods may raise StoreUnavailable, and ConversationUnknown for a ticket of what is no more.

    *before_opening* may refuse a new conversation by raising.
    """

    customers: CustomerService
    store: CustomerStore
    channel: Channel = Channel.WIDGET
    identity_required: bool = False

    async def admit(self, ticket: Ticket) -> Profile:
        """Return whose ticket it is; AccessRefused once its customer has signed out, IdentityRequired for one nobody vouches for."""
        profile = await self.store.profile(ticket.conversation)
        if ticket.epoch != profile.token_epoch:
            raise AccessRefused(SIGNED_OUT)
        self._require_known(profile.customer)
        return profile

    async def arrive(self, coming: Coming, *, before_opening: Callable[[], None]) -> Arrived:
        """Go on with the ticket's conversation; without a ticket, or when the browser restarts, open a new one."""
        profile = Profile() if coming.ticket is None else await self.admit(coming.ticket)
        customer = profile.customer
        self._require_known(customer)
        if coming.ticket is not None and not coming.restart:
            await self._turn_page(coming.ticket.conversation, profile, coming.page)
            return Arrived(ticket=coming.ticket, customer=customer, is_new=False)

        before_opening()
        opened = await self._open(coming)
        await self.store.save_profile(opened, customer, coming.page, identity_ms=profile.identity_ms)
        return await self._arrived(opened, is_new=True)

    async def identify(
        self, coming: Coming, identity: Identity, *, before_opening: Callable[[], None]
    ) -> Arrived:
        """Go on with the ticket's conversation if it is the customer's, else with their latest open one, else with a new one.

        AccessRefused when the identity was signed before the customer signed out.
        """
        await self._require_fresh(identity)
        theirs = None if coming.restart else await self._theirs(identity, coming.ticket)
        if theirs is None:
            before_opening()
            conversation = await self._opened_for(identity, coming)
        else:
            conversation = theirs
            await self.store.save_profile(
                theirs, identity.customer, coming.page, identity_ms=identity.issued_ms
            )
            self.customers.live.publish(theirs, Changed())
        arrived = await self._arrived(conversation, is_new=theirs is None)
        await self._require_fresh(identity)  # a ticket of after a sign-out must not go to who came before it
        return arrived

    async def sign_out(self, conversation: ConversationId) -> None:
        """Void every ticket of the customer's, and all that the site has signed for them until now."""
        voided = await self.store.sign_out(conversation, at_ms=self.customers.clock.now_ms())
        for one in voided:
            self.customers.live.publish(one, Changed())

    def _require_known(self, customer: Customer) -> None:
        if self.identity_required and not customer.verified:
            raise IdentityRequired("the site lets in only whom it vouches for")

    async def _require_fresh(self, identity: Identity) -> None:
        if identity.issued_ms <= await self.store.signed_out_ms(identity.subject):
            raise AccessRefused(SIGNED_OUT)

    async def _theirs(self, identity: Identity, ticket: Ticket | None) -> ConversationId | None:
        found = await self.store.conversations_of(identity.subject)
        if ticket is not None and any(state.id == ticket.conversation for state in found):
            return ticket.conversation
        return latest_open(found)

    async def _opened_for(self, identity: Identity, coming: Coming) -> ConversationId:
        """Two tabs that come at once go on with one conversation, unless one of them restarts."""
        opened = await self._open(coming)
        if coming.restart:
            await self.store.save_profile(
                opened, identity.customer, coming.page, identity_ms=identity.issued_ms
            )
            return opened
        return await self.store.settle(opened, identity.customer, coming.page, identity_ms=identity.issued_ms)

    async def _open(self, coming: Coming) -> ConversationId:
        return (await self.customers.open(channel=self.channel, locale=coming.locale)).id

    async def _turn_page(self, conversation: ConversationId, known: Profile, page: Page | None) -> None:
        if page is None or page == known.page:
            return
        await self.store.save_profile(conversation, known.customer, page)
        self.customers.live.publish(conversation, Changed())

    async def _arrived(self, conversation: ConversationId, *, is_new: bool) -> Arrived:
        profile = await self.store.profile(conversation)
        ticket = Ticket(conversation=conversation, epoch=profile.token_epoch)
        return Arrived(ticket=ticket, customer=profile.customer, is_new=is_new)
