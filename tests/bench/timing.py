"""How a benchmark measures: the things that are compared take turns, so that a busy machine slows all of them alike."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from statistics import quantiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The median and the 99th percentile of one thing's times."""

    p50_ms: float
    p99_ms: float

    @classmethod
    def of(cls, seconds: list[float]) -> "Spread":
        percentiles = quantiles(seconds, n=100, method="inclusive")
        return cls(p50_ms=percentiles[49] * 1_000, p99_ms=percentiles[98] * 1_000)


async def measured_in_turns(
    subjects: Mapping[str, Callable[[], Awaitable[object]]], *, rounds: int, warm_up: int = 5
) -> dict[str, Spread]:
    """Run every subject once a round and return their times, without those of the first rounds."""
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(warm_up + rounds):
        for name, run in subjects.items():
            start = time.perf_counter()
            await run()
            if number >= warm_up:
                times[name].append(time.perf_counter() - start)
    return {name: Spread.of(seconds) for name, seconds in times.items()}
