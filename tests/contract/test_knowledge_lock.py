"""One sync at a time: a lease that another takes over when it has run out, and a token that fences the late one (FAULTS K10)."""

from collections.abc import Callable

import pytest

from bot.core.knowledge import ArticleId
from bot.errors import SyncBusy, SyncFenced
from bot.sync_ports import KnowledgeWriter, SyncLock
from tests.contract.knowledge_rig import IMPLEMENTATIONS, knowledge_rig, one_passage
from tests.knowledge_builders import a_check, a_run, an_article

KB1, KB2 = ArticleId("KB1"), ArticleId("KB2")
FENCED: dict[str, Callable[[KnowledgeWriter, int, str], object]] = {
    "renew_lock": lambda writer, token, build: writer.renew_lock(token, until_ms=9_999),
    "open_build": lambda writer, token, build: writer.open_build(token, "local/next", at_ms=9_000),
    "carry_over": lambda writer, token, build: writer.carry_over(token, build, [KB1]),
    "replace_article": lambda writer, token, build: writer.replace_article(
        token, build, an_article("KB3"), "d", [], at_ms=9_000
    ),
    "retire_articles": lambda writer, token, build: writer.retire_articles(token, build, [KB2]),
    "leave_out": lambda writer, token, build: writer.leave_out(token, build, [KB2]),
    "discard_build": lambda writer, token, build: writer.discard_build(token, build),
    "publish": lambda writer, token, build: writer.publish(token, build, a_run("late"), a_check()),
    "roll_back": lambda writer, token, build: writer.roll_back(token, a_run("late"), refused="x"),
}


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def test_a_second_sync_is_told_who_holds_the_lock_since_when_and_how_long(rig):
    rig.writer.take_lock("first", now_ms=1_000, until_ms=61_000)

    with pytest.raises(SyncBusy, match="first") as busy:
        rig.writer.take_lock("second", now_ms=60_999, until_ms=99_000)

    assert (busy.value.holder, busy.value.since_ms, busy.value.until_ms) == ("first", 1_000, 61_000)
    assert "until 00:02 UTC if it was killed" in str(busy.value)


def test_the_lock_is_taken_over_once_the_lease_has_run_out_and_the_token_grows(rig):
    first = rig.writer.take_lock("first", now_ms=1_000, until_ms=61_000)

    second = rig.writer.take_lock("second", now_ms=61_000, until_ms=99_000)

    assert second > first
    assert rig.writer.lock() == SyncLock(token=second, holder="second", taken_ms=61_000, until_ms=99_000)


def test_a_renewed_lease_runs_longer(rig):
    token = rig.writer.take_lock("first", now_ms=1_000, until_ms=61_000)

    rig.writer.renew_lock(token, until_ms=121_000)

    with pytest.raises(SyncBusy):
        rig.writer.take_lock("second", now_ms=100_000, until_ms=199_000)


def test_a_lease_that_ran_out_may_be_renewed_while_nobody_has_taken_the_lock(rig):
    token = rig.writer.take_lock("first", now_ms=1_000, until_ms=2_000)

    rig.writer.renew_lock(token, until_ms=9_000)

    assert rig.writer.lock().until_ms == 9_000


def test_a_released_lock_is_free_at_once_and_its_token_is_over(rig):
    token = rig.writer.take_lock("first", now_ms=1_000, until_ms=61_000)

    rig.writer.release_lock(token)

    assert rig.writer.lock() is None
    with pytest.raises(SyncFenced):
        rig.writer.open_build(token, "local/test", at_ms=1)
    assert rig.writer.take_lock("second", now_ms=1_001, until_ms=61_000) > token


def test_releasing_a_lock_that_is_anothers_by_now_leaves_it_alone(rig):
    first = rig.writer.take_lock("first", now_ms=1_000, until_ms=2_000)
    second = rig.writer.take_lock("second", now_ms=2_000, until_ms=9_000)

    rig.writer.release_lock(first)

    assert rig.writer.lock().token == second


@pytest.mark.parametrize("method", FENCED)
async def test_a_late_writer_is_refused_whatever_it_writes(rig, method):
    """FAULTS R-K4: stopped past its lease, while another run took the lock."""
    rig.publish(an_article("KB1"))
    rig.publish(an_article("KB1"), an_article("KB2"))
    late, build = rig.token(), rig.begin(one_passage(an_article("KB2")))
    rig.token()
    before = (rig.writer.generations(), rig.writer.article_digests(build), rig.writer.lock())

    with pytest.raises(SyncFenced):
        FENCED[method](rig.writer, late, build)

    assert (rig.writer.generations(), rig.writer.article_digests(build), rig.writer.lock()) == before
    assert await rig.found_ids() == ["KB1#0", "KB2#0"]
    assert "late" not in {run.id for run in rig.writer.runs(limit=9)}


def test_a_late_writer_may_still_say_how_its_run_ended(rig):
    rig.token()

    rig.writer.record_run(a_run("late", outcome="failed", error="another sync took over"))

    assert [run.id for run in rig.writer.runs(limit=9)] == ["late"]
