"""A service in a process of its own, what it takes of the machine, and its restart at the same address."""

import asyncio
import os
import re
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from tests.browser.whole_app import ROOT
from tests.waiting import wait_until

START_S = 60.0
_BUCKET = re.compile(r'^event_loop_lag_seconds_bucket\{le="([^"]+)"\} (\S+)', re.MULTILINE)
_WORST = re.compile(r"^event_loop_lag_worst_seconds (\S+)", re.MULTILINE)


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@dataclass(slots=True, kw_only=True)
class LoadedService:
    """`serve` over SQLite on disk."""

    directory: Path
    port: int = field(default_factory=free_port)
    _process: asyncio.subprocess.Process | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start, and wait until it answers."""
        with (self.directory / "service.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                "serve",
                cwd=self.directory,
                env={
                    "PYTHONPATH": str(ROOT),
                    "CANDOR_DATA_DIR": str(self.directory),
                    "PORT": str(self.port),
                    "LOG_LEVEL": "error",
                },
                stdout=log,
                stderr=log,
            )
        await wait_until(self._answers, deadline_s=START_S)

    async def stop(self) -> float:
        """Send SIGTERM, and return how many seconds it took."""
        process, self._process = self._process, None
        if process is None:
            return 0.0
        sent_s = time.perf_counter()
        process.terminate()
        if await process.wait() != 0:
            raise RuntimeError(self._said())
        return time.perf_counter() - sent_s

    def resident_bytes(self) -> int:
        """Return what of the process lies in memory."""
        if self._process is None:
            return 0
        pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    async def lag(self) -> tuple[float, float]:
        """Return the bound below which 99 % of the event loop's lags lie, and the worst one."""
        async with aiohttp.ClientSession() as http, http.get(f"{self.address}/metrics") as response:
            text = await response.text()
        counts = [(float(bound), float(count)) for bound, count in _BUCKET.findall(text)]
        total = counts[-1][1]
        worst = _WORST.search(text)
        return next(bound for bound, count in counts if count >= 0.99 * total), float(
            worst[1] if worst else 0
        )

    async def _answers(self) -> bool:
        if self._process is not None and self._process.returncode is not None:
            self._process = None
            raise RuntimeError(self._said())
        try:
            async with aiohttp.ClientSession() as http, http.get(f"{self.address}/healthz") as response:
                return response.status == 200
        except aiohttp.ClientError:
            return False

    def _said(self) -> str:
        return (self.directory / "service.log").read_text(encoding="utf-8")[-2_000:]
