"""Which conversation a customer goes on with, also when they sign out in the middle of it."""

import pytest

from bot.adapters.memory.customers import MemoryCustomerStore
from bot.core.conversation import ConversationId
from bot.core.customers import Customer, Identity, Page, Subject, Ticket
from bot.errors import AccessRefused, ConversationUnknown, IdentityRequired
from bot.service.arrivals import Arrivals, Coming
from bot.service.live import Changed
from tests.service.rig import a_rig

NOW_MS = 1_750_000_000_000
ANA = Identity(subject=Subject("ana"), name="Ana", issued_ms=NOW_MS)
COMING = Coming(locale="en")


class LeavingStore(MemoryCustomerStore):
    """Lets a customer sign out as soon as they have been let in."""

    async def settle(self, conversation, customer, page=None, *, identity_ms=0):
        settled = await super().settle(conversation, customer, page, identity_ms=identity_ms)
        await self.sign_out(settled, at_ms=NOW_MS)
        return settled


def free():
    """There is room for a new conversation."""


def full():
    raise PermissionError


async def the_arrivals(store=MemoryCustomerStore, **fields):
    rig = await a_rig()
    return Arrivals(customers=rig.customers, store=store(rig.store), **fields)


async def test_who_comes_first_gets_a_new_conversation_and_goes_on_with_it():
    arrivals = await the_arrivals()

    first = await arrivals.arrive(COMING, before_opening=free)
    again = await arrivals.arrive(Coming(locale="en", ticket=first.ticket), before_opening=full)

    assert (first.is_new, first.customer) == (True, Customer())
    assert (again.is_new, again.ticket) == (False, first.ticket)


async def test_where_there_is_no_room_nothing_is_opened():
    arrivals = await the_arrivals()
    opened = len(arrivals.customers.store.states())

    with pytest.raises(PermissionError):
        await arrivals.arrive(COMING, before_opening=full)
    with pytest.raises(PermissionError):
        await arrivals.identify(COMING, ANA, before_opening=full)

    assert len(arrivals.customers.store.states()) == opened


async def test_a_restart_keeps_the_customer_and_what_was_proved():
    arrivals = await the_arrivals()
    first = await arrivals.identify(COMING, ANA, before_opening=free)

    restart = Coming(locale="en", ticket=first.ticket, restart=True)
    second = await arrivals.arrive(restart, before_opening=free)

    profile = await arrivals.store.profile(second.ticket.conversation)
    assert second.ticket.conversation != first.ticket.conversation
    assert (profile.customer, profile.identity_ms) == (ANA.customer, NOW_MS)


async def test_who_signs_out_while_somebody_comes_with_an_older_proof_is_safe_from_them():
    arrivals = await the_arrivals(LeavingStore)

    with pytest.raises(AccessRefused):
        await arrivals.identify(COMING, ANA, before_opening=free)


async def test_a_ticket_is_good_until_the_sign_out():
    arrivals = await the_arrivals()
    ticket = (await arrivals.identify(COMING, ANA, before_opening=free)).ticket
    assert (await arrivals.admit(ticket)).customer == ANA.customer

    await arrivals.sign_out(ticket.conversation)

    for refused in (ticket, Ticket(conversation=ticket.conversation, epoch=2)):
        with pytest.raises(AccessRefused):
            await arrivals.admit(refused)
    with pytest.raises(ConversationUnknown):
        await arrivals.admit(Ticket(conversation=ConversationId("nobody")))


async def test_a_site_that_requires_it_lets_in_nobody_unknown():
    arrivals = await the_arrivals(identity_required=True)
    unknown = Ticket(conversation=(await arrivals.customers.open(channel="widget", locale="en")).id)

    for coming in (COMING, Coming(locale="en", ticket=unknown)):
        with pytest.raises(IdentityRequired):
            await arrivals.arrive(coming, before_opening=free)
    assert (await arrivals.identify(COMING, ANA, before_opening=free)).is_new


async def test_agents_are_told_of_another_page_and_not_of_the_same():
    arrivals = await the_arrivals()
    ticket = (await arrivals.arrive(COMING, before_opening=free)).ticket
    with arrivals.customers.live.watch(ticket.conversation) as watcher:
        for title in ("Cart", "Cart", "Help"):
            page = Page(title=title)
            await arrivals.arrive(Coming(locale="en", ticket=ticket, page=page), before_opening=free)
        arrivals.customers.live.close()
        told = [event async for event in watcher.events()]

    assert told[:-1] == [Changed(), Changed()]
