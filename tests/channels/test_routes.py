"""The widget's HTTP side: sessions, messages, cursors, and who may read what."""

import asyncio

import pytest

from bot.channels.person_requests import PERSON_REQUESTS
from bot.channels.widget.throttle import Throttle
from bot.core.conversation import Kind
from tests.channels.rig import GENEROUS, running_rig
from tests.waiting import wait_until


async def _seen(customer, is_wanted):
    """The first snapshot that *is_wanted* accepts."""

    async def look():
        _, found = await customer.events()
        return found if is_wanted(found) else None

    return await wait_until(look)


async def _settled(customer):
    """The snapshot once the bot has nothing left to do."""
    return await _seen(customer, lambda found: not found["answering"])


async def test_a_session_begins_empty_with_the_bot(rig):
    async with rig.http.post(f"{rig.url}/widget/v1/sessions", json={"locale": "pt-BR"}) as response:
        session = await response.json()

    assert (response.status, session["state"], session["messages"]) == (201, "bot", [])
    assert (await rig.store.conversation(session["conversation"])).locale == "pt"


async def test_a_valid_token_resumes_its_conversation_and_is_renewed(rig, customer):
    await customer.say("How do I reschedule?")
    rig.clock.advance(60_000)

    status, session = await customer.post("sessions", {})

    assert (status, session["conversation"]) == (200, customer.conversation)
    assert session["messages"][0]["text"] == "How do I reschedule?"
    assert session["token"] != customer.token


async def test_a_refused_token_is_told_to_begin_anew(rig, customer):
    customer.token = customer.token[:-1]

    results = [
        await customer.post("sessions", {}),
        await customer.say("Hello?"),
        await customer.post("handoff", {"client_message_id": "m1"}),
        await customer.post("feedback", {"client_message_id": "m1", "helped": True, "message_seq": 1}),
        await customer.events(),
    ]

    assert {(status, body["error"]["code"]) for status, body in results} == {(401, "token_refused")}


async def test_a_token_of_a_conversation_that_is_no_more_is_refused(rig, customer):
    customer.token = rig.tokens.issue("erased")

    results = [await customer.say("Hello?"), await customer.events(), await customer.post("sessions", {})]

    assert [status for status, _ in results] == [401, 401, 401]


async def test_an_answer_comes_with_html_sources_and_no_score(rig, customer):
    status, receipt = await customer.say("How do I reschedule a class?")
    found = await _settled(customer)

    question, answer = found["events"]
    assert (status, receipt["seq"]) == (202, 1)
    assert (question["role"], question["html"], question["client_message_id"]) == ("customer", None, "m1")
    assert (answer["seq"], answer["automated"], answer["reason"]) == (2, True, None)
    assert "<strong>My lessons</strong>" in answer["html"]
    assert [source["title"] for source in answer["sources"]] == ["How to Reschedule a Lesson"]
    assert not {"score", "cosine", "evidence", "stages", "turn"} & answer.keys()


async def test_the_button_asks_for_a_person_in_the_conversations_language(rig):
    async with rig.http.post(f"{rig.url}/widget/v1/sessions", json={"locale": "de"}) as response:
        session = await response.json()
    headers = {"Authorization": f"Bearer {session['token']}"}

    url = f"{rig.url}/widget/v1/handoff"
    async with rig.http.post(url, json={"client_message_id": "m1"}, headers=headers) as response:
        assert response.status == 202

    snapshot = await rig.store.snapshot(session["conversation"], after=0)
    assert (snapshot.messages[0].kind, snapshot.messages[0].text) == (
        Kind.PERSON_REQUEST,
        PERSON_REQUESTS["de"],
    )


async def test_feedback_is_kept_for_an_answer_of_the_same_conversation_only(rig, customer):
    await customer.say("How do I reschedule a class?")
    await _settled(customer)
    body = {"client_message_id": "f1", "helped": False}

    missing, _ = await customer.post("feedback", {**body, "message_seq": 9})
    own_message, _ = await customer.post("feedback", {**body, "message_seq": 1})
    judged, _ = await customer.post("feedback", {**body, "message_seq": 2})
    found = await _settled(customer)

    assert (missing, own_message, judged) == (404, 404, 202)
    assert [(e["kind"], e["text"]) for e in found["events"]][2] == ("feedback", "no")
    assert (found["state"], found["events"][-1]["reason"]) == ("queued", "unresolved")


