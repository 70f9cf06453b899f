"""What is kept of customers beside their conversations: whose each is, who has signed out, and that none changes hands."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.conversation import ConversationId
from bot.core.customers import Customer, Page, Profile, Subject
from bot.core.outcome import ReasonCode
from bot.errors import ConversationUnknown, MoveRefused
from tests.builders import CONVERSATION, NOON_MS, a_conversation, a_handoff
from tests.contract.scene import Scene

ANA = Customer(subject=Subject("ana"), name="Ana Costa", email="ana@shop.example")
BEN = Customer(subject=Subject("ben"))
SHOP = Page(url="https://shop.example/cart", title="Your cart")
NOBODY = ConversationId("nobody")


@pytest.fixture(autouse=True)
async def scene(store):
    return await Scene.open(store)


async def opened(store, name, *, at_ms=NOON_MS):
    return (await store.open_conversation(a_conversation(id=ConversationId(name), created_ms=at_ms))).id


async def test_nothing_is_known_of_a_new_conversations_customer(customers):
    assert await customers.profile(CONVERSATION) == Profile()


async def test_a_profile_comes_back_as_it_was_saved(customers):
    await customers.save_profile(CONVERSATION, ANA, SHOP, identity_ms=NOON_MS)

    assert await customers.profile(CONVERSATION) == Profile(customer=ANA, page=SHOP, identity_ms=NOON_MS)


async def test_a_customer_who_comes_again_brings_a_new_name_and_keeps_the_page_unless_there_is_another(
    customers,
):
    await customers.save_profile(CONVERSATION, ANA, SHOP, identity_ms=NOON_MS)
    renamed = replace(ANA, name="Ana Lima", email=None)

    await customers.save_profile(CONVERSATION, renamed, identity_ms=NOON_MS - 9)
    assert await customers.profile(CONVERSATION) == Profile(customer=renamed, page=SHOP, identity_ms=NOON_MS)

    await customers.save_profile(CONVERSATION, renamed, Page(title="Help"))
    assert (await customers.profile(CONVERSATION)).page == Page(title="Help")


@pytest.mark.parametrize("first", [Customer(), ANA], ids=["somebody unknown", "another"])
async def test_a_conversation_never_passes_to_another_customer(customers, first):
    await customers.save_profile(CONVERSATION, first)

    for other in {Customer(), ANA, BEN} - {first}:
        with pytest.raises(MoveRefused):
            await customers.save_profile(CONVERSATION, other)
    assert (await customers.profile(CONVERSATION)).customer == first


async def test_what_somebody_unknown_wrote_becomes_nobodys(customers, scene):
    await scene.customer_writes()

    with pytest.raises(MoveRefused):
        await customers.save_profile(CONVERSATION, ANA)
    await customers.save_profile(CONVERSATION, Customer(), SHOP)

    assert await customers.profile(CONVERSATION) == Profile(page=SHOP)


async def test_a_customers_conversations_are_listed_the_latest_first(customers, store):
    names = {"old": NOON_MS - 5, "new": NOON_MS + 5, "twin": NOON_MS + 5}
    ids = [await opened(store, name, at_ms=at_ms) for name, at_ms in names.items()]
    for conversation in (*ids, CONVERSATION):
        await customers.save_profile(conversation, ANA if conversation != CONVERSATION else BEN)

    assert [state.id for state in await customers.conversations_of(ANA.subject)] == ["twin", "new", "old"]
    assert await customers.conversations_of(BEN.subject) == (await store.conversation(CONVERSATION),)
    assert await customers.conversations_of(Subject("nobody")) == ()


async def test_of_many_new_conversations_at_once_a_customer_goes_on_with_one(customers, store):
    ids = [await opened(store, f"c{n}") for n in range(2, 9)]

    chosen = await asyncio.gather(*(customers.settle(one, ANA, SHOP, identity_ms=NOON_MS) for one in ids))

    assert len(set(chosen)) == 1
    assert await customers.profile(chosen[0]) == Profile(customer=ANA, page=SHOP, identity_ms=NOON_MS)
    assert [state.id for state in await customers.conversations_of(ANA.subject)] == [chosen[0]]


async def test_a_customer_whose_conversations_are_resolved_gets_the_new_one(customers, store, scene):
    await customers.save_profile(CONVERSATION, ANA)
    await scene.bot_hands_over(a_handoff(ReasonCode.CUSTOMER_ASKED))
    await scene.agent_claims()
    await scene.agent_resolves()

    assert await customers.settle(await opened(store, "new"), ANA) == "new"
    assert await customers.settle(await opened(store, "newer"), ANA) == "new"


async def test_who_nobody_vouches_for_always_gets_the_new_conversation(customers, store):
    await customers.save_profile(CONVERSATION, Customer())

    assert await customers.settle(await opened(store, "new"), Customer(), SHOP) == "new"
    assert await customers.profile(ConversationId("new")) == Profile(page=SHOP)


async def test_a_sign_out_voids_the_tokens_of_all_that_is_the_customers_and_of_nobody_else(customers, store):
    second, other = await opened(store, "second"), await opened(store, "other")
    for conversation, customer in ((CONVERSATION, ANA), (second, ANA), (other, BEN)):
        await customers.save_profile(conversation, customer, SHOP)

    await customers.sign_out(CONVERSATION, at_ms=NOON_MS)

    profiles = [await customers.profile(one) for one in (CONVERSATION, second, other)]
    assert [profile.token_epoch for profile in profiles] == [1, 1, 0]
    assert [profile.page for profile in profiles] == [SHOP] * 3
    assert await customers.signed_out_ms(ANA.subject) == NOON_MS
    assert await customers.signed_out_ms(BEN.subject) == 0


async def test_who_signs_out_unknown_loses_the_tokens_of_that_conversation(customers, store):
    other = await opened(store, "other")

    for _ in range(2):
        await customers.sign_out(CONVERSATION, at_ms=NOON_MS)

    assert await customers.profile(CONVERSATION) == Profile(token_epoch=2)
    assert await customers.profile(other) == Profile()


async def test_a_sign_out_covers_what_a_site_with_a_fast_clock_had_signed(customers):
    await customers.save_profile(CONVERSATION, ANA, identity_ms=NOON_MS + 30)

    await customers.sign_out(CONVERSATION, at_ms=NOON_MS)
    await customers.sign_out(CONVERSATION, at_ms=NOON_MS - 90)

    assert await customers.signed_out_ms(ANA.subject) == NOON_MS + 30


async def test_the_desk_reads_who_waits_and_whom_it_finds(desk, customers, scene):
    await customers.save_profile(CONVERSATION, ANA, SHOP)
    await scene.bot_hands_over(a_handoff(ReasonCode.CUSTOMER_ASKED))

    (row,), (found,) = await desk.queue(), await desk.search("help", limit=9)

    assert (row.customer, found.customer) == (ANA, ANA)
    assert (await desk.queue_row(CONVERSATION)).customer == ANA
    assert await desk.profile(CONVERSATION) == await customers.profile(CONVERSATION)


async def test_the_desk_reads_that_nobody_is_known(desk, scene):
    await scene.bot_hands_over(a_handoff(ReasonCode.CUSTOMER_ASKED))

    (row,), (found,) = await desk.queue(), await desk.search("help", limit=9)

    assert (row.customer, found.customer) == (Customer(), Customer())
    assert await desk.profile(CONVERSATION) == Profile()


ABOUT_NOBODY = {
    "profile": lambda customers: customers.profile(NOBODY),
    "save_profile": lambda customers: customers.save_profile(NOBODY, ANA),
    "settle": lambda customers: customers.settle(NOBODY, ANA),
    "sign_out": lambda customers: customers.sign_out(NOBODY, at_ms=NOON_MS),
}


@pytest.mark.parametrize("name", ABOUT_NOBODY)
async def test_a_conversation_that_is_not_there_has_no_customer(customers, name):
    with pytest.raises(ConversationUnknown):
        await ABOUT_NOBODY[name](customers)
