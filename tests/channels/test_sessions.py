"""Who a customer is over HTTP: who the site vouches for gets their own conversation, whoever else it refuses stays unknown (FAULTS W3)."""

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.channels.websockets import NOT_AUTHENTICATED
from bot.channels.widget.throttle import Throttle
from bot.core.customers import Customer, Page
from tests.channels.identity_tokens import signed, some_claims, unsigned
from tests.channels.rig import GENEROUS, close_code, running_rig

ANA = {"name": "Ana Costa", "verified": True}


async def profile(rig, customer):
    return await rig.widget.access.arrivals.store.profile(customer.conversation)


def error(result):
    status, body = result
    return status, body["error"]["code"]


async def test_a_customer_whom_the_site_vouches_for_is_known_by_name(rig):
    status, session = await rig.post("sessions", {"identity": rig.identity()})

    customer = rig.customer(session)
    assert (status, session["customer"]) == (201, ANA)
    known = (await profile(rig, customer)).customer
    assert known == Customer(subject="ana", name="Ana Costa", email="ana@shop.example")


async def test_nobody_vouches_for_who_sends_no_identity(rig):
    _, session = await rig.post("sessions", {})

    assert session["customer"] is None


@pytest.mark.parametrize("path", ["sessions", "identify"])
async def test_another_browser_of_the_same_customer_goes_on_with_the_same_conversation(rig, path):
    first = await rig.open(identity=rig.identity())
    await first.say("How do I reschedule?")

    status, session = await rig.post(path, {"identity": rig.identity()})

    assert (status, session["conversation"]) == (200, first.conversation)
    assert session["messages"][0]["text"] == "How do I reschedule?"


async def test_browsers_that_come_at_once_go_on_with_one_conversation(rig):
    results = await asyncio.gather(*(rig.post("identify", {"identity": rig.identity()}) for _ in range(9)))

    assert len({session["conversation"] for _, session in results}) == 1


async def test_what_was_written_unknown_is_never_taken_over(rig, customer):
    await customer.say("Something private")

    status, session = await customer.post("identify", {"identity": rig.identity()})

    known = rig.customer(session)
    assert (status, session["messages"]) == (201, [])
    assert known.conversation != customer.conversation
    assert (await profile(rig, customer)).customer == Customer()
    assert (await customer.events())[0] == 200


async def test_another_customer_in_the_same_browser_gets_another_conversation(rig):
    ana = await rig.open(identity=rig.identity())
    await ana.say("Something private")

    status, session = await ana.post("identify", {"identity": rig.identity(sub="ben", name=None)})

    assert (status, session["messages"], session["customer"]) == (201, [], {"name": None, "verified": True})
    assert session["conversation"] != ana.conversation


async def test_a_token_of_a_customers_own_conversation_says_which_they_go_on_with(rig):
    first = await rig.open(identity=rig.identity())
    second = await rig.open(identity=rig.identity(), restart=True)

    _, with_first = await first.post("identify", {"identity": rig.identity()})
    _, with_none = await rig.post("identify", {"identity": rig.identity()})

    assert with_first["conversation"] == first.conversation
    assert with_none["conversation"] == second.conversation != first.conversation


async def test_a_restart_opens_a_new_conversation_for_the_same_customer(rig):
    ana, unknown = await rig.open(identity=rig.identity()), await rig.open()

    for before, known in ((ana, ANA), (unknown, None)):
        status, session = await before.post("sessions", {"restart": True})
        assert (status, session["customer"]) == (201, known)
        assert session["conversation"] != before.conversation
        assert (await before.events())[0] == 200


async def test_a_token_that_is_no_good_does_not_stand_in_the_way_of_an_identity(rig, customer):
    customer.token = customer.token[:-1]

    status, session = await customer.post("sessions", {"identity": rig.identity()})

    assert (status, session["customer"]) == (201, ANA)


async def refused_identities(rig):
    now_s = rig.clock.now_ms() // 1000
    return {
        "none": unsigned(some_claims(now_s)),
        "RS256": unsigned(some_claims(now_s), algorithm="RS256", signature="AAAA"),
        "another key": signed(some_claims(now_s), key="another-key-that-is-thirty-two-bytes-or-more"),
        "expired": rig.identity(exp=now_s),
        "too long": rig.identity(exp=now_s + 3_601),
        "another audience": rig.identity(aud="another"),
        "nobody": rig.identity(sub=None),
        "our own token": rig.tokens.issue("c1"),
    }


@pytest.mark.parametrize("path", ["sessions", "identify"])
async def test_a_refused_identity_leaves_the_customer_unknown_and_opens_nothing(rig, customer, path):
    opened = len(rig.store.states())
    for identity in (await refused_identities(rig)).values():
        assert error(await customer.post(path, {"identity": identity})) == (401, "identity_refused")
        assert error(await rig.post(path, {"identity": identity})) == (401, "identity_refused")

    assert len(rig.store.states()) == opened
    assert (await profile(rig, customer)).customer == Customer()
    assert (await customer.events())[0] == 200


