"""When a silent socket is connected anew, when its client is rebuilt, and when it is an alarm (FAULTS SL12, R-S17)."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.channels.slack.health import SlackHealth, SocketState
from bot.channels.slack.socket_supervisor import SocketSupervisor, Standing, Step, Timing, next_step


class Line:
    """The way to Slack. While it is `up`, sockets that connect are greeted, and pings are answered."""

    def __init__(self, clock):
        self.clock = clock
        self.up = True
        self.made = 0
        self.connected_s: list[float] = []
        self.closed = 0
        self.fails: Exception | None = None

    def opened(self):
        self.made += 1
        return LineSocket(self)


class LineSocket:
    def __init__(self, line):
        self.line = line
        self.is_open = False
        self.pongs = 0
        self.half_open = False

    @property
    def last_pong(self):
        if self.is_open and self.line.up and not self.half_open:
            self.pongs = int(self.line.clock.monotonic_s()) // 10 + 1
        return float(self.pongs)

    async def connect(self):
        self.line.connected_s.append(self.line.clock.monotonic_s())
        if self.line.fails:
            raise self.line.fails
        self.is_open = self.line.up
        self.half_open = False

    async def close(self):
        self.line.closed += 1


class Watch:
    """A supervised line whose seconds pass when the test says so."""

    def __init__(self):
        self.clock = ManualClock()
        self.line = Line(self.clock)
        self.health = SlackHealth()
        self.supervisor = SocketSupervisor(
            opened=self.line.opened, health=self.health, clock=self.clock, jitter=lambda: 1.0
        )

    async def pass_s(self, seconds):
        for _ in range(seconds):
            self.clock.advance(1_000)
            await self.supervisor.look()

    @property
    def socket(self):
        return self.supervisor._socket


@pytest.fixture
async def watch():
    watch = Watch()
    await watch.pass_s(60)
    assert (watch.line.made, len(watch.line.connected_s)) == (1, 1)
    watch.line.connected_s.clear()
    return watch


async def test_a_quiet_workspace_is_no_dead_socket(watch):
    await watch.pass_s(3_600)

    assert watch.line.connected_s == []
    assert watch.health.socket is SocketState.OPEN


async def test_a_socket_without_pongs_for_four_pings_is_connected_anew(watch):
    watch.socket.half_open = True
    began_s = watch.clock.monotonic_s()

    await watch.pass_s(60)

    (at_s,) = watch.line.connected_s
    assert 30 < at_s - began_s <= 41
    assert watch.line.made == 1
    assert watch.health.socket is SocketState.OPEN


async def test_a_closed_socket_is_connected_anew_at_once(watch):
    watch.socket.is_open = False

    await watch.pass_s(1)

    assert len(watch.line.connected_s) == 1
    assert watch.health.socket is SocketState.OPEN


async def test_the_whole_client_is_rebuilt_when_connecting_anew_did_not_help(watch):
    watch.line.up = False
    watch.socket.is_open = False

    await watch.pass_s(75)

    assert watch.line.made == 2
    assert watch.line.closed == 1


async def test_who_was_away_for_long_is_back_within_a_minute(watch):
    """However long it was: the pauses do not grow for ever."""
    watch.line.up = False
    watch.socket.is_open = False
    await watch.pass_s(3_600)

    watch.line.up = True
    await watch.pass_s(16)

    assert watch.health.socket is SocketState.OPEN


async def test_two_minutes_of_silence_are_an_alarm_until_it_hears_again(watch):
    watch.line.up = False
    watch.socket.is_open = False

    await watch.pass_s(110)
    assert not (await watch.health.check())["degraded"]
    await watch.pass_s(15)
    assert (await watch.health.check())["causes"] == "socket_deaf"

    watch.line.up = True
    await watch.pass_s(20)
    assert not (await watch.health.check())["degraded"]


async def test_a_place_that_sends_everybody_away_is_not_stormed(watch):
    """`too_many_websockets`: each connection is ended as soon as it is made."""
    watch.line.up = False
    watch.socket.is_open = False

    await watch.pass_s(600)

    assert len(watch.line.connected_s) <= 600 / 15 + 3


@pytest.mark.parametrize("failure", [OSError("no route"), TimeoutError(), RuntimeError("Session is closed")])
async def test_a_connection_that_fails_ends_nothing(watch, failure):
    watch.line.fails = failure
    watch.socket.is_open = False
    await watch.pass_s(200)
    assert (await watch.health.check())["socket"] == SocketState.DEAF

    watch.line.fails = None
    await watch.pass_s(20)

    assert (await watch.health.check())["socket"] == SocketState.OPEN


async def test_a_loop_that_was_blocked_says_nothing_of_the_socket(watch):
    watch.clock.advance(300_000)
    watch.socket.half_open = True  # the pongs are still to be read

    await watch.pass_s(20)

    assert watch.line.connected_s == []
    assert watch.health.socket is SocketState.OPEN


@pytest.mark.parametrize(
    ("standing", "step"),
    [
        (Standing(is_there=False, is_open=False, silent_s=0, may_try=True), Step.REBUILD),
        (Standing(is_there=True, is_open=True, silent_s=39, may_try=True), Step.WAIT),
        (Standing(is_there=True, is_open=True, silent_s=40, may_try=True), Step.RECONNECT),
        (Standing(is_there=True, is_open=False, silent_s=0, may_try=True), Step.RECONNECT),
        (Standing(is_there=True, is_open=False, silent_s=59, may_try=False), Step.WAIT),
        (Standing(is_there=True, is_open=True, silent_s=60, may_try=True), Step.REBUILD),
    ],
)
def test_the_steps(standing, step):
    assert next_step(standing, Timing()) is step
