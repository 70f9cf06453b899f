"""Limits within moving windows of time, and what becomes of them when the machine's clock is set (FAULTS R-W16)."""

import pytest

from bot.channels.throttling import Windows, throttled, to_limits

HOUR_S = 3_600.0


class Machine:
    """A machine's two clocks: the one that can be set, and the one that only runs."""

    def __init__(self) -> None:
        self.wall_s = self.run_s = 1_000_000.0

    def runs(self, seconds: float, *, corrected_by: float = 0.0) -> None:
        self.run_s += seconds
        self.wall_s += seconds + corrected_by


def _windows(machine: Machine) -> Windows:
    return Windows(wall=lambda: machine.wall_s, monotonic=lambda: machine.run_s)


@pytest.mark.parametrize("step_s", [HOUR_S, -HOUR_S])
def test_nobody_waits_for_a_clock_that_was_set(step_s):
    machine, limits = Machine(), to_limits("1/10 minutes")
    windows = _windows(machine)
    assert windows.admit(limits, ("message", "c1")) is None
    assert windows.admit(limits, ("message", "c1")) is not None

    machine.runs(1, corrected_by=step_s)

    assert windows.admit(limits, ("message", "c1")) is None
    assert windows.admit(limits, ("message", "c1")) is not None


def test_a_clock_that_is_corrected_bit_by_bit_frees_nobody():
    machine, limits = Machine(), to_limits("1/10 minutes")
    windows = _windows(machine)
    windows.admit(limits, ("message", "c1"))

    for _ in range(10):
        machine.runs(6, corrected_by=0.5)

    assert windows.admit(limits, ("message", "c1")) is not None


def test_who_is_refused_is_told_when_to_come_back():
    refused = throttled(7, "You are writing faster than we can read.")

    assert (refused.status, refused.headers["Retry-After"]) == (429, "7")
    assert "Please wait 7 seconds, then send it again." in (refused.text or "")
