"""Child processes that serve one data directory, one after another or side by side.

They are forked from a process that has imported and read everything and started nothing, so that each costs a fraction of a start.
"""

import json
import multiprocessing
import os
import signal
from pathlib import Path

from bot.settings import Settings
from tests.faults.kept import Kept, kept_of
from tests.faults.moments import Moment
from tests.faults.serve import GO, WAITING, Plan, run
from tests.waiting import wait_until

STARTS_WITHIN_S = 60.0
ENDS_WITHIN_S = 60.0

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["pytest", "tests.faults.read_before"])


class Service:
    """One process."""

    def __init__(self, plan: Plan) -> None:
        self._log = plan.log
        self._process = FORKING.Process(target=run, args=(plan,), daemon=True)
        self._process.start()

    async def address(self) -> str:
        """Wait until it serves, and return where."""
        await wait_until(
            lambda: self._address or self._process.exitcode is not None, deadline_s=STARTS_WITHIN_S
        )
        assert self._address, f"it ended with {self._process.exitcode}:\n{self.log}"
        return self._address

    async def exit_code(self, *, within_s: float = ENDS_WITHIN_S) -> int:
        """Wait until it has ended; -9 when it was killed."""
        await wait_until(lambda: self._process.exitcode is not None, deadline_s=within_s)
        assert self._process.exitcode is not None
        return self._process.exitcode

    @property
    def has_ended(self) -> bool:
        return self._process.exitcode is not None

    def signal(self, number: signal.Signals) -> None:
        if self._process.pid is not None and self._process.exitcode is None:
            os.kill(self._process.pid, number)

    async def kill(self) -> None:
        """End it at any moment."""
        self.signal(signal.SIGKILL)
        await self.exit_code()

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def _address(self) -> str:
        for line in self.log.splitlines(keepends=True):
            if '"event": "serving"' in line and line.endswith("\n"):
                return str(json.loads(line)["address"])
        return ""


class Machine:
    """A data directory, or what the *settings* name, and the processes on it."""

    def __init__(self, folder: Path, *, settings: Settings | None = None) -> None:
        self.data_dir = folder / "data"
        self.settings = (settings or Settings()).model_copy(update={"data_dir": self.data_dir})
        self.kept: Kept = kept_of(self.settings)
        self._logs = folder / "logs"
        self._logs.mkdir(parents=True)
        self._started: list[Service] = []

    def start(
        self,
        *,
        dies_at: Moment | None = None,
        waits_at: Moment | None = None,
        armed_by: str | None = None,
        ahead_s: int = 0,
        streams: bool = False,
    ) -> Service:
        """Start one more process."""
        service = Service(
            Plan(
                settings=self.settings,
                log=self._logs / f"{len(self._started)}.log",
                dies_at=dies_at,
                waits_at=waits_at,
                armed_by=armed_by,
                ahead_s=ahead_s,
                streams=streams,
            )
        )
        self._started.append(service)
        return service

    async def waits(self, processes: int = 1) -> None:
        """Wait until so many processes are at the moment where they wait."""

        def all_wait() -> bool:
            return len(list(self.data_dir.glob(f"{WAITING}.*"))) == processes

        await wait_until(all_wait, deadline_s=STARTS_WITHIN_S)

    def let_go(self) -> None:
        """Let whoever waits at a moment go on."""
        (self.data_dir / GO).touch()

    async def clear(self) -> None:
        """Kill what still runs."""
        for service in self._started:
            service.signal(signal.SIGKILL)
        for service in self._started:
            await service.exit_code()
