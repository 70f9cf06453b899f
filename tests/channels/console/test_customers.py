"""Agents see by name whom the site vouches for, and where everybody writes; nothing of it is believed beyond that."""

import pytest

from bot.core.customers import Identity, Page, Subject
from bot.service.arrivals import Coming

ANA = Identity(
    subject=Subject("ana"), name="Ana Costa", email="ana@shop.example", issued_ms=1_750_000_000_000
)
CART = Page(url="https://shop.example/cart", title="Your cart")


async def comes(office, identity=ANA, *, page=CART):
    """Let a customer whom the site vouches for come, and return the conversation."""
    coming = Coming(locale="en", page=page)
    arrived = await office.arrivals.identify(coming, identity, before_opening=lambda: None)
    return arrived.ticket.conversation


@pytest.fixture
async def anna(office):
    return await office.hire("Anna")


async def test_a_known_customer_is_listed_found_and_shown_by_name_with_a_tick(office, anna):
    conversation = await comes(office)
    await office.say(conversation, "I want to talk to a person")

    (row,) = (await anna.read("queue")).body["rows"]
    view = (await anna.read(f"conversations/{conversation}")).body
    (found,) = (await anna.read("search?q=person")).body["found"]

    for shown in (row, view, view["row"], found):
        assert (shown["customer"], shown["verified"]) == ("Ana Costa", True)
    assert view["page"] == {"url": "https://shop.example/cart", "title": "Your cart"}
    assert row["contact"] == view["row"]["contact"] == "ana@shop.example"


async def test_somebody_unknown_has_no_name_no_tick_and_no_page(office, anna):
    conversation = await office.waiting()

    view = (await anna.read(f"conversations/{conversation}")).body

    assert view["customer"].startswith("Customer ")
    assert (view["verified"], view["row"]["verified"], view["page"]) == (False, False, None)


async def test_an_address_that_the_customer_wrote_goes_before_the_sites(office, anna):
    conversation = await comes(office)
    await office.say(conversation, "A person please, I am at ana@home.example")

    (row,) = (await anna.read("queue")).body["rows"]

    assert row["contact"] == "ana@home.example"


async def test_an_open_console_sees_a_new_name_and_a_new_page_at_once(office, anna):
    conversation = await comes(office)
    await office.say(conversation, "I want to talk to a person")
    async with anna.socket() as line:
        await line.watch(conversation)
        renamed = Identity(subject=ANA.subject, name="Ana Lima", issued_ms=ANA.issued_ms)

        await comes(office, renamed, page=Page(title="Help"))

        view = await line.next("conversation", customer="Ana Lima")
        assert view["page"] == {"url": "", "title": "Help"}
        assert (await line.row(customer="Ana Lima"))["verified"]


async def test_an_address_that_the_customer_deletes_is_forgotten(office, anna):
    conversation = await comes(office)
    await office.say(conversation, "A person please, I am at ana@home.example")
    await anna.read("queue")

    await office.revise(conversation, None)

    (row,) = (await anna.read("queue")).body["rows"]
    assert row["contact"] == "ana@shop.example"


async def test_an_open_console_sees_an_edit_without_the_old_text_and_the_history_says_so(office, anna):
    conversation = await comes(office)
    await office.say(conversation, "A person please, my card is 4242")

    await office.revise(conversation, "A person please")

    view = (await anna.read(f"conversations/{conversation}")).body
    rows = (await anna.read(f"conversations/{conversation}/history")).body["rows"]
    edits = [m for m in view["messages"] if m["revises"]]
    assert "4242" not in str(view)
    assert [(m["revises"], m["text"]) for m in edits] == [(1, "A person please")]
    assert ("Customer", "edited a message", "") in [
        (r["who"], r["what_text"], r["detail_text"]) for r in rows
    ]
