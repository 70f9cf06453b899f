"""How the console's socket ends: broken rules, slow readers, a process that stops, and nothing left behind."""

import pytest
from aiohttp import web

from bot.channels.console.socket import Sockets
from bot.channels.web import serving
from bot.service.live import QUEUE_LIMIT, Changed
from tests.channels.rig import close_code
from tests.waiting import wait_until

BAD_FIRST_FRAMES = {
    "not JSON": "hello",
    "array": "[]",
    "no type": "{}",
    "one field more": '{"type":"hello","token":"t"}',
    "another frame": '{"type":"alive"}',
    "deep": "[" * 8_000,
}
BAD_FRAMES = {
    "hello again": {"type": "hello"},
    "unknown": {"type": "shout"},
    "no type": {},
    "one field more": {"type": "alive", "now": 1},
    "no conversation": {"type": "watch"},
    "bad conversation": {"type": "watch", "conversation": "a b"},
    "a number as text": {"type": "read", "conversation": "c1", "seq": "1"},
    "a negative cursor": {"type": "watch", "conversation": "c1", "after": -1},
    "a cursor beyond": {"type": "watch", "conversation": "c1", "notes_after": 2**53},
    "typing for the customer": {"type": "typing", "conversation": "c1", "by": "customer"},
}


@pytest.mark.parametrize("text", BAD_FIRST_FRAMES.values(), ids=BAD_FIRST_FRAMES)
async def test_a_bad_first_frame_closes_with_4400(maria, text):
    async with maria.connect() as ws:
        await ws.send_str(text)

        assert await close_code(ws) == 4400


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES)
async def test_a_bad_frame_closes_with_4400(maria, frame):
    async with maria.socket() as line:
        await line.ws.send_json(frame)

        assert await close_code(line.ws) == 4400


async def test_a_console_that_says_nothing_is_closed(office, maria):
    console = office.console
    sockets = Sockets(desk=office.desk, guard=console.guard, showing=console.showing, hello_s=0.01)
    app = web.Application()
    app.router.add_get("/console/v1/socket", sockets.serve)
    async with serving(app, host="127.0.0.1", port=0) as url, maria.at(url).connect() as ws:
        assert await close_code(ws) == 4408


@pytest.mark.parametrize("is_open", [False, True], ids=["at first", "later"])
async def test_a_binary_frame_closes_with_1003(maria, is_open):
    async with maria.connect() as ws:
        if is_open:
            await ws.send_json({"type": "hello"})
        await ws.send_bytes(b"{}")

        assert await close_code(ws) == 1003


@pytest.mark.parametrize("is_open", [False, True], ids=["at first", "later"])
async def test_a_frame_over_sixteen_kilobytes_closes_with_1009(maria, is_open):
    async with maria.connect() as ws:
        if is_open:
            await ws.send_json({"type": "hello"})
        await ws.send_str("x" * (16 * 1024 + 1))

        assert await close_code(ws) == 1009


async def test_a_view_that_falls_behind_is_closed_with_1013_and_others_are_not(office, maria, ben):
    conversation = await office.waiting()
    async with maria.socket() as slow, ben.socket() as quick:
        await slow.watch(conversation)
        # Without a pause in between, so that the socket cannot take any of them out of its queue.
        for _ in range(QUEUE_LIMIT + 10):
            office.live.publish(conversation, Changed())

        assert await close_code(slow.ws) == 1013
        assert await quick.is_quiet()


async def test_stopping_closes_every_console_with_1012(office, maria, ben):
    conversation = await office.waiting()
    async with maria.socket() as watching, ben.socket() as listing:
        await watching.watch(conversation)

        office.live.close()

        assert [await close_code(line.ws) for line in (watching, listing)] == [1012, 1012]


async def test_a_store_that_fails_closes_with_1011(office, maria):
    async with maria.socket() as line:
        office.desk_store.fails = True
        await line.send("alive")

        assert await close_code(line.ws) == 1011


async def test_a_socket_that_ends_leaves_nothing_behind(office, maria):
    conversation = await office.waiting()
    async with maria.socket() as line:
        await line.watch(conversation)
        assert [agent["here"] for agent in (await maria.read("agents")).body["agents"]] == [True]

    await wait_until(lambda: not office.live._watchers and not office.live._desks)
    assert [agent["here"] for agent in (await maria.read("agents")).body["agents"]] == [False]
