"""The command line on the synced sample, on nothing at all, and on articles that were never calibrated."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from tests.kb_sync.folders import write_article
from tests.synced_sample import sync
from tests.terminal.command_line import CommandLine


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run away from a developer's .env, and leave the suite's logging as it was."""
    monkeypatch.chdir(tmp_path)
    yield
    structlog.reset_defaults()


@pytest.fixture
def sample(synced_sample: Path) -> CommandLine:
    return CommandLine(synced_sample)


@pytest.fixture
def empty(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path / "empty")


@pytest.fixture(scope="session")
def _uncalibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uncalibrated")
    write_article(folder / "articles", "a.md", "id: KB1\ntitle: How to Reschedule a Lesson")
    asyncio.run(sync(folder / "articles", folder / "data", with_calibration=False))
    return folder / "data"


@pytest.fixture
def uncalibrated(_uncalibrated: Path) -> CommandLine:
    return CommandLine(_uncalibrated)


@pytest.fixture
def uncalibrated_copy(_uncalibrated: Path, tmp_path: Path) -> CommandLine:
    """Return the same, to be written to."""
    return CommandLine(Path(shutil.copytree(_uncalibrated, tmp_path / "copy")))
