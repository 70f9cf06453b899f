"""The widget's socket: who may open it, what it sends, and with which code it is closed."""

import pytest
from aiohttp import web

from bot.channels.web import serving
from bot.channels.widget.sockets import Sockets
from bot.service.live import QUEUE_LIMIT, Changed, Progressed, Step
from tests.channels.rig import close_code, running_rig
from tests.waiting import wait_until


async def _until(ws, wanted, *, limit: int = 50):
    """All frames up to the first that *wanted* accepts."""
    frames = []
    for _ in range(limit):
        frames.append(await ws.receive_json(timeout=5))
        if wanted(frames[-1]):
            return frames
    raise AssertionError(frames)


def _is_answer(frame):
    return frame["type"] == "message" and frame["role"] == "bot"


async def test_a_turn_is_seen_as_it_happens_and_in_order(rig, customer):
    async with customer.socket() as ws:
        assert (await ws.receive_json(timeout=5))["type"] == "snapshot"
        rig.turns.may_finish.clear()
        await customer.say("How do I reschedule a class?")

        before = await _until(ws, lambda f: f["type"] == "draft" and f["position"] == 1)
        rig.turns.may_finish.set()
        after = await _until(ws, lambda f: f["type"] == "status" and not f["answering"])

    kinds = [frame["type"] for frame in before]
    assert kinds == ["message", "status", "progress", "progress", "draft", "progress", "draft"]
    assert [frame["type"] for frame in after] == ["message", "status"]
    assert after[0]["seq"] == 2


async def test_a_handoff_is_a_message_with_its_reason_and_a_new_state(customer):
    async with customer.socket() as ws:
        await customer.say("I want to talk to a person")
        frames = await _until(ws, lambda f: f["type"] == "status" and f["state"] == "queued")

    assert frames[-2]["reason"] == "customer_asked"


async def test_a_reconnecting_client_gets_what_it_missed_once(customer):
    await customer.say("How do I reschedule a class?")
    async with customer.socket(after=0) as ws:
        await _until(ws, lambda f: _is_answer(f) or any(_is_answer(e) for e in f.get("events", ())))
    async with customer.socket(after=1) as ws:
        snapshot = await ws.receive_json(timeout=5)

    assert ([e["seq"] for e in snapshot["events"]], snapshot["reset"]) == ([2], False)


async def test_a_cursor_from_the_future_starts_over(customer):
    await customer.say("How do I reschedule a class?")
    async with customer.socket(after=999) as ws:
        snapshot = await ws.receive_json(timeout=5)

    assert (snapshot["events"][0]["seq"], snapshot["reset"]) == (1, True)


async def test_a_running_answer_survives_a_reconnect(rig, customer):
    rig.turns.may_finish.clear()
    async with customer.socket() as ws:
        await customer.say("How do I reschedule a class?")
        await _until(ws, lambda f: f["type"] == "draft" and f["position"] == 1)
    async with customer.socket(after=1) as ws:
        snapshot = await ws.receive_json(timeout=5)

    assert snapshot["draft"][0]["text"] == "From our article:"
    assert snapshot["answering"] is True


async def test_old_steps_of_a_settled_turn_are_not_shown(rig, customer):
    async with customer.socket() as ws:
        await ws.receive_json(timeout=5)
        rig.live.publish(customer.conversation, Progressed(step=Step.SEARCHING))
        await customer.say("How do I reschedule a class?")
        first = await ws.receive_json(timeout=5)

    assert first["type"] == "message"


async def test_a_ping_is_answered(customer):
    async with customer.socket() as ws:
        await ws.receive_json(timeout=5)
        await ws.send_json({"type": "ping"})

        assert await ws.receive_json(timeout=5) == {"type": "pong"}


