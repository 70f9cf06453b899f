"""How long Slack waits for its acknowledgement while turns run: half a second at the 99th percentile, 2.5 s at most (FAULTS SL2).

The service is a process of its own over SQLite on disk. Each event begins a turn itself, whose answer is posted to a local Slack, and
beside them the widget's customers ask all at once, again and again.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import aiohttp
from rich.table import Table

from tests.bench.timing import Spread
from tests.browser.whole_app import served, sync_sample
from tests.channels.slack.payloads_sent import a_message, an_event
from tests.faults.customers import Customer
from tests.vendors.slack_pushes import SIGNING_SECRET, signature
from tests.vendors.slack_server import BOT_TOKEN, SlackServer, slack_server

TURNS_AT_ONCE = 50
A_SECOND = 5
EVENTS = 40 * A_SECOND  # for 40 seconds
WARM_UP = A_SECOND
ASKS_EVERY_S = 2.1  # five messages in ten seconds are let through
P99_MS, WORST_MS = 500, 2_500
QUESTION = "My tutor moved lesson {number}, and now I want to reschedule the class. How do I do that?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgements:
    """How long each took, and how many were none: Slack is asked to send those again."""

    seconds: list[float]
    refused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A running service, and who talks to it."""

    http: aiohttp.ClientSession
    address: str
    slack: SlackServer

    async def acknowledgements(self, first: int) -> Acknowledgements:
        """Send events at a steady rate, whether or not those before are acknowledged."""
        begun_s = time.perf_counter()
        sending = []
        for number in range(WARM_UP + EVENTS):
            await asyncio.sleep(begun_s + number / A_SECOND - time.perf_counter())
            sending.append(asyncio.create_task(self._acknowledged(first + number)))
        taken = (await asyncio.gather(*sending))[WARM_UP:]
        return Acknowledgements(
            seconds=[took_s for took_s, _ in taken], refused=sum(status != 200 for _, status in taken)
        )

    async def ask_together(self, customers: list[Customer]) -> None:
        """Let all ask at once, again and again, as often as each of them may."""
        for number in count():
            asked = [
                customer.say(self.address, QUESTION.format(number=number), message_id=f"m{number}")
                for customer in customers
            ]
            await asyncio.gather(*asked, asyncio.sleep(ASKS_EVERY_S))

    async def turns(self, customers: list[Customer]) -> int:
        """Return how many answers were given."""
        for customer in customers:
            await customer.is_told(self.address)
        return sum(len(customer.seen) - len(customer.sent) for customer in customers)

    async def _acknowledged(self, number: int) -> tuple[float, int]:
        user = f"U{number:08d}"
        self.slack.workspace.add_person(user)
        channel = self.slack.workspace.direct(user).id
        event = a_message(
            channel=channel, user=user, channel_type="im", ts=f"{1_750_000_000 + number}.000001"
        )
        body = json.dumps(an_event(event, event_id=f"Ev{number}")).encode()
        headers = signature(body, at_s=time.time())
        sent_s = time.perf_counter()
        async with self.http.post(f"{self.address}/slack/events", data=body, headers=headers) as answer:
            return time.perf_counter() - sent_s, answer.status


async def slack_table(directory: Path) -> Table:
    """Measure without turns, and then beside them."""
    async with _running(directory) as bench:
        alone = await bench.acknowledgements(0)
        customers = [await Customer.open(bench.http, bench.address) for _ in range(TURNS_AT_ONCE)]
        asking = asyncio.create_task(bench.ask_together(customers))
        beside = await bench.acknowledgements(EVENTS + WARM_UP)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        turns = await bench.turns(customers)
    return _table(alone, beside, turns)


@asynccontextmanager
async def _running(directory: Path) -> AsyncIterator[Bench]:
    await sync_sample(directory)
    async with slack_server() as slack:
        settings = {
            "SLACK_BOT_TOKEN": BOT_TOKEN,
            "SLACK_SIGNING_SECRET": SIGNING_SECRET,
            "SLACK_BASE_URL": slack.api_url.removesuffix("/"),
        }
        lines = [f"{name}={value}\n" for name, value in settings.items()]
        (directory / ".env").write_text("".join(lines), encoding="utf-8")
        async with (
            served(directory) as address,
            aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
        ):
            yield Bench(http=http, address=address, slack=slack)


def _table(alone: Acknowledgements, beside: Acknowledgements, turns: int) -> Table:
    table = Table(
        title=f"{EVENTS} events from Slack at {A_SECOND} a second, sent to acknowledged",
        caption=f"The targets of the last line are {P99_MS} ms and {WORST_MS:,} ms. {turns:,} turns of the widget ran beside it.",
    )
    for heading in ("", "p50", "p99", "worst", "to be sent again"):
        table.add_column(heading, justify="right" if heading else "left")
    lines = {"without other turns": alone, f"beside {TURNS_AT_ONCE} that begin together": beside}
    for name, taken in lines.items():
        spread = Spread.of(taken.seconds)
        times = (spread.p50_ms, spread.p99_ms, max(taken.seconds) * 1_000)
        table.add_row(name, *(f"{ms:.1f} ms" for ms in times), str(taken.refused))
    return table
