"""Every run leaves a record, whatever came of it, and nothing but a whole result is a success (FAULTS K1)."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.core.knowledge import Article
from bot.errors import BudgetReached, SourceRejected, SourceUnavailable, SyncBusy, SyncHeld
from bot.sync_ports import RunRecord
from kb_sync.sources.source import Delivery, LeftOut, Reading
from tests.kb_sync.folders import ListSource, an_article
from tests.kb_sync.sync_rig import FailingEmbedder, SyncRig, articles

LATER_MS = 10**15


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig(interval_s=900)


class EndlessSource(ListSource):
    """Never delivers; `asked` is set once it was asked to."""

    def __init__(self) -> None:
        super().__init__([])
        self.asked = asyncio.Event()

    async def read(self, progress: Reading) -> Delivery:
        self.asked.set()
        return await asyncio.Future()


def counts(run: RunRecord) -> tuple[int, ...]:
    return (run.seen, run.added, run.changed, run.unchanged, run.retired, run.withheld, run.skipped)


async def test_a_good_run_is_recorded_with_all_its_counts(rig):
    before = [*articles(4), an_article(8, body="## Only a heading")]
    await rig.sync(*before)

    await rig.sync(an_article(0), an_article(1, body="Another day."), an_article(9), before[-1])

    run = rig.run
    assert (run.outcome, run.exit_code, run.error, run.failed) == ("done", 0, "", 0)
    assert counts(run) == (4, 1, 1, 1, 2, 0, 1)
    assert run.embedded_passages == 2
    assert run.embedded_tokens > 10
    assert (run.generation, run.interval_s, run.source) == (rig.live, 900, "a list")
    assert run.ended_ms is not None


async def test_the_cost_of_a_run_is_what_the_embedder_counts(rig):
    await rig.sync(an_article(1))

    assert rig.run.embedded_tokens == sum(rig.embedder.count_tokens(text) for text in rig.embedder.embedded)


async def test_a_run_that_changes_nothing_is_a_good_one(rig):
    await rig.sync(*articles(3))

    await rig.sync(*articles(3))

    assert (rig.run.outcome, rig.run.exit_code, rig.run.unchanged) == ("done", 0, 3)
    assert (rig.run.embedded_passages, rig.run.generation) == (0, rig.live)


async def test_withheld_retirements_are_counted_and_no_success(rig):
    await rig.sync(*articles(40))

    await rig.sync(*articles(20))

    assert (rig.run.outcome, rig.run.exit_code, rig.run.withheld) == ("withheld", 1, 20)
    assert "--approve-retirements 20" in rig.run.error


@pytest.mark.parametrize(
    ("fails", "outcome"),
    [
        pytest.param(SourceRejected("a.md: is empty"), "failed", id="rejected"),
        pytest.param(SourceUnavailable("page 3 of 9: 503"), "failed", id="not fetched (R-K3)"),
        pytest.param(ZeroDivisionError("a defect"), "failed", id="a defect of ours"),
    ],
)
async def test_a_source_that_fails_is_recorded_with_why_and_changes_nothing(rig, fails, outcome):
    await rig.sync(*articles(3))
    before = rig.writer.generations()

    with pytest.raises(type(fails)):
        await rig.sync_from(ListSource([], fails=fails))

    assert (rig.run.outcome, rig.run.exit_code, rig.run.error) == (outcome, 1, str(fails))
    assert rig.writer.generations() == before
    assert rig.writer.lock() is None


async def test_a_run_that_fails_half_way_says_what_it_did_not_do_and_what_it_cost(rig):
    rig.use(FailingEmbedder(texts=20))

    assert "the model is gone" in str(await rig.refused(*articles(40)))

    assert (rig.run.outcome, rig.run.failed, rig.run.embedded_passages) == ("failed", 40, 16)
    assert rig.run.embedded_tokens > 16


async def test_a_second_run_is_busy_and_says_who_is_at_it(rig):
    """FAULTS K10."""
    rig.writer.take_lock("another machine (process 7)", now_ms=rig.clock.now_ms(), until_ms=LATER_MS)

    refusal = await rig.refused(*articles(3))

    assert isinstance(refusal, SyncBusy)
    assert "another machine (process 7)" in str(refusal)
    assert (rig.run.outcome, rig.run.exit_code, rig.run.error) == ("busy", 1, str(refusal))
    held = rig.writer.lock()
    assert held is not None
    assert held.holder == "another machine (process 7)"


async def test_a_run_that_is_stopped_says_so_and_lets_the_lock_go(rig):
    source = EndlessSource()
    running = asyncio.create_task(rig.sync_from(source))
    await source.asked.wait()
    assert rig.run.outcome == "running"

    running.cancel()
    await asyncio.wait({running})

    assert (rig.run.outcome, rig.run.exit_code, rig.run.error) == ("stopped", 1, "it was stopped")
    assert rig.writer.lock() is None


async def test_a_run_whose_process_died_is_closed_by_the_next_one(rig):
    rig.writer.record_run(RunRecord(id="dead", source="a list", started_ms=1))

    await rig.sync(*articles(3))

    (dead,) = [run for run in rig.writer.runs(limit=9) if run.id == "dead"]
    assert (dead.outcome, dead.exit_code) == ("failed", 1)
    assert "without saying why" in dead.error


async def test_a_budget_that_is_used_up_is_no_success_and_the_next_run_goes_on(rig):
    """FAULTS K11."""
    everything = sum(HashEmbedder().count_tokens(one) for one in await embedded_for(articles(40)))

    refusal = await rig.refused(*articles(40), tokens=everything // 2)

    assert isinstance(refusal, BudgetReached)
    assert "20 of 40 passages are embedded" in str(refusal)
    assert (rig.run.outcome, rig.run.exit_code, rig.run.embedded_passages) == ("failed", 1, 20)
    assert rig.run.embedded_tokens <= everything // 2

    report = await rig.sync(*articles(40), tokens=everything)
    assert (report.embedded_passages, len(report.added)) == (20, 40)


async def embedded_for(source: Sequence[Article]) -> list[str]:
    """Return the texts of passages that a first sync embeds."""
    other = SyncRig()
    await other.sync(*source)
    return other.embedder.embedded[: len(source)]


async def test_a_state_that_was_rolled_back_is_held_until_the_source_changes(rig):
    await rig.sync(*articles(3))
    await rig.sync(*articles(4))
    await rig.roll_back()

    refusal = await rig.refused(*articles(4))

    assert isinstance(refusal, SyncHeld)
    assert (rig.run.outcome, rig.run.exit_code, rig.run.failed) == ("held", 1, 1)
    assert len(await rig.searched()) == 3
    await rig.sync(*articles(5))
    assert (rig.run.outcome, len(await rig.searched())) == ("done", 5)


async def test_what_is_no_article_is_counted_as_skipped_with_its_reason(rig):
    class Site(ListSource):
        async def read(self, progress: Reading) -> Delivery:
            delivery = await super().read(progress)
            left_out = (LeftOut(origin="/contact", reason="it has no main text"),)
            return Delivery(articles=delivery.articles, left_out=left_out, remarks=("3 pages are new.",))

    report = await rig.sync_from(Site(articles(2)))

    assert [(one.origin, one.reason) for one in report.skipped] == [("/contact", "it has no main text")]
    assert (report.source_remarks, rig.run.skipped, rig.run.seen) == (("3 pages are new.",), 1, 3)