async def test_a_hundred_repeats_are_one_message_with_one_answer():
    throttle = Throttle(messages="5/10 seconds", local_sessions=GENEROUS)
    async with running_rig(throttle=throttle) as rig:
        customer = await rig.open()

        results = await asyncio.gather(*(customer.say("Hello", message_id="same") for _ in range(100)))
        found = await _settled(customer)

        assert sorted(status for status, _ in results) == [200] * 99 + [202]
        assert len({str(body) for _, body in results}) == 1
        assert [e["role"] for e in found["events"]] == ["customer", "bot"]


async def test_the_same_id_with_another_body_is_a_conflict(customer):
    await customer.say("Hello", message_id="same")

    other_text = await customer.say("Goodbye", message_id="same")
    other_kind = await customer.post("handoff", {"client_message_id": "same"})

    assert [status for status, _ in (other_text, other_kind)] == [409, 409]
    assert other_text[1]["error"]["code"] == "message_conflict"


async def test_no_customer_reads_another_ones_conversation(rig):
    customers = [await rig.open() for _ in range(50)]
    for number, one in enumerate(customers):
        await one.say(f"secret {number}")

    for number, one in enumerate(customers):
        for cursor in ("0", "1", "999999"):
            _, found = await one.events(cursor)
            said = {event["text"] for event in found["events"] if event["role"] == "customer"}
            assert said <= {f"secret {number}"}


async def test_naming_another_conversation_is_refused(rig, customer):
    other = await rig.open()

    status, _ = await customer.post(
        "messages", {"client_message_id": "m1", "text": "Hi", "conversation": other.conversation}
    )

    assert status == 400


@pytest.mark.parametrize(
    "cursor", ["-1", "abc", "1.5", "", " 1", "1 ", "+1", "0x1", "\u0661", "9" * 30, "1e3", "null"]
)
async def test_a_bad_cursor_is_refused(customer, cursor):
    status, found = await customer.events(cursor)

    assert (status, found["error"]["code"]) == (400, "input_rejected")


async def test_an_old_cursor_replays_and_a_future_one_starts_over(customer):
    await customer.say("How do I reschedule a class?")
    await _settled(customer)

    seen = []
    for cursor in ("0", "1", "2", "3", "9007199254740991"):
        _, found = await customer.events(cursor)
        seen.append(found)

    assert [[e["seq"] for e in found["events"]] for found in seen] == [[1, 2], [2], [], [1, 2], [1, 2]]
    assert [found["reset"] for found in seen] == [False, False, False, True, True]


async def test_a_running_answer_is_part_of_the_snapshot(rig, customer):
    rig.turns.may_finish.clear()
    await customer.say("How do I reschedule a class?")

    found = await _seen(customer, lambda found: len(found["draft"]) == 2)

    assert found["answering"] is True
    assert found["draft"][0] == {
        "position": 0,
        "text": "From our article:",
        "html": "<p>From our article:</p>\n",
    }


async def test_writing_too_fast_is_refused_with_the_time_to_wait():
    async with running_rig(throttle=Throttle(messages="2/10 minutes", local_sessions=GENEROUS)) as rig:
        customer = await rig.open()
        await customer.say("one", message_id="1")
        await customer.say("two", message_id="2")

        url = f"{rig.url}/widget/v1/messages"
        body = {"client_message_id": "3", "text": "three"}
        async with rig.http.post(url, json=body, headers=customer.bearer) as response:
            refused = await response.json()

        assert (response.status, refused["error"]["code"]) == (429, "too_many_requests")
        assert 590 <= int(response.headers["Retry-After"]) <= 600
        assert "wait" in refused["error"]["message"]


async def test_one_customers_limit_is_not_another_ones():
    async with running_rig(throttle=Throttle(messages="1/10 minutes", local_sessions=GENEROUS)) as rig:
        first, second = await rig.open(), await rig.open()

        accepted, _ = await first.say("Hi", message_id="1")
        refused, _ = await first.say("Hi", message_id="2")
        others, _ = await second.say("Hi", message_id="1")

        assert (accepted, refused, others) == (202, 429, 202)


async def test_one_address_opens_only_so_many_conversations():
    async with running_rig(throttle=Throttle(local_sessions="2/1 hour")) as rig:
        url = f"{rig.url}/widget/v1/sessions"

        statuses = [(await rig.http.post(url, json={})).status for _ in range(3)]

        assert statuses == [201, 201, 429]
