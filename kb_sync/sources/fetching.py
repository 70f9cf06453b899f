"""Fetches from one website by aiohttp: bounded, with a deadline, no faster than the site asks for, never from another host.

What may pass (no connection, 5xx, an answer that breaks off) is tried again and then SourceUnavailable.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import aiohttp
from yarl import URL

from bot.core.retries import may_pass
from bot.errors import SourceUnavailable
from kb_sync.sources.fetching_packed import BrokenPacking, unpacked
from kb_sync.sources.website_addresses import Site

AGENT = "candor-kb-sync"
GONE = frozenset({404, 410})

_HEADERS = {
    "User-Agent": f"{AGENT}/1.0",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
    "Accept-Encoding": "gzip",
}
_REQUEST_S = 20.0
_PAUSES_S = (1.0, 5.0)  # before the second and the third attempt
_LONGEST_PAUSE_S = 60.0
_MOST_HOPS = 5
_ANSWERS = frozenset({200, 203})  # 202 comes with a riddle that tells people from programs
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PERMANENT = frozenset({301, 308})

Wait = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What the site answered. `elsewhere` is where it sent us when that was not followed, `is_cut` that it was too long."""

    address: URL
    status: int
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    robots: str = ""
    location: str = ""
    elsewhere: str = ""
    hops: int = 0
    is_permanent: bool = True  # every redirect on the way
    is_cut: bool = False


def require_answer(fetched: Fetched) -> None:
    """SourceUnavailable unless the site answered with what was asked for, whole."""
    if fetched.status not in _ANSWERS:
        raise SourceUnavailable(
            f"{fetched.address}: answers with {fetched.status}; see why the site refuses it"
        )


class _MayPass(Exception):
    """An attempt failed in a way that another may not; *asked_s* is the wait that the site asks for."""

    def __init__(self, problem: str, *, asked_s: float = 0.0) -> None:
        super().__init__(problem)
        self.asked_s = asked_s


def fetching_session() -> aiohttp.ClientSession:
    """Open a session for a Fetcher."""
    return aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False)


@dataclass(slots=True, kw_only=True)
class Fetcher:
    """Requests of one reading over a `fetching_session`; `delay_s` is the time that the site wants between two of them."""

    site: Site
    session: aiohttp.ClientSession
    wait: Wait
    request_s: float = _REQUEST_S
    delay_s: float = 0.0
    _pace: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(
        self, address: URL, *, most_bytes: int, permits: Callable[[URL], bool] = lambda _: True
    ) -> Fetched:
        """Return what is at *address*, at the end of redirects within the site to what *permits* allows; SourceUnavailable."""
        is_permanent = True
        for hops in range(_MOST_HOPS + 1):
            answer = await self._patiently(address, most_bytes)
            if answer.status not in _REDIRECTS:
                return replace(answer, hops=hops, is_permanent=is_permanent)
            is_permanent = is_permanent and answer.status in _PERMANENT
            target = self.site.resolve(answer.location, base=address)
            if target is None or not permits(target):
                return replace(answer, elsewhere=str(target or answer.location), is_permanent=is_permanent)
            address = target
        raise SourceUnavailable(f"{address}: redirects again and again")

    async def _patiently(self, address: URL, most_bytes: int) -> Fetched:
        for pause_s in (*_PAUSES_S, math.inf):
            try:
                return await self._attempt(address, most_bytes)
            except _MayPass as failure:
                wait_s = max(pause_s, failure.asked_s)
                if wait_s > _LONGEST_PAUSE_S:
                    raise SourceUnavailable(f"{address}: {failure}; try again later") from failure
            await self.wait(wait_s)
        raise AssertionError("the last pause is too long for another attempt")

    async def _attempt(self, address: URL, most_bytes: int) -> Fetched:
        await self._turn()
        limit = aiohttp.ClientTimeout(total=self.request_s)
        try:
            async with self.session.get(
                address, headers=_HEADERS, allow_redirects=False, timeout=limit
            ) as response:
                if may_pass(response.status):
                    raise _MayPass(f"fails ({response.status})", asked_s=_asked_s(response))
                return await _fetched(response, address, most_bytes)
        except TimeoutError as exc:
            raise _MayPass("does not answer in time") from exc
        except aiohttp.ClientError as exc:
            raise _MayPass(f"cannot be reached, or broke off ({type(exc).__name__})") from exc

    async def _turn(self) -> None:
        """Let as much time pass between two requests as the site asks for."""
        if not self.delay_s:
            return
        async with self._pace:
            await self.wait(self.delay_s)


async def _fetched(response: aiohttp.ClientResponse, address: URL, most_bytes: int) -> Fetched:
    body = await _body(response, most_bytes)
    return Fetched(
        address=address,
        status=response.status,
        body=body[:most_bytes],
        content_type=response.content_type if "Content-Type" in response.headers else "",
        charset=response.charset,
        robots=", ".join(response.headers.getall("X-Robots-Tag", [])),
        location=response.headers.get("Location", ""),
        is_cut=len(body) > most_bytes,
    )


async def _body(response: aiohttp.ClientResponse, most_bytes: int) -> bytes:
    """Return the body, or its beginning when it is too long."""
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > most_bytes:
            return bytes(body)
    packing = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packing == "identity" or not body:
        return bytes(body)
    if packing not in {"gzip", "x-gzip"}:
        raise _MayPass(f"answers packed by {packing[:40]}, which was not asked for")
    try:
        # The client's own unpacking takes half of an answer for a whole one.
        return unpacked(bytes(body), most_bytes=most_bytes)
    except BrokenPacking as exc:
        raise _MayPass(f"answers with what cannot be unpacked ({exc})") from exc


def _asked_s(response: aiohttp.ClientResponse) -> float:
    """Return the wait asked for in seconds; 0 without one that can be read so."""
    try:
        asked_s = float(response.headers.get("Retry-After", ""))
    except ValueError:
        return 0.0
    return asked_s if asked_s >= 0 else 0.0