async def test_operators_read_why_an_identity_was_refused_and_nothing_of_it(rig):
    identity = rig.identity(aud="another")
    with capture_logs() as logs:
        await rig.post("identify", {"identity": identity})

    refused = [line for line in logs if line["event"] == "identity_refused"]
    assert refused == [{"event": "identity_refused", "why": "other_audience", "log_level": "info"}]


async def test_who_signs_out_can_use_no_token_of_before_in_any_browser(rig):
    ana = await rig.open(identity=rig.identity())
    elsewhere = rig.customer((await rig.post("identify", {"identity": rig.identity()}))[1])

    assert await ana.post("logout", {}) == (200, {})

    for browser in (ana, elsewhere):
        results = [await browser.say("Hello?"), await browser.events(), await browser.post("sessions", {})]
        results += [await browser.post(path, {}) for path in ("sessions", "logout")]
        assert {error(result) for result in results} == {(401, "token_refused")}


@pytest.mark.parametrize("path", ["sessions", "identify"])
async def test_an_identity_of_before_a_sign_out_is_refused_in_every_browser_and_one_of_after_counts(
    rig, path
):
    identity, unused = rig.identity(), rig.identity(name="Ana")
    ana = await rig.open(identity=identity)
    rig.clock.advance(5_000)
    await ana.post("logout", {})

    for old in (identity, unused):
        assert error(await rig.post(path, {"identity": old})) == (401, "identity_refused")
        assert error(await ana.post(path, {"identity": old})) == (401, "identity_refused")
    rig.clock.advance(1_000)
    status, session = await rig.post(path, {"identity": rig.identity()})

    assert (status, session["conversation"]) == (200, ana.conversation)


async def test_a_sign_out_does_not_touch_anybody_else(rig, customer):
    ben = await rig.open(identity=rig.identity(sub="ben"))
    ana = await rig.open(identity=rig.identity())

    await ana.post("logout", {})

    assert [(await other.events())[0] for other in (ben, customer)] == [200, 200]
    assert (await rig.post("identify", {"identity": rig.identity(sub="ben")}))[0] == 200


async def test_who_signs_out_unknown_can_use_the_token_no_more(rig, customer):
    await customer.post("logout", {})

    assert error(await customer.events()) == (401, "token_refused")
    assert error(await customer.post("sessions", {})) == (401, "token_refused")


async def test_a_sign_out_closes_the_sockets_of_every_browser(rig):
    ana = await rig.open(identity=rig.identity())
    async with ana.socket() as here, ana.socket() as there:
        for ws in (here, there):
            await ws.receive_json(timeout=10)
        await ana.post("logout", {})

        assert [await close_code(ws) for ws in (here, there)] == [NOT_AUTHENTICATED.code] * 2
    async with ana.socket() as again:
        assert await close_code(again) == NOT_AUTHENTICATED.code


async def test_a_site_may_let_in_only_whom_it_vouches_for():
    async with running_rig(identity_required=True) as rig:
        required = (401, "identity_required")
        assert error(await rig.post("sessions", {})) == required
        assert rig.store.states() == ()
        ana = await rig.open(identity=rig.identity())
        assert (await ana.post("sessions", {}))[0] == 200
        assert (await ana.say("Hello"))[0] == 202


async def test_who_was_let_in_unknown_before_is_let_in_no_more_once_the_site_requires_it():
    async with running_rig(identity_required=True) as rig:
        unknown = rig.customer({"token": rig.tokens.issue("c1"), "conversation": "c1"})
        opened = await rig.widget.customers.open(channel="widget", locale="en")
        unknown.token = rig.tokens.issue(opened.id)

        results = [await unknown.say("Hello"), await unknown.events(), await unknown.post("sessions", {})]

        assert {error(result) for result in results} == {(401, "identity_required")}
        async with unknown.socket() as ws:
            assert await close_code(ws) == NOT_AUTHENTICATED.code


async def test_the_page_is_kept_as_the_browser_says_it_and_follows_the_customer(rig):
    page = {"url": "https://shop.example/cart?token=secret#top", "title": " Your\ncart "}
    customer = await rig.open(page=page)
    assert (await profile(rig, customer)).page == Page(url="https://shop.example/cart", title="Your cart")

    await customer.post("sessions", {"page": {"url": "javascript:alert(1)", "title": "Help"}})
    assert (await profile(rig, customer)).page == Page(title="Help")

    await customer.post("sessions", {})
    assert (await profile(rig, customer)).page == Page(title="Help")


async def test_a_customer_who_goes_on_needs_no_room_for_a_new_conversation():
    throttle = Throttle(messages=GENEROUS, local_sessions="1/12 hours")
    async with running_rig(throttle=throttle) as rig:
        ana = await rig.open(identity=rig.identity())

        assert (await rig.post("identify", {"identity": rig.identity()}))[0] == 200
        assert (await rig.post("identify", {"identity": rig.identity(sub="ben")}))[0] == 429
        assert (await ana.post("sessions", {"restart": True}))[0] == 429
