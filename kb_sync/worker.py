"""Repeats a sync until it is told to stop; a run under way is cancelled then, and recorded as such."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

Done = TypeVar("Done")

_SPREAD = 0.1


def seconds_until_next(interval_s: float, *, chance: float) -> float:
    """Return the interval, up to a tenth shorter or longer, so that many workers do not come at once; *chance* is from 0 to 1."""
    return interval_s * (1 - _SPREAD + 2 * _SPREAD * chance)


async def repeat(
    run: Callable[[], Awaitable[object]],
    *,
    interval_s: float,
    stop: asyncio.Event,
    chance: Callable[[], float],
) -> None:
    """Run, wait about *interval_s*, and so on until *stop* is set; what *run* raises ends it."""
    while not stop.is_set():
        await until_stopped(run, stop)
        pause_s = seconds_until_next(interval_s, chance=chance())
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause_s)


async def until_stopped(run: Callable[[], Awaitable[Done]], stop: asyncio.Event) -> Done | None:
    """Run to the end, or cancel the run when *stop* is set and wait until it has ended; None then."""
    stopped = asyncio.ensure_future(stop.wait())
    running = asyncio.ensure_future(run())
    try:
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        running.cancel()  # does nothing to one that has ended
        await asyncio.wait({running})
    return None if running.cancelled() else running.result()
