"""Tells a dead-man's switch that a run began, succeeded or failed (FAULTS K3). Never fails a run, and never names the address: whoever knows it can ping."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import aiohttp

DEADLINE_S = 5.0
_REASON_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pings:
    """Pings one address; `told` hears what is wrong with it. Without an address nothing is done."""

    url: str | None
    told: Callable[[str], None]
    session: aiohttp.ClientSession

    async def began(self) -> None:
        """Say that a run began."""
        await self._ping("GET", "start")

    async def succeeded(self) -> None:
        """Say that it did everything."""
        await self._ping("GET")

    async def failed(self, reason: str) -> None:
        """Say that it did not, and why."""
        await self._ping("POST", "fail", body=reason[:_REASON_CHARACTERS])

    async def _ping(self, method: str, event: str = "", *, body: str | None = None) -> None:
        if self.url is None:
            return
        try:
            async with self.session.request(
                method, address_of(self.url, event), data=body, allow_redirects=False
            ) as answer:
                status = answer.status
        except TimeoutError:
            self.told(f"KB_PING_URL did not answer within {DEADLINE_S:g} s; the sync is not affected")
        except Exception as failure:  # noqa: BLE001 - the design: a client raises more than its own errors
            self.told(f"KB_PING_URL cannot be reached ({type(failure).__name__}); the sync is not affected")
        else:
            if not 200 <= status < 300:
                self.told(f"KB_PING_URL answers {status}; the sync is not affected")


@asynccontextmanager
async def opened_pings(
    url: str | None, told: Callable[[str], None], *, deadline_s: float = DEADLINE_S
) -> AsyncIterator[Pings]:
    """Open a client that keeps no cookies and waits *deadline_s* at most."""
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(total=deadline_s)
    ) as session:
        yield Pings(url=url, told=told, session=session)


def address_of(url: str, event: str) -> str:
    """Return where *event* is told: a further step of the path, in front of a query."""
    parts = urlsplit(url)
    path = f"{parts.path.rstrip('/')}/{event}" if event else parts.path
    return urlunsplit(parts._replace(path=path))
