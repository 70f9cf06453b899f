"""The processes of the Procfile, each as a platform starts it, over one MongoDB server."""

import asyncio
import re
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

from bot.settings import Settings, read_settings
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
START_S = 60.0  # a busy machine is not a failure
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


def commands() -> dict[str, list[str]]:
    """Return what the Procfile runs, by the name of the process."""
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return {name: command.split() for name, command in (line.split(": ", 1) for line in lines)}


@dataclass(slots=True, kw_only=True)
class Running:
    """One process."""

    process: asyncio.subprocess.Process
    out: Path

    @property
    def output(self) -> str:
        return self.out.read_text(encoding="utf-8")

    async def prints(self, pattern: re.Pattern[str]) -> str:
        """Wait until it has printed something like this, and return that."""

        def look() -> str | None:
            assert self.process.returncode is None, self.output
            found = pattern.search(self.output)
            return found and found.group()

        return await wait_until(look, deadline_s=START_S)

    async def address(self) -> str:
        return await self.prints(_ADDRESS)

    async def kill(self) -> None:
        """End it as the kernel would."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()


@dataclass(slots=True, kw_only=True)
class Formation:
    """Processes that share the settings of `environment`."""

    folder: Path
    environment: dict[str, str]
    _started: list[Running] = field(default_factory=list)

    @property
    def settings(self) -> Settings:
        """Return what the processes read."""
        return read_settings(self.environment, self.folder / "no-such.env")

    async def start(self, name: str, **more: str) -> Running:
        """Start a process of the Procfile."""
        program, *arguments = commands()[name]
        assert program == "python"
        out = self.folder / f"{name}-{len(self._started)}.out"
        with out.open("wb") as printed:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *arguments,
                cwd=self.folder,
                env={"PYTHONPATH": str(ROOT), **self.environment, **more},
                stdout=printed,
                stderr=asyncio.subprocess.STDOUT,
            )
        running = Running(process=process, out=out)
        self._started.append(running)
        return running

    async def run(self, name: str) -> str:
        """Run one that ends, and return what it printed."""
        running = await self.start(name)
        assert await running.process.wait() == 0, running.output
        return running.output

    async def clear(self) -> None:
        """Kill what still runs."""
        for running in self._started:
            await running.kill()
