"""Kill -9 at each named point of a sync, and a restart (FAULTS K6, K10, K11, R-K4).

Whoever searches meanwhile and afterwards sees the old edition or the new one, never a mix. The next run takes the dead one's lock
over, ends what it began, and embeds nothing again but the batch that was under way.
"""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.moments import Moment
from tests.faults.sync_library import Library, edition, texts

KILLED = -9
CHANGING = 40
OLD, NEW = edition(1, changing=CHANGING), edition(2, changing=CHANGING)
WRITTEN = CHANGING + 5  # articles that differ in the new edition, one passage each
BATCH = 16
BRIEFLY_S = 0.001  # a lease that has run out when the next process comes


def around(call: str, *, nth: int = 1) -> list[Moment]:
    return [Moment(name=f"{side} {call}", nth=nth) for side in ("before", "after")]


def inside(call: str, *statements: str, nth: int = 1) -> list[Moment]:
    return [Moment(name=f"{call}: {statement}", nth=nth) for statement in statements]


BEFORE_IT_IS_REMEMBERED = [
    Moment(name="after embed_passages", nth=2),
    *inside("remember_vectors", "INSERT", "COMMIT", nth=2),
]
MOMENTS = [
    *around("take_lock"),
    *inside("record_run", "COMMIT"),
    *around("open_build"),
    *BEFORE_IT_IS_REMEMBERED,
    Moment(name="after remember_vectors", nth=3),
    *around("carry_over"),
    *inside("replace_article", "INSERT OR REPLACE INTO members", "COMMIT", nth=WRITTEN // 2),
    Moment(name="after replace_article", nth=WRITTEN),
    *around("retire_articles"),
    *around("nearest"),
    *inside("publish", "BEGIN", "UPDATE generations", "DELETE", "COMMIT"),
    *around("publish"),
    *around("release_lock"),
]


@pytest.fixture(scope="module")
def old_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The old edition, synced."""
    library = Library(folder=tmp_path_factory.mktemp("library"))
    assert asyncio.run(library.sync(OLD)) == 0
    (library.folder / "embedded").unlink()
    return library.folder


@pytest.fixture
def library(old_library: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copytree(old_library, tmp_path / "library", ignore=shutil.ignore_patterns("go", "waiting"))
    library = Library(folder=tmp_path / "library")
    yield library
    library.close()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_a_sync_that_is_killed_leaves_the_old_edition_or_the_new_one(library, moment):
    killed = library.start(NEW, dies_at=moment, lease_s=BRIEFLY_S)
    seen = await library.seen_while(killed)
    assert await killed.exit_code() == KILLED, "the moment never came"
    assert [one for one in seen if one not in (texts(OLD), texts(NEW))] == []

    assert await library.sync(NEW) == 0

    assert await library.seen() == texts(NEW)
    embedded = library.embedded()
    assert len(set(embedded)) == WRITTEN
    assert len(embedded) - WRITTEN <= (BATCH if moment in BEFORE_IT_IS_REMEMBERED else 0)
    assert {run.outcome for run in library.runs()} <= {"done", "failed"}
    assert library.lock() is None