BAD_FIRST_FRAMES = {
    "not JSON": ("hello", 4400),
    "no token": ('{"type":"auth"}', 4400),
    "negative cursor": ('{"type":"auth","token":"t","after":-1}', 4400),
    "cursor is text": ('{"type":"auth","token":"t","after":"1"}', 4400),
    "cursor is a fraction": ('{"type":"auth","token":"t","after":1.5}', 4400),
    "extra field": ('{"type":"auth","token":"t","conversation":"c"}', 4400),
    "other type": ('{"type":"ping"}', 4400),
    "deep": ("[" * 8_000, 4400),
    "bad token": ('{"type":"auth","token":"t"}', 4401),
}


@pytest.mark.parametrize(("text", "code"), BAD_FIRST_FRAMES.values(), ids=BAD_FIRST_FRAMES.keys())
async def test_a_bad_first_frame_closes_with_its_code(rig, text, code):
    async with rig.http.ws_connect(f"{rig.url}/widget/v1/socket") as ws:
        await ws.send_str(text)

        assert await close_code(ws) == code


async def test_a_token_in_the_address_is_worth_nothing(rig, customer):
    async with rig.http.ws_connect(f"{rig.url}/widget/v1/socket?token={customer.token}") as ws:
        await ws.send_json({"type": "ping"})

        assert await close_code(ws) == 4400


@pytest.mark.parametrize("is_known", [False, True], ids=["before the token", "after the token"])
async def test_a_binary_frame_closes_with_1003(rig, customer, is_known):
    async with rig.http.ws_connect(f"{rig.url}/widget/v1/socket") as ws:
        if is_known:
            await ws.send_json({"type": "auth", "token": customer.token})
        await ws.send_bytes(b"{}")

        assert await close_code(ws) == 1003


@pytest.mark.parametrize("is_known", [False, True], ids=["before the token", "after the token"])
async def test_a_frame_over_sixteen_kilobytes_closes_with_1009(rig, customer, is_known):
    async with rig.http.ws_connect(f"{rig.url}/widget/v1/socket") as ws:
        if is_known:
            await ws.send_json({"type": "auth", "token": customer.token})
        await ws.send_str("x" * (16 * 1024 + 1))

        assert await close_code(ws) == 1009


async def test_an_unknown_frame_closes_with_4400(customer):
    async with customer.socket() as ws:
        await ws.send_json({"type": "shout"})

        assert await close_code(ws) == 4400


async def test_a_socket_that_never_names_itself_is_closed(rig):
    app = web.Application()
    sockets = Sockets(customers=rig.widget.customers, access=rig.widget.access, auth_s=0.01)
    app.router.add_get("/", sockets.serve)
    async with serving(app, host="127.0.0.1", port=0) as url, rig.http.ws_connect(url) as ws:
        assert await close_code(ws) == 4408


async def test_a_conversation_that_is_no_more_closes_with_4401(rig, customer):
    customer.token = rig.tokens.issue("erased")
    async with customer.socket() as ws:
        assert await close_code(ws) == 4401


async def test_a_reader_that_falls_behind_is_closed_with_1013_and_others_are_not(rig, customer):
    other = await rig.open()
    async with customer.socket() as slow, other.socket() as quick:
        await slow.receive_json(timeout=5)
        await quick.receive_json(timeout=5)
        # Without a pause in between, so that the socket cannot take any of them out of its queue.
        for _ in range(QUEUE_LIMIT + 10):
            rig.live.publish(customer.conversation, Changed())

        assert await close_code(slow) == 1013
        await quick.send_json({"type": "ping"})
        assert await quick.receive_json(timeout=5) == {"type": "pong"}


async def test_stopping_closes_every_socket_with_1012():
    async with running_rig() as rig:
        customer = await rig.open()
        url = f"{rig.url}/widget/v1/socket"
        sockets = [await rig.http.ws_connect(url) for _ in range(3)]
        for ws in sockets:
            await ws.send_json({"type": "auth", "token": customer.token})
            await ws.receive_json(timeout=5)

        rig.live.close()

        assert [await close_code(ws) for ws in sockets] == [1012] * 3


async def test_a_socket_that_ends_leaves_nothing_behind(rig, customer):
    async with customer.socket() as ws:
        await ws.receive_json(timeout=5)

    await wait_until(lambda: not rig.live._watchers)
