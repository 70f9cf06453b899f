"""Counts what somebody asks for within moving windows of time. Refuses in seconds to wait, never by dropping."""

import math
import time
from collections.abc import Callable, Sequence

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from bot.channels.problems import ProblemJson

SLEW_S = 30.0  # what a clock that is corrected bit by bit may differ by

Limits = Sequence[RateLimitItem]


def to_limits(text: str) -> Limits:
    """Read limits as the library writes them: "5/10 seconds;30/10 minutes"."""
    return parse_many(text)


class Windows:
    """Counts within this process. When the machine's clock is set, what was counted is forgotten.

    The library counts in the machine's time: after a step back, nobody who had just written could write for as long as the step.
    """

    def __init__(
        self, *, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._set_at_s = self._clock_set_at_s
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def admit(self, limits: Limits, *keys: tuple[str, str]) -> int | None:
        """Count one for each key, or return the seconds to wait and count nothing."""
        self._forget_if_the_clock_was_set()
        asked = [(limit, key) for limit in limits for key in keys]
        exhausted = [(limit, key) for limit, key in asked if not self._limiter.test(limit, *key)]
        if exhausted:
            return max(self._wait_s(limit, key) for limit, key in exhausted)
        for limit, key in asked:
            self._limiter.hit(limit, *key)
        return None

    def _forget_if_the_clock_was_set(self) -> None:
        if abs(self._clock_set_at_s - self._set_at_s) > SLEW_S:
            self._set_at_s = self._clock_set_at_s
            self._limiter = MovingWindowRateLimiter(MemoryStorage())

    @property
    def _clock_set_at_s(self) -> float:
        """When the machine would have started by its clock: the same always, unless the clock is set."""
        return self._wall() - self._monotonic()

    def _wait_s(self, limit: RateLimitItem, key: tuple[str, str]) -> int:
        # The library counts in the machine's time, so this difference must too.
        return max(1, math.ceil(self._limiter.get_window_stats(limit, *key).reset_time - time.time()))


def throttled(wait_s: int, why: str, *, then: str = "send it again") -> ProblemJson:
    """Say why, and when to come back."""
    message = f"{why} Please wait {wait_s} seconds, then {then}."
    return ProblemJson(429, "too_many_requests", message, headers={"Retry-After": str(wait_s)})
