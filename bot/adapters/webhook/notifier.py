"""Posts outbox rows to an integrator's server. Only a status of 200 to 299 is delivered; what the answer says is not read."""

import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp

from bot.adapters.webhook.payload import to_payload
from bot.adapters.webhook.reading import EventReading
from bot.core.accounts import Agent
from bot.core.conversation import AgentId
from bot.core.outbox import OutboxRow
from bot.errors import NotDelivered
from bot.ports import Clock, ConversationStore

TIMEOUT_S = 10.0
GONE = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookAccess:
    """What an operator sets; *secret* is shared with the receiver."""

    url: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookNotifier:
    """Tells one server of every row that it is given."""

    access: WebhookAccess
    reading: EventReading
    session: aiohttp.ClientSession
    clock: Clock

    async def tell(self, row: OutboxRow) -> None:
        event = await self.reading.event(row)
        if event is None:
            return
        body = json.dumps(to_payload(event), ensure_ascii=False, separators=(",", ":")).encode()
        await self._post(body, delivery=row.key)

    async def _post(self, body: bytes, *, delivery: str) -> None:
        headers = signed_headers(
            body, secret=self.access.secret, delivery=delivery, now_s=self.clock.now_ms() // 1000
        )
        try:
            async with self.session.post(
                self.access.url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                status, asked = answer.status, answer.headers.get("Retry-After")
        except TimeoutError as failure:
            raise NotDelivered("the receiver did not answer in time") from failure
        except Exception as failure:  # the design: a client raises more than its own errors
            # Its words are left out: they may hold the address, and with it the receiver's token.
            raise NotDelivered(f"the receiver cannot be reached ({type(failure).__name__})") from failure
        if not 200 <= status < 300:
            raise NotDelivered(_refusal(status), wait_s=_seconds(asked))


@asynccontextmanager
async def opened_webhook(
    access: WebhookAccess,
    *,
    store: ConversationStore,
    account: Callable[[AgentId], Awaitable[Agent | None]],
    clock: Clock,
    timeout_s: float = TIMEOUT_S,
) -> AsyncIterator[WebhookNotifier]:
    """Open a pool of connections; it keeps no cookies and unpacks nothing."""
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=timeout_s),
        auto_decompress=False,
    ) as session:
        reading = EventReading(store=store, account=account)
        yield WebhookNotifier(access=access, reading=reading, session=session, clock=clock)


def signed_headers(body: bytes, *, secret: str, delivery: str, now_s: int) -> Mapping[str, str]:
    """Return the headers that let the receiver tell who sent *body*, when, and whether it had it before."""
    signed = hmac.digest(secret.encode(), f"{now_s}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": "Candor-Webhook/1",
        "X-Candor-Timestamp": str(now_s),
        "X-Candor-Delivery": delivery,
        "X-Candor-Signature": f"sha256={signed.hex()}",
    }


def _refusal(status: int) -> str:
    if status == GONE:
        return "the receiver says that it is gone for good (410); unset WEBHOOK_URL to end the deliveries"
    if 300 <= status < 400:
        return f"the receiver redirects ({status}), which is not followed; set WEBHOOK_URL to where it leads"
    return f"the receiver answers {status}"


def _seconds(asked: str | None) -> float:
    """Return the wait that is asked for in seconds; 0 when it is not."""
    try:
        return float(asked or 0)
    except ValueError:
        return 0.0
