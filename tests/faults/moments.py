"""Named moments of a turn, and what becomes of the process that reaches one: it is killed, or it waits."""

import inspect
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import wait_until

WAITS_AT_MOST_S = 60.0
WRITING = frozenset(
    {"receive", "show_blocks", "commit_turn", "change", "delivered", "add_note", "keep", "done"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The *nth* time that something happens whose name starts so.

    Names are "before CALL" and "after CALL" for the calls of ports ("after draft" for each piece), "CALL: SQL" for the statement
    that a call's write transaction runs next, and "CALL: before STEP" and "CALL: after STEP" for what it asks of MongoDB.
    """

    name: str
    nth: int = 1

    def __str__(self) -> str:
        return self.name if self.nth == 1 else f"{self.name} ({self.nth})"


class Switch:
    """Counts what happens from the message with the id *armed_by* on, or from the start when that is None."""

    def __init__(
        self,
        *,
        dies_at: Moment | None,
        waits_at: Moment | None,
        waiting: Path,
        go: Path,
        armed_by: str | None,
    ) -> None:
        self._dies_at = dies_at
        self._waits_at = waits_at
        self._waiting = waiting
        self._go = go
        self._armed_by = armed_by
        self._writing = ""
        self._counts = {moment: 0 for moment in (dies_at, waits_at) if moment}

    async def call(self, name: str, real, *arguments, **named):
        """Make a port's call between its two moments."""
        if name == "receive" and arguments[0].channel_message_id == self._armed_by:
            self._armed_by = None
        if name in WRITING:
            self._writing = name
        await self._reached(f"before {name}")
        result = await real(*arguments, **named)
        await self._reached(f"after {name}")
        return result

    async def pieces(self, name: str, real, *arguments):
        """Pass a port's pieces on, with a moment before all and after each."""
        await self._reached(f"before {name}")
        async for piece in real(*arguments):
            await self._reached(f"after {name}")
            yield piece

    async def inner(self, name: str, real, *arguments, **named):
        """Make a database's call, within a port's that writes, between two moments."""
        within = self._writing
        await self._reached(f"{within}: before {name}")
        result = await real(*arguments, **named)
        await self._reached(f"{within}: after {name}")
        return result

    def statement(self, sql: str) -> None:
        """Die before a statement; called by SQLite on the thread that writes."""
        if self._is(self._dies_at, f"{self._writing}: {' '.join(sql.split())}"):
            die()

    async def _reached(self, name: str) -> None:
        if self._is(self._dies_at, name):
            die()
        if self._is(self._waits_at, name):
            self._waiting.touch()
            await wait_until(self._go.exists, deadline_s=WAITS_AT_MOST_S)

    def _is(self, moment: Moment | None, name: str) -> bool:
        if moment is None or self._armed_by is not None or not name.startswith(moment.name):
            return False
        self._counts[moment] += 1
        return self._counts[moment] == moment.nth


class Watched:
    """A port that tells the switch of each call. What does not wait is passed on as it is."""

    def __init__(self, port: object, switch: Switch) -> None:
        self._port = port
        self._switch = switch

    def __getattr__(self, name: str):
        real = getattr(self._port, name)
        if inspect.iscoroutinefunction(real):
            return _bound(self._switch.call, name, real)
        if inspect.isasyncgenfunction(real):
            return _bound(self._switch.pieces, name, real)
        return real


class WatchedDatabase(Watched):
    """A database below a port that is watched too."""

    def __getattr__(self, name: str):
        real = getattr(self._port, name)
        return _bound(self._switch.inner, name, real) if inspect.iscoroutinefunction(real) else real


class Streaming(Watched):
    """An answerer whose blocks come one after another, so that each is recorded and shown by itself."""

    streams = True


def _bound(report: Callable[..., object], name: str, real: object) -> Callable[..., object]:
    return lambda *arguments, **named: report(name, real, *arguments, **named)


def die() -> None:
    """End this process as a power cut or the kernel would: no handler, no flush, no goodbye."""
    os.kill(os.getpid(), signal.SIGKILL)


def around(*calls: str, nth: int = 1) -> list[Moment]:
    """Return the moments before and after calls."""
    return [Moment(name=f"{side} {call}", nth=nth) for call in calls for side in ("before", "after")]


def inside(call: str, *steps: str, nth: int = 1) -> list[Moment]:
    """Return moments within a call that writes."""
    return [Moment(name=f"{call}: {step}", nth=nth) for step in steps]
