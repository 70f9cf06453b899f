"""`python -m kb_sync --every` as a platform runs it: SIGTERM ends it at once, and leaves neither a lock nor half a change."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.sync_ports import GenerationState, RunRecord
from tests.kb_sync.folders import write_article
from tests.rules.tree import ROOT
from tests.waiting import wait_until

STARTS_WITHIN_S = 60.0
ENDS_WITHIN_S = 25.0  # a platform kills after thirty

pytestmark = pytest.mark.timeout(180)


class Installation:
    """A folder of articles and a data directory."""

    def __init__(self, folder: Path) -> None:
        self.articles = folder / "articles"
        self.database = folder / "data" / "candor.db"

    def write(self, count: int) -> None:
        for number in range(count):
            body = f"Lesson {number} may be moved to day {number}."
            write_article(self.articles, f"{number}.md", f"id: {number}\ntitle: Lesson {number}", body)

    @asynccontextmanager
    async def syncing(self, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
        command = [sys.executable, "-m", "kb_sync", str(self.articles), *arguments]
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    def run(self) -> RunRecord | None:
        """Return the record of the last run, once there is one."""
        if not self.database.exists():
            return None
        with closing(SqliteDatabase.open(self.database)) as database:
            return next(iter(SqliteKnowledgeWriter(database).runs(limit=1)), None)

    async def reaches(self, outcome: str) -> RunRecord:
        def record() -> RunRecord | None:
            run = self.run()
            return run if run is not None and run.outcome == outcome else None

        return await wait_until(record, deadline_s=STARTS_WITHIN_S, every_s=0.05)

    def states(self) -> list[str]:
        """Return the states of the generations, the lock's after them when somebody holds it."""
        with closing(SqliteDatabase.open(self.database)) as database:
            writer = SqliteKnowledgeWriter(database)
            held = ["locked"] if writer.lock() is not None else []
            return [*(one.state for one in writer.generations()), *held]


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.setenv("CANDOR_DATA_DIR", str(tmp_path / "data"))
    return Installation(tmp_path)


async def ended(process: asyncio.subprocess.Process) -> int:
    process.send_signal(signal.SIGTERM)
    return await asyncio.wait_for(process.wait(), ENDS_WITHIN_S)


async def test_a_worker_that_waits_for_its_next_run_ends_at_once(installation):
    installation.write(3)
    async with installation.syncing("--every", "1h") as process:
        run = await installation.reaches("done")

        assert await ended(process) == 0

    assert (run.interval_s, installation.states()) == (3_600, [GenerationState.LIVE])


async def test_a_worker_in_the_middle_of_a_run_records_that_it_was_stopped(installation):
    installation.write(500)
    async with installation.syncing("--every", "1h") as process:
        await installation.reaches("running")

        assert await ended(process) == 0

    run = await installation.reaches("stopped")
    assert (run.exit_code, run.error) == (1, "it was stopped")
    assert set(installation.states()) <= {GenerationState.BUILDING}


async def test_a_single_run_that_is_told_to_end_says_what_became_of_it(installation):
    installation.write(500)
    async with installation.syncing() as process:
        await installation.reaches("running")

        assert await ended(process) == 1

        assert process.stderr is not None
        assert b"stopped; nothing was changed" in await process.stderr.read()
