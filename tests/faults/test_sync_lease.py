"""A run that was stopped past its lease comes back too late: it writes nothing more, and its record says so (FAULTS K10, R-K4)."""

import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.faults.moments import Moment
from tests.faults.sync_library import Library, edition, texts
from tests.waiting import wait_until

OLD, NEW = edition(1, changing=20), edition(2, changing=20)
NEWEST = edition(3, changing=20)
SHORT_S = 0.3

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    library = Library(folder=tmp_path)
    assert await library.sync(OLD) == 0
    yield library
    library.close()


async def lease_is_over(library: Library) -> None:
    lock = library.lock()
    assert lock is not None
    await wait_until(lambda: time.time() * 1000 > lock.until_ms, deadline_s=10)


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(Moment(name="before open_build"), id="before it began to build"),
        pytest.param(Moment(name="before replace_article", nth=10), id="while it wrote"),
        pytest.param(Moment(name="before publish"), id="when it would have put it to use"),
    ],
)
async def test_a_run_that_comes_back_after_another_took_over_is_refused(library, moment):
    late = library.start(NEW, holder="late", lease_s=SHORT_S, waits_at=moment)
    await late.waits()
    late.signal(signal.SIGSTOP)
    await lease_is_over(library)

    assert await library.sync(NEWEST, holder="next") == 0
    late.signal(signal.SIGCONT)
    late.let_go()

    assert await late.exit_code() == 1
    assert await library.seen() == texts(NEWEST)
    newest, refused, _ = library.runs()
    assert (newest.outcome, newest.exit_code) == ("done", 0)
    assert (refused.outcome, refused.exit_code) == ("failed", 1)
    assert "another sync has taken the lock since" in refused.error
    assert library.lock() is None


async def test_a_run_that_was_stopped_within_its_lease_goes_on(library):
    run = library.start(NEW, waits_at=Moment(name="before publish"))
    await run.waits()
    run.signal(signal.SIGSTOP)
    assert await library.seen() == texts(OLD)

    run.signal(signal.SIGCONT)
    run.let_go()

    assert await run.exit_code() == 0
    assert await library.seen() == texts(NEW)


async def test_a_second_run_beside_a_living_one_is_busy_and_changes_nothing(library):
    first = library.start(NEW, holder="the first", waits_at=Moment(name="before publish"))
    await first.waits()

    assert await library.sync(NEWEST, holder="the second") == 1

    busy = library.runs()[0]
    assert (busy.outcome, busy.exit_code) == ("busy", 1)
    assert "the first" in busy.error
    first.let_go()
    assert await first.exit_code() == 0
    assert await library.seen() == texts(NEW)


async def test_another_model_is_searched_only_once_all_of_it_is_there(library):
    """FAULTS K7, R-K6."""
    assert not await library.is_searched(chunker="next")
    run = library.start(OLD, chunker="next", waits_at=Moment(name="before publish"))
    await run.waits()
    assert (await library.seen(), await library.is_searched(chunker="next")) == (texts(OLD), False)

    run.let_go()

    assert await run.exit_code() == 0
    assert await library.seen(chunker="next") == texts(OLD)
    assert not await library.is_searched(chunker="test")
