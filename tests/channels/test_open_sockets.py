"""How many sockets may be open, how a dead or stalled peer is found out, and that nobody else notices (FAULTS W6, W9, W10, R-W11, R-W14)."""

import json
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager

import pytest
from aiohttp import web

from bot.channels.open_sockets import LOCAL_FACTOR, OpenSockets
from bot.channels.problems import ProblemJson
from bot.channels.proxies import Proxies
from bot.channels.web import serving
from bot.channels.websockets import HEARTBEAT_S
from bot.channels.widget.sockets import Sockets
from bot.channels.widget.throttle import Throttle
from bot.core.conversation import Role, TurnId
from bot.service.live import QUEUE_LIMIT, DraftShown, Typed
from tests.channels.raw_socket import PING, TEXT, frame, raw_socket
from tests.channels.rig import GENEROUS, close_code, running_rig
from tests.waiting import wait_until

ROUTERS_CUT_AFTER_S = 30.0
QUICK_S = 0.05
ELSEWHERE = "203.0.113.7"


class Seen:
    """Remembers what it was shown."""

    def __init__(self) -> None:
        self.counts: list[tuple[str, int]] = []

    def sockets_seen(self, *, channel: str, count: int) -> None:
        self.counts.append((channel, count))


def _limited(**limits: int) -> Throttle:
    return Throttle(
        messages=GENEROUS, sessions=GENEROUS, local_sessions=GENEROUS, places=OpenSockets(**limits)
    )


def test_an_address_has_so_many_places_and_no_more():
    seen = Seen()
    places = OpenSockets(channel="widget", per_address=2, observer=seen)

    with ExitStack() as stack:
        for address in (ELSEWHERE, ELSEWHERE, "203.0.113.8"):
            stack.enter_context(places.at(address))
        with pytest.raises(ProblemJson) as refused:
            stack.enter_context(places.at(ELSEWHERE))
    with places.at(ELSEWHERE):
        pass

    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "30")
    assert [count for _, count in seen.counts] == [1, 2, 3, 2, 1, 0, 1, 0]


def test_this_machines_own_address_has_many_more():
    places = OpenSockets(per_address=1)

    with ExitStack() as stack:
        for _ in range(LOCAL_FACTOR):
            stack.enter_context(places.at("127.0.0.1"))
        with pytest.raises(ProblemJson):
            stack.enter_context(places.at("127.0.0.1"))


async def test_the_sixth_tab_of_a_customer_is_told_why_and_the_others_stay():
    async with running_rig(throttle=_limited(per_holder=5)) as rig, AsyncExitStack() as tabs:
        customer, other = await rig.open(), await rig.open()
        opened = [await tabs.enter_async_context(customer.socket()) for _ in range(5)]
        for ws in opened:
            await ws.receive_json(timeout=5)

        async with customer.socket() as sixth, other.socket() as of_another:
            assert await close_code(sixth) == 4429
            assert (await of_another.receive_json(timeout=5))["type"] == "snapshot"
        await opened[0].send_json({"type": "ping"})
        assert await opened[0].receive_json(timeout=5) == {"type": "pong"}


async def test_a_tab_that_is_closed_makes_room():
    async with running_rig(throttle=_limited(per_holder=1)) as rig:
        customer = await rig.open()
        async with customer.socket() as first:
            await first.receive_json(timeout=5)
        await wait_until(lambda: not rig.widget.throttle.places._holders)

        async with customer.socket() as second:
            assert (await second.receive_json(timeout=5))["type"] == "snapshot"


async def test_one_address_too_many_is_refused_before_the_upgrade():
    async with running_rig(
        throttle=_limited(per_address=1), proxies=Proxies.from_texts(["127.0.0.1"])
    ) as rig:
        url, there = f"{rig.url}/widget/v1/socket", {"X-Forwarded-For": ELSEWHERE}
        async with rig.http.ws_connect(url, headers=there):
            async with rig.http.get(url, headers=there) as refused:
                answer = await refused.json()
            async with rig.http.ws_connect(url, headers={"X-Forwarded-For": "203.0.113.8"}):
                pass

    assert (refused.status, refused.headers["Retry-After"]) == (429, "30")
    assert answer["error"]["code"] == "too_many_requests"


def test_no_router_sees_a_silent_line():
    assert HEARTBEAT_S < ROUTERS_CUT_AFTER_S


@asynccontextmanager
async def _quick_heart(rig):
    """The widget's sockets at another address, with a heart that beats quickly."""
    sockets = Sockets(customers=rig.widget.customers, access=rig.widget.access, heartbeat_s=QUICK_S)
    app = web.Application()
    app.router.add_get("/", sockets.serve)
    async with serving(app, host="127.0.0.1", port=0) as url:
        yield url


def _greeting(customer) -> bytes:
    return json.dumps({"type": "auth", "token": customer.token}).encode()


async def test_a_line_is_never_silent_and_a_peer_that_is_gone_is_dropped(rig, customer):
    async with _quick_heart(rig) as url, raw_socket(f"{url}/", {}) as black_hole:
        await black_hole.send(frame(_greeting(customer)))
        await black_hole.next(TEXT)
        assert rig.live._watchers

        await black_hole.next(PING)  # which it never answers

        await wait_until(lambda: not rig.live._watchers)


async def _stall(rig, customer, line):
    """Fill what lies between the server and a reader that reads nothing, until the server waits for it."""
    rig.turns.may_finish.clear()
    await line.send(frame(_greeting(customer)))
    await customer.say("How do I reschedule a class?")
    (watcher,) = await wait_until(lambda: rig.live._watchers.get(customer.conversation))
    piece = DraftShown(turn=TurnId("t1"), position=0, text="x" * 200_000)

    def waits() -> bool:
        """Whether what is offered stays where it is."""
        waiting = watcher._events.qsize()
        rig.live.publish(customer.conversation, piece)
        return bool(waiting > 10)

    await wait_until(waits)
    return watcher


async def test_one_stalled_reader_of_many_delays_nobody_and_is_bounded(rig, customer):
    others = [await rig.open() for _ in range(20)]
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(one.socket()) for one in others]
        for line in lines:
            await line.receive_json(timeout=5)
        stalled = await stack.enter_async_context(
            raw_socket(f"{rig.url}/widget/v1/socket", {"Origin": rig.url})
        )
        watcher = await _stall(rig, customer, stalled)

        for one in (*others, *[customer] * (2 * QUEUE_LIMIT)):
            rig.live.publish(one.conversation, Typed(by=Role.AGENT))

        said = [await line.receive_json(timeout=2) for line in lines]
        assert said == [{"type": "typing", "by": "agent"}] * len(lines)
        assert watcher._events.qsize() <= QUEUE_LIMIT + 1
