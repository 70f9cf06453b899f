"""How a customer rates what was finished, over HTTP: once, changeable, and in step on every open page."""

import asyncio

import pytest

from bot.channels.widget.throttle import Throttle
from bot.core.audit import Change
from bot.core.conversation import AgentId
from tests.channels.rig import GENEROUS, Rig, running_rig

GOOD = {"client_message_id": "r1", "score": 5, "comment": "Quick 👍"}


async def resolve(rig: Rig, conversation) -> None:
    """Let an agent take the conversation over and finish it."""
    for step in ("taken_over_by", "resolved_by"):
        read = await rig.store.conversation(conversation)
        moved = getattr(read, step)(AgentId("anna"), now_ms=rig.clock.now_ms())
        await rig.store.change(read, moved, Change(who="anna", what=step, at_ms=rig.clock.now_ms()))


@pytest.fixture
async def resolved(rig, customer):
    await resolve(rig, customer.conversation)
    return customer


async def test_a_finished_episode_is_rated_and_the_page_knows_it_after_a_reload(rig, resolved):
    status, rating = await resolved.post("rating", GOOD)
    _, session = await resolved.post("sessions", {})
    _, events = await resolved.events()

    now_ms = rig.clock.now_ms()
    assert (status, rating) == (200, {**GOOD, "episode": 1, "at": now_ms})
    assert (session["rating"], events["rating"]) == (5, 5)


async def test_nothing_can_be_rated_before_something_is_finished(customer):
    status, refused = await customer.post("rating", GOOD)

    assert (status, refused["error"]["code"]) == (409, "not_resolved")
    assert (await customer.events())[1]["rating"] is None


async def test_a_hundred_repeats_are_one_rating_with_one_answer(rig, resolved):
    results = await asyncio.gather(*(resolved.post("rating", GOOD) for _ in range(100)))

    assert {str(result) for result in results} == {str(results[0])}
    assert len(await rig.widget.ratings.ratings.ratings(resolved.conversation)) == 1


async def test_the_same_id_with_another_score_is_a_conflict_and_a_new_id_a_second_thought(resolved):
    await resolved.post("rating", GOOD)

    conflict, refused = await resolved.post("rating", {**GOOD, "score": 1})
    changed, _ = await resolved.post("rating", {"client_message_id": "r2", "score": 2})
    late, _ = await resolved.post("rating", GOOD)

    assert (conflict, refused["error"]["code"]) == (409, "message_conflict")
    assert (changed, late, (await resolved.events())[1]["rating"]) == (200, 200, 2)


@pytest.mark.parametrize(
    "body",
    [
        {"client_message_id": "r1"},
        {"client_message_id": "r1", "score": 0},
        {"client_message_id": "r1", "score": 6},
        {"client_message_id": "r1", "score": "5"},
        {"client_message_id": "r1", "score": 4.5},
        {"client_message_id": "r1", "score": True},
        {"client_message_id": "", "score": 5},
        {"score": 5},
        {**GOOD, "comment": "x" * 1_001},
        {**GOOD, "comment": None},
        {**GOOD, "episode": 2},
    ],
    ids=str,
)
async def test_what_is_no_rating_is_refused(resolved, body):
    status, refused = await resolved.post("rating", body)

    assert (status, refused["error"]["code"]) == (400, "input_rejected")


async def test_every_open_page_is_told(resolved):
    async with resolved.socket() as first, resolved.socket() as second:
        for ws in (first, second):
            assert (await ws.receive_json(timeout=5))["rating"] is None

        await resolved.post("rating", GOOD)

        for ws in (first, second):
            frame = await ws.receive_json(timeout=5)
            assert (frame["type"], frame["state"], frame["rating"]) == ("status", "resolved", 5)


async def test_a_new_episode_has_no_rating_and_an_old_one_can_still_get_it(rig, resolved):
    await resolved.say("One more thing")
    await asyncio.gather(*rig.turns.tasks)

    status, rating = await resolved.post("rating", GOOD)

    assert (status, rating["episode"]) == (200, 1)
    assert (await resolved.events())[1]["rating"] is None


async def test_no_customer_rates_another_ones_conversation(rig, resolved):
    other = await rig.open()

    status, _ = await other.post("rating", GOOD)

    assert status == 409
    assert await rig.widget.ratings.ratings.ratings(resolved.conversation) == ()


async def test_whoever_has_no_token_rates_nothing(resolved):
    resolved.token = resolved.token[:-1]

    assert (await resolved.post("rating", GOOD))[0] == 401


async def test_rating_too_often_is_refused_with_the_time_to_wait():
    async with running_rig(throttle=Throttle(messages="1/10 minutes", local_sessions=GENEROUS)) as rig:
        customer = await rig.open()
        await resolve(rig, customer.conversation)
        await customer.post("rating", GOOD)

        again, _ = await customer.post("rating", {**GOOD, "client_message_id": "r2"})
        repeat, _ = await customer.post("rating", GOOD)

        assert (again, repeat) == (429, 200)
