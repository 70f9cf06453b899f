"""Repeats a sync until it is told to stop; a run under way is cancelled then, and recorded as such."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress

_DURATION = re.compile(r"([1-9][0-9]{0,5})(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def seconds_of(duration: str) -> int | None:
    """Read a duration such as 90s, 15m or 6h; None when it is none."""
    found = _DURATION.fullmatch(duration.strip().lower())
    return int(found[1]) * _SECONDS[found[2]] if found else None


async def repeat(run: Callable[[], Awaitable[None]], *, interval_s: float, stop: asyncio.Event) -> None:
    """Run, wait for *interval_s*, and so on until *stop* is set; what *run* raises ends it."""
    stopped = asyncio.ensure_future(stop.wait())
    try:
        while not stop.is_set():
            running = asyncio.ensure_future(run())
            await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await asyncio.wait({stopped}, timeout=interval_s)
    finally:
        stopped.cancel()
