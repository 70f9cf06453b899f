"""Keeps one socket to Slack alive: connects anew when no pong came for long, builds a new client when that did not help, raises the alarm.

A socket lives as long as pongs come. Whether an event came says nothing, because a workspace may be quiet (FAULTS SL12).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, assert_never

import structlog

from bot.channels.slack.health import SocketState
from bot.channels.slack.outcomes import failure_of
from bot.ports import Clock

log = structlog.get_logger()

PING_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When what is done for a silent socket; a try is one connection."""

    ping_s: float = PING_S
    rebuilt_after_s: float = 60.0
    deaf_after_s: float = 120.0
    looks_every_s: float = 1.0
    try_s: float = 15.0  # a peer that is gone takes ten to be left
    pause_s: float = 5.0
    longest_pause_s: float = 15.0
    steady_after_s: float = 30.0
    late_s: float = 5.0

    @property
    def silent_after_s(self) -> float:
        return 4 * self.ping_s


class Step(StrEnum):
    """What to do for the socket now."""

    WAIT = "wait"
    RECONNECT = "reconnect"
    REBUILD = "rebuild"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the socket is: there at all, open, silent for how long; and whether enough time passed since the last try."""

    is_there: bool
    is_open: bool
    silent_s: float
    may_try: bool


def next_step(standing: Standing, timing: Timing) -> Step:
    """Return what the socket needs."""
    if not standing.may_try:
        return Step.WAIT
    if not standing.is_there or standing.silent_s >= timing.rebuilt_after_s:
        return Step.REBUILD
    if not standing.is_open or standing.silent_s >= timing.silent_after_s:
        return Step.RECONNECT
    return Step.WAIT


def state_of(standing: Standing, timing: Timing) -> SocketState:
    """Return what to say of the socket."""
    if standing.silent_s >= timing.deaf_after_s:
        return SocketState.DEAF
    if standing.is_open and standing.silent_s < timing.silent_after_s:
        return SocketState.OPEN
    return SocketState.CONNECTING


class Socket(Protocol):
    """A client of Slack, as far as it is watched."""

    @property
    def last_pong(self) -> float:
        """A number that changes with each pong."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether Slack greeted the connection and did not end it."""
        ...

    async def connect(self) -> None:
        """Connect anew; raises when it fails."""
        ...

    async def close(self) -> None:
        """Leave for good."""
        ...


class SocketHealth(Protocol):
    """Is told what becomes of the socket; never raises and never waits."""

    def heard(self, state: SocketState) -> None: ...


@dataclass(slots=True, kw_only=True)
class SocketSupervisor:
    """The socket that *opened* makes, for as long as `run_forever` runs."""

    opened: Callable[[], Socket]
    health: SocketHealth
    clock: Clock
    jitter: Callable[[], float]
    timing: Timing = field(default_factory=Timing)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _socket: Socket | None = None
    _state: SocketState | None = None
    _pong: float = 0.0
    _alive_s: float = 0.0
    _looked_s: float = 0.0
    _tries: int = 0
    _next_try_s: float = 0.0
    _tried_s: float = 0.0
    _problem: str = ""

    async def run_forever(self) -> None:
        """Keep the socket alive until cancelled, and then close it."""
        self._alive_s = self._looked_s = self.clock.monotonic_s()
        try:
            while True:
                await self.look()
                await self.sleep(self.timing.looks_every_s)
        finally:
            await self._close()

    async def look(self) -> None:
        """See how the socket is, and do what it needs."""
        self._observe(self.clock.monotonic_s())
        match next_step(self._standing(), self.timing):
            case Step.WAIT:
                pass
            case Step.RECONNECT if self._socket is not None:
                await self._try(self._socket)
            case Step.RECONNECT | Step.REBUILD:
                await self._rebuild()
            case step:
                assert_never(step)
        self._tell()
        self._looked_s = self.clock.monotonic_s()

    def _observe(self, now_s: float) -> None:
        late_s = now_s - self._looked_s - self.timing.looks_every_s
        if late_s > self.timing.late_s:  # a blocked loop read no pong, which says nothing of the socket
            self._alive_s += late_s
        if self._socket is None or not self._socket.is_open or self._socket.last_pong == self._pong:
            return
        self._pong = self._socket.last_pong
        self._alive_s = now_s
        if now_s - self._tried_s >= self.timing.steady_after_s:
            self._tries = 0

    def _standing(self) -> Standing:
        now_s = self.clock.monotonic_s()
        return Standing(
            is_there=self._socket is not None,
            is_open=self._socket is not None and self._socket.is_open,
            silent_s=now_s - self._alive_s,
            may_try=self._tries == 0 or now_s >= self._next_try_s,
        )

    async def _rebuild(self) -> None:
        await self._close()
        self._socket = self.opened()
        self._pong = self._socket.last_pong
        await self._try(self._socket)

    async def _try(self, socket: Socket) -> None:
        """A place where Slack sends us away, or is not, is not stormed: each try waits longer than the one before."""
        self._tries += 1
        self._tried_s = self.clock.monotonic_s()
        pause_s = min(self.timing.pause_s * self._tries, self.timing.longest_pause_s)
        self._next_try_s = self._tried_s + pause_s * (1 + self.jitter()) / 2
        try:
            async with asyncio.timeout(self.timing.try_s):
                await socket.connect()
        except Exception as failed:  # noqa: BLE001 - the client raises more than its own errors (FAULTS §3.3)
            self._problem = failure_of(failed).code
            log.warning("slack_socket_not_connected", attempt=self._tries, problem=self._problem)

    async def _close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is None:
            return
        try:
            async with asyncio.timeout(self.timing.try_s):
                await socket.close()
        except Exception as failed:  # noqa: BLE001 - what cannot be closed is left to the operating system
            log.info("slack_socket_not_closed", error=type(failed).__name__)

    def _tell(self) -> None:
        standing = self._standing()
        state = state_of(standing, self.timing)
        if state is self._state:
            return
        self._state = state
        self.health.heard(state)
        if state is SocketState.DEAF:
            log.error("slack_socket_deaf", silent_s=round(standing.silent_s), problem=self._problem)
