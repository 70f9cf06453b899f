"""Candor as `make run` starts it: the sample articles synced, then the service, each in a process of its own."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
ARTICLES = ROOT / "kb_sync" / "sample" / "articles"
START_S = 60.0  # a busy machine is not a failure
_ADDRESS = re.compile(r'"address": "(http://127\.0\.0\.1:\d+)"')


async def sync_sample(folder: Path) -> None:
    """Bring the sample articles into the knowledge base in *folder*."""
    process = await _started(folder, "kb_sync", str(ARTICLES))
    assert await process.wait() == 0, _output(folder, "kb_sync")


@asynccontextmanager
async def served(folder: Path, *options: str, **settings: str) -> AsyncIterator[str]:
    """Run the service on what *folder* holds, and yield its address once it answers."""
    process = await _started(folder, "bot", "serve", "--port", "0", *options, **settings)

    def look() -> str | None:
        assert process.returncode is None, _output(folder, "bot")
        address = _ADDRESS.search(_output(folder, "bot"))
        return address[1] if address else None

    try:
        yield await wait_until(look, deadline_s=START_S)
    finally:
        if process.returncode is None:
            process.terminate()
        assert await process.wait() == 0, _output(folder, "bot")


async def _started(
    folder: Path, package: str, *arguments: str, **settings: str
) -> asyncio.subprocess.Process:
    """Start one of the project's programs away from any `.env`, with nothing set but its data directory and *settings*."""
    with (folder / f"{package}.out").open("wb") as out:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            package,
            *arguments,
            cwd=folder,
            env={"PYTHONPATH": str(ROOT), "CANDOR_DATA_DIR": str(folder), **settings},
            stdout=out,
            stderr=asyncio.subprocess.STDOUT,
        )


def _output(folder: Path, package: str) -> str:
    return (folder / f"{package}.out").read_text(encoding="utf-8")
