"""The one way in which a test waits for something that another task or process does."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar

Seen = TypeVar("Seen")


async def wait_until(
    look: Callable[[], Seen | Awaitable[Seen]], *, deadline_s: float = 5.0, every_s: float = 0.01
) -> Seen:
    """Look again until what is seen is true, and return it; fail with what was seen last at the deadline."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + deadline_s
    while True:
        found = look()
        seen: Seen = await found if inspect.isawaitable(found) else found
        if seen:
            return seen
        if loop.time() >= deadline:
            raise AssertionError(f"not within {deadline_s} s; last seen: {seen!r}")
        await asyncio.sleep(every_s)
