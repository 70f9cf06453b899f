"""A worker repeats its run, not quite regularly, and stops at once when it is told to."""

import asyncio

import pytest

from bot.setting_values import seconds_of
from kb_sync.worker import repeat, seconds_until_next, until_stopped


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("90s", 90), ("15m", 900), ("6H", 21_600), ("15", None), ("0m", None), ("-1m", None), ("soon", None)],
)
def test_a_duration_has_a_unit(written, seconds):
    assert seconds_of(written) == seconds


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 810), (0.5, 900), (1.0, 990)])
def test_the_wait_is_up_to_a_tenth_shorter_or_longer(chance, seconds):
    """Else all workers of an installation ask the source in the same second."""
    assert seconds_until_next(900, chance=chance) == pytest.approx(seconds)


async def test_it_runs_again_after_the_interval():
    stop = asyncio.Event()
    runs: list[int] = []

    async def run() -> None:
        runs.append(len(runs))
        if len(runs) == 3:
            stop.set()

    await repeat(run, interval_s=0.001, stop=stop, chance=lambda: 0.5)

    assert runs == [0, 1, 2]


async def test_a_stop_cancels_the_run_under_way():
    stop = asyncio.Event()
    ended: list[str] = []

    async def run() -> None:
        stop.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    await repeat(run, interval_s=60, stop=stop, chance=lambda: 0.5)

    assert ended == ["cancelled"]


async def test_a_stop_ends_the_wait_between_runs():
    stop = asyncio.Event()

    async def run() -> None:
        asyncio.get_running_loop().call_soon(stop.set)

    await asyncio.wait_for(repeat(run, interval_s=60, stop=stop, chance=lambda: 0.5), timeout=5)


async def test_an_unexpected_error_ends_the_worker():
    async def run() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await repeat(run, interval_s=60, stop=asyncio.Event(), chance=lambda: 0.5)


async def test_a_run_that_ends_by_itself_says_what_it_came_to_and_one_that_was_stopped_nothing():
    stop = asyncio.Event()

    async def seven() -> int:
        return 7

    async def stopped() -> int:
        stop.set()
        return await asyncio.Future()

    assert await until_stopped(seven, stop) == 7
    assert await until_stopped(stopped, stop) is None
