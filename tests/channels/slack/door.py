"""Where Slack knocks, on a real socket: the routes and the receiver over a store, and a listener that a test can let fail."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import urlencode

import aiohttp
from aiohttp import web

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.slack import MemorySlackStore
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.keys import AT_ONCE_MS, Payload
from bot.channels.slack.receiving import Receiver
from bot.channels.slack.routes import SlackDoor
from bot.channels.slack.signing import signed
from bot.channels.web import answer_in_json, serving
from bot.core.slack_rows import InboxRow
from bot.slack_ports import SlackInbox
from tests.waiting import wait_until

SECRET = "a secret that Slack and we know"  # noqa: S105 - a test's own
FORM_OPENER = "candor_reply"


@dataclass(slots=True, kw_only=True)
class Listener:
    """What the listeners did: `heard` are the keys, once an attempt. It fails as often as `failures` are left."""

    heard: list[str] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    holds: asyncio.Event | None = None

    async def __call__(self, row: InboxRow) -> None:
        self.heard.append(row.key)
        if self.holds is not None:
            await self.holds.wait()
        if self.failures:
            raise self.failures.pop(0)


@dataclass(slots=True, kw_only=True)
class Door:
    """A running door."""

    url: str
    http: aiohttp.ClientSession
    store: SlackInbox
    clock: ManualClock
    receiver: Receiver
    health: SlackHealth
    listener: Listener

    async def sends(
        self, payload: object, *, path: str = "events", at_s: int | None = None, **headers
    ) -> int:
        """Send as Slack does, and return the status."""
        return await self.posts(json.dumps(payload).encode(), path=path, at_s=at_s, headers=headers)

    async def presses(self, payload: object) -> int:
        """Send what somebody pressed."""
        return await self.posts(urlencode({"payload": json.dumps(payload)}).encode(), path="actions")

    async def posts(
        self,
        body: bytes,
        *,
        path: str = "events",
        at_s: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """Send bytes with Slack's signature under them, and return the status."""
        status, _ = await self.asks(
            body, path=path, headers={**self.signature(body, at_s), **(headers or {})}
        )
        return status

    async def asks(
        self, body: bytes, *, path: str = "events", headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """Send bytes under any headers."""
        sent = {"Content-Type": "application/json", **headers}
        async with self.http.post(f"{self.url}/slack/{path}", data=BytesIO(body), headers=sent) as answer:
            return answer.status, await answer.read()

    def signature(self, body: bytes, at_s: int | None = None) -> dict[str, str]:
        timestamp = str(self.clock.now_ms() // 1000 if at_s is None else at_s)
        signature = signed(body, secret=SECRET, timestamp=timestamp)
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": signature}

    async def is_idle(self) -> None:
        """Wait until nothing is worked on."""
        await wait_until(lambda: self.receiver.is_idle)

    async def passes(self, seconds: float = AT_ONCE_MS / 1000) -> None:
        """Let time pass, by default until what a dead process left is everybody's, and the sweep go round."""
        self.clock.advance(int(seconds * 1000))
        await self.receiver.take_due()
        await self.is_idle()


def a_receiver(
    store: SlackInbox, listener: Listener, clock: ManualClock, *, health: SlackHealth | None = None
) -> Receiver:
    return Receiver(
        store=store,
        dispatch=listener,
        clock=clock,
        jitter=lambda: 1.0,
        alarms=health or SlackHealth(),
        inline=frozenset({FORM_OPENER}),
    )


@asynccontextmanager
async def a_door(
    store: SlackInbox | None = None, *, listener: Listener | None = None, clock: ManualClock | None = None
) -> AsyncIterator[Door]:
    """Open a door; two over one store are two processes."""
    clock, listener, health = clock or ManualClock(), listener or Listener(), SlackHealth()
    kept = store or MemorySlackStore(MemoryConversationStore())
    receiver = a_receiver(kept, listener, clock, health=health)
    app = web.Application(middlewares=[answer_in_json], client_max_size=16 * 1024)
    app.add_routes(SlackDoor(secret=SECRET, receiver=receiver, clock=clock).routes())
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())
        stack.push_async_callback(receiver.drain, grace_s=0.0)
        url = await stack.enter_async_context(serving(app, host="127.0.0.1", port=0))
        yield Door(
            url=url,
            http=http,
            store=kept,
            clock=clock,
            receiver=receiver,
            health=health,
            listener=listener,
        )


def key_of(payload: Payload) -> str:
    """Return the key of an event."""
    return f"{payload['team_id']}:{payload['event_id']}"
