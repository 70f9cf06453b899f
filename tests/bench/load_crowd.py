"""Thousands of customers with an open widget, on as many addresses of this machine as the limits ask for."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field

import aiohttp

from tests.faults.customers import Customer
from tests.waiting import wait_until

FROM_AN_ADDRESS = 20  # sockets; the service takes no more by default
AT_ONCE = 100
LEAST_S, FIRST_S, LONGEST_S = 0.5, 1.0, 30.0  # the widget's own pauses before it tries again (timing.js)
GIVEN_UP_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """How long after the restart a customer was back, and how long the connection that succeeded took."""

    after_s: float
    took_s: float


@dataclass(slots=True, kw_only=True)
class Crowd:
    """Everybody; `sent_s` and `shown_s` are times by a reply's text."""

    address: str
    customers: Sequence[Customer]
    addresses: Sequence[str]
    stack: AsyncExitStack
    sent_s: dict[str, float] = field(default_factory=dict)
    shown_s: dict[str, float] = field(default_factory=dict)
    _listening: list[asyncio.Task[None]] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def of(cls, size: int, address: str) -> AsyncIterator["Crowd"]:
        """Open a conversation for each, from the addresses 127.0.1.1 on."""
        addresses = [f"127.0.{1 + n // 250}.{1 + n % 250}" for n in range(-(-size // FROM_AN_ADDRESS))]
        async with AsyncExitStack() as stack:
            sessions = [await stack.enter_async_context(_bound_to(one)) for one in addresses]
            opening = [_opened(sessions[n // FROM_AN_ADDRESS], address) for n in range(size)]
            customers = await _some_at_once(opening)
            crowd = cls(address=address, customers=customers, addresses=addresses, stack=stack)
            try:
                yield crowd
            finally:
                for task in crowd._listening:
                    task.cancel()
                await asyncio.gather(*crowd._listening, return_exceptions=True)

    @property
    def lost(self) -> int:
        """How many replies nobody was shown."""
        return len(self.sent_s.keys() - self.shown_s.keys())

    def delivered(self) -> list[float]:
        return [self.shown_s[text] - sent_s for text, sent_s in self.sent_s.items() if text in self.shown_s]

    async def connect_all(self) -> None:
        """Open every socket."""
        for ws in await _some_at_once([self._connected(customer) for customer in self.customers]):
            self._listening.append(asyncio.create_task(self._listen(ws)))

    async def everything_arrived(self) -> None:
        """Wait until nothing is on its way, or until what is must be called lost."""
        last_s = time.perf_counter()
        await wait_until(
            lambda: self.lost == 0 or time.perf_counter() - last_s > GIVEN_UP_S, deadline_s=2 * GIVEN_UP_S
        )

    async def return_all(self) -> list[Arrival]:
        """Let everybody come back as the widget does, each after a pause of its own."""
        await asyncio.gather(*self._listening, return_exceptions=True)
        self._listening.clear()
        begun_s = time.perf_counter()
        return await asyncio.gather(*(self._returned(customer, begun_s) for customer in self.customers))

    async def _returned(self, customer: Customer, begun_s: float) -> Arrival:
        longest_s = FIRST_S
        while True:
            await asyncio.sleep(random.uniform(LEAST_S, longest_s))  # noqa: S311 - spreads a load, hides nothing
            tried_s = time.perf_counter()
            with suppress(aiohttp.ClientError, TimeoutError):
                ws = await self._connected(customer)
                self._listening.append(asyncio.create_task(self._listen(ws)))
                now_s = time.perf_counter()
                return Arrival(after_s=now_s - begun_s, took_s=now_s - tried_s)
            longest_s = min(LONGEST_S, 2 * longest_s)

    async def _connected(self, customer: Customer) -> aiohttp.ClientWebSocketResponse:
        """Open a socket, and read the snapshot with which it begins."""
        ws = await customer.http.ws_connect(
            f"{self.address}/widget/v1/socket", headers={"Origin": self.address}, autoping=True
        )
        await ws.send_json({"type": "auth", "token": customer.token, "after": 0})
        await ws.receive_json(timeout=GIVEN_UP_S)
        return ws

    async def _listen(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        async for message in ws:
            now_s = time.perf_counter()
            frame = message.json()
            if frame["type"] == "message" and frame["role"] == "agent":
                self.shown_s.setdefault(frame["text"], now_s)


def _bound_to(address: str) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(limit=0, local_addr=(address, 0), force_close=True)
    return aiohttp.ClientSession(connector=connector)


async def _opened(http: aiohttp.ClientSession, address: str) -> Customer:
    return await Customer.open(http, address)


async def _some_at_once(work):
    """Run coroutines, a hundred at a time, and return their results in order."""
    free = asyncio.Semaphore(AT_ONCE)

    async def limited(one):
        async with free:
            return await one

    return await asyncio.gather(*(limited(one) for one in work))
