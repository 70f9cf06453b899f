"""Asks Zendesk's API for JSON. The token goes to one address only, rate limits are obeyed, and every failure is one sentence.

What may pass (no connection, 5xx, an answer that breaks off) is tried again and then SourceUnavailable; the rest is SourceRejected at once.
"""

import json
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

import aiohttp

from bot.core.retries import may_pass
from bot.errors import SourceRejected, SourceUnavailable

Wait = Callable[[float], Awaitable[None]]

SILENCE_S = 20.0
REQUEST_S = 120.0  # a page of 1,000 articles in all their languages is long
MOST_BYTES = 200_000_000  # of one answer
PAUSES_S = (2.0, 8.0)  # before the second and the third attempt
UNTOLD_WAIT_S = 30.0  # the limits are per minute
LONGEST_WAIT_S = 300.0
MOST_WAITING_S = 900.0  # of one reading

_REMEDIES = {
    401: "refuses ZENDESK_EMAIL and ZENDESK_API_TOKEN (401); name an agent, and a token that is active",
    403: "does not let ZENDESK_EMAIL read the articles (403); name an agent or admin of this help center",
    404: "has no help center (404); name the account's own address, such as https://acme.zendesk.com",
}


class _MayPass(Exception):
    """An attempt failed in a way that another may not; *asked_s* is the wait that the server asks for."""

    def __init__(self, problem: str, *, asked_s: float | None = None, is_limit: bool = False) -> None:
        super().__init__(problem)
        self.asked_s = asked_s
        self.is_limit = is_limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A help center's address, and the agent who reads it."""

    address: str
    email: str
    token: str = field(repr=False)

    def __str__(self) -> str:
        return f"zendesk:{self.address}"

    @property
    def authorization(self) -> str:
        """Return the header that a token is sent in."""
        return aiohttp.encode_basic_auth(f"{self.email}/token", self.token, "utf-8")


@dataclass(slots=True, kw_only=True)
class ZendeskClient:
    """Requests of one reading, over one connection pool."""

    account: Account
    session: aiohttp.ClientSession
    wait: Wait
    _waited_s: float = 0.0

    async def json(self, path: str, **query: str | int) -> object:
        """Return what is at *path*, a path of the API; SourceUnavailable, SourceRejected."""
        url = f"{self.account.address}/api/v2/help_center/{path}?{urlencode(query)}"
        tried = 0
        while True:
            try:
                return await self._attempt(url)
            except _MayPass as failure:
                pause_s = self._pause_after(failure, tried)
                if pause_s is None:
                    raise SourceUnavailable(f"{failure}; try again later") from failure
                tried += not failure.is_limit
            self._waited_s += pause_s
            await self.wait(pause_s)

    def _pause_after(self, failure: _MayPass, tried: int) -> float | None:
        """Return how long to wait before another attempt; None when there shall be none."""
        if tried >= len(PAUSES_S):
            return None
        least_s = PAUSES_S[tried]
        untold_s = UNTOLD_WAIT_S if failure.is_limit else least_s
        pause_s = untold_s if failure.asked_s is None else max(failure.asked_s, least_s)
        is_too_long = pause_s > LONGEST_WAIT_S or self._waited_s + pause_s > MOST_WAITING_S
        return None if is_too_long else pause_s

    async def _attempt(self, url: str) -> object:
        try:
            async with self.session.get(
                url,
                headers={"Authorization": self.account.authorization},
                allow_redirects=False,  # another address must not be shown the token
                timeout=aiohttp.ClientTimeout(total=REQUEST_S, connect=SILENCE_S, sock_read=SILENCE_S),
            ) as response:
                _require_answer(response)
                body = await _body(response)
        except TimeoutError as exc:
            raise _MayPass("does not answer in time") from exc
        except aiohttp.ClientError as exc:
            raise _MayPass(f"cannot be reached, or broke the connection ({type(exc).__name__})") from exc
        return _parsed(body)


def _require_answer(response: aiohttp.ClientResponse) -> None:
    status = response.status
    if status == HTTPStatus.OK:
        return
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        raise _MayPass("its rate limit is reached (429)", asked_s=_asked_s(response), is_limit=True)
    if may_pass(status):
        raise _MayPass(f"fails ({status})", asked_s=_asked_s(response))
    if status in _REMEDIES:
        raise SourceRejected(_REMEDIES[status])
    if 300 <= status < 400:
        elsewhere = urlsplit(response.headers.get("Location", "")).hostname or "another address"
        raise SourceRejected(f"sends to {elsewhere} ({status}); name that address")
    raise SourceRejected(f"refuses the request ({status}); check the address")


async def _body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MOST_BYTES:
            raise SourceRejected(f"an answer is longer than {MOST_BYTES:,} bytes; check the address")
    return bytes(body)


def _parsed(body: bytes) -> object:
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError) as exc:
        if body.lstrip()[:1] in {b"{", b"["}:
            raise _MayPass("its answer breaks off, or is no JSON") from exc
        raise SourceRejected(
            "answers with something else than JSON; check the address, and that its API asks for no other sign-in"
        ) from exc
    return parsed


def _asked_s(response: aiohttp.ClientResponse) -> float | None:
    """Return the wait asked for in seconds; None without one that can be read so."""
    try:
        asked_s = float(response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return asked_s if 0 <= asked_s < math.inf else None
