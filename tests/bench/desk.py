"""From a customer's request for a person until each open console has the row: a second at most (FAULTS H5).

The service is a process of its own over SQLite on disk, and each customer has the widget's socket open. What a browser then
takes to draw the row is not in the times.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from rich.table import Table

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.system_clock import SystemClock
from bot.channels.console.guard import COOKIE
from bot.core.accounts import AgentRole
from bot.service.accounts import Accounts
from bot.service.inviting import Inviting
from bot.settings import Settings
from bot.store_wiring import opened_stores
from tests.bench.timing import Spread
from tests.browser.whole_app import served
from tests.channels.console.door import PASSWORD
from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON
from tests.waiting import wait_until

CONSOLES = 3
A_SECOND = 20
HANDOFFS = 20 * A_SECOND  # for 20 seconds
BARE_MESSAGES = 100
WARM_UP = 5
LIMIT_MS = 1_000
GIVEN_UP_S = 10.0
BARE = "a bare message, sent to acknowledged"

Times = dict[str, float]  # by conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoffs:
    """When each customer asked, when that was acknowledged, and when each console had the row."""

    asked_s: Times = field(default_factory=dict)
    stored_s: Times = field(default_factory=dict)
    seen_s: tuple[Times, ...] = field(default_factory=lambda: tuple({} for _ in range(CONSOLES)))

    @property
    def lost(self) -> int:
        """How often a console was never told of a customer."""
        return sum(len(self.asked_s) - len(seen) for seen in self.seen_s)

    def until_stored(self) -> list[float]:
        return [self.stored_s[customer] - asked_s for customer, asked_s in self.asked_s.items()]

    def until_seen(self, since_s: Times) -> list[float]:
        """Return how long it took from *since_s*, for every customer on every console; never less than nothing."""
        return [max(0.0, at_s - since_s[customer]) for seen in self.seen_s for customer, at_s in seen.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A running service, whoever is connected to it, and what is to be closed at the end."""

    http: aiohttp.ClientSession
    address: str
    stack: AsyncExitStack

    async def customers(self) -> list[Customer]:
        """Let customers open the widget."""
        return [await self._arrived() for _ in range(HANDOFFS)]

    async def watch(self, cookie: str, seen: Times) -> None:
        """Open a console, and note when it is told of whom."""
        headers = {"Origin": self.address, "Cookie": f"{COOKIE}={cookie}"}
        connected = self.http.ws_connect(f"{self.address}/console/v1/socket", headers=headers)
        ws = await self.stack.enter_async_context(connected)
        await ws.send_json({"type": "hello"})
        await ws.receive_json(timeout=GIVEN_UP_S)
        self._follow(_note_rows(ws, seen))

    async def _arrived(self) -> Customer:
        customer = await Customer.open(self.http, self.address)
        ws = await self.stack.enter_async_context(customer.socket(self.address))
        self._follow(_listen(ws))
        return customer

    def _follow(self, listening) -> None:
        self.stack.callback(asyncio.create_task(listening).cancel)


async def handoffs_table(directory: Path) -> Table:
    """Hand customers over at a steady rate, whether or not the ones before are through, and then send bare messages."""
    cookies = await _hired(directory)
    async with (
        served(directory) as address,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
        AsyncExitStack() as stack,
    ):
        bench, handoffs = Bench(http=http, address=address, stack=stack), Handoffs()
        for cookie, seen in zip(cookies, handoffs.seen_s, strict=True):
            await bench.watch(cookie, seen)
        customers = await bench.customers()
        await _hand_over(bench, customers, handoffs)
        bare = [await _timed_message(bench, customer) for customer in customers[: WARM_UP + BARE_MESSAGES]]
    return _table(handoffs, bare[WARM_UP:])


async def _hired(directory: Path) -> list[str]:
    """Add the agents, and return the cookies of their sessions."""
    clock, cookies = SystemClock(), list[str]()
    async with opened_stores(Settings(data_dir=directory)) as stores:
        accounts = Accounts(store=stores.accounts, passwords=Argon2Passwords(), clock=clock)
        inviting = Inviting(store=stores.accounts, clock=clock)
        for number in range(CONSOLES):
            email = f"agent-{number}@shop.example"
            invited = await inviting.add(email, name=f"Agent {number}", role=AgentRole.AGENT)
            cookies.append((await accounts.accept(invited.secret, PASSWORD)).secret)
    return cookies


async def _hand_over(bench: Bench, customers: list[Customer], handoffs: Handoffs) -> None:
    begun_s = time.perf_counter()
    async with asyncio.TaskGroup() as asking:
        for number, customer in enumerate(customers):
            await asyncio.sleep(begun_s + number / A_SECOND - time.perf_counter())
            asking.create_task(_ask_for_a_person(bench, customer, handoffs))

    def is_over() -> bool:
        return handoffs.lost == 0 or time.perf_counter() - last_s > GIVEN_UP_S

    last_s = time.perf_counter()
    await wait_until(is_over, deadline_s=2 * GIVEN_UP_S)


async def _ask_for_a_person(bench: Bench, customer: Customer, handoffs: Handoffs) -> None:
    handoffs.asked_s[customer.conversation] = time.perf_counter()
    if not await customer.say(bench.address, FOR_A_PERSON, message_id="m1"):
        raise RuntimeError("the time of a message that was not acknowledged means nothing")
    handoffs.stored_s[customer.conversation] = time.perf_counter()


async def _timed_message(bench: Bench, customer: Customer) -> float:
    """Send something that nobody answers: the customer waits for a person."""
    sent_s = time.perf_counter()
    await customer.say(bench.address, "I am still here.", message_id="m2")
    return time.perf_counter() - sent_s


async def _note_rows(ws: aiohttp.ClientWebSocketResponse, seen: Times) -> None:
    async for message in ws:
        frame = message.json()
        if frame["type"] == "row" and frame["row"]["state"] == "queued":
            seen.setdefault(frame["row"]["conversation"], time.perf_counter())


async def _listen(ws: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in ws:
        pass


def _table(handoffs: Handoffs, bare: list[float]) -> Table:
    title = (
        f"{len(handoffs.asked_s)} handoffs at {A_SECOND} a second, {CONSOLES} consoles open: "
        f"{handoffs.lost} of {CONSOLES * len(handoffs.asked_s):,} rows lost"
    )
    table = Table(
        title=title, caption=f"The target is {LIMIT_MS:,} ms at the 99th percentile of the last line."
    )
    for heading in ("", "p50", "p99", "worst", "to a bare message, p50"):
        table.add_column(heading, justify="right" if heading else "left")
    times = {
        BARE: bare,
        "a request for a person, sent to acknowledged": handoffs.until_stored(),
        "acknowledged to the row on a console": handoffs.until_seen(handoffs.stored_s),
        "sent to the row on a console": handoffs.until_seen(handoffs.asked_s),
    }
    unit = Spread.of(bare)
    for name, seconds in times.items():
        spread = Spread.of(seconds)
        figures = (f"{ms:.1f} ms" for ms in (spread.p50_ms, spread.p99_ms, max(seconds) * 1_000))
        table.add_row(name, *figures, f"{spread.p50_ms / unit.p50_ms:.1f}")
    return table
