"""A sync embeds only what changed, keeps what it has when the source fails, and records every run."""

from dataclasses import replace

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter, MemoryPassageIndex
from bot.core.gate import blend_of
from bot.core.knowledge import Article, ArticleStatus, Calibration, IndexState
from bot.core.policy import RetrievalPolicy
from bot.errors import RetrievalUnavailable, SourceRejected
from kb_sync.job import KnowledgeSync, NoProgress
from kb_sync.report import SyncReport
from tests.kb_sync.folders import ListSource, an_article


class FailingEmbedder(HashEmbedder):
    """Fails after so many texts."""

    def __init__(self, texts: int) -> None:
        super().__init__()
        self.left = texts

    def _embed(self, texts):
        self.left -= len(texts)
        if self.left < 0:
            raise RetrievalUnavailable("the model is gone")
        return super()._embed(texts)


class Rig:
    """The knowledge base in memory and what syncs into it."""

    def __init__(self) -> None:
        self.writer = MemoryKnowledgeWriter()
        self.clock = ManualClock()
        self.use(HashEmbedder())

    def use(self, embedder: HashEmbedder) -> None:
        self.embedder = embedder
        self.index = MemoryPassageIndex(self.writer, fingerprint=str(embedder.fingerprint))
        self.job = KnowledgeSync(embedder=embedder, index=self.index, writer=self.writer, clock=self.clock)

    async def sync(self, *articles: Article, approved: int = 0) -> SyncReport:
        return await self.job.run(ListSource(list(articles)), approved=approved, progress=NoProgress())

    @property
    def last_run(self):
        return list(self.writer.runs.values())[-1]


@pytest.fixture
def rig() -> Rig:
    return Rig()


def articles(count: int) -> list[Article]:
    return [an_article(number) for number in range(count)]


async def test_a_first_sync_makes_the_articles_searchable(rig):
    report = await rig.sync(*articles(3))

    assert (report.seen, len(report.added), report.passages, report.embedded_passages) == (3, 3, 3, 3)
    assert (await rig.index.status()).state is IndexState.READY


async def test_an_unchanged_source_embeds_nothing(rig):
    await rig.sync(*articles(3))

    report = await rig.sync(*articles(3))

    assert (report.unchanged, report.added, report.embedded_passages) == (3, (), 0)
    assert len(rig.embedder.embedded) == 3


async def test_only_a_changed_passage_is_embedded(rig):
    body = "## One\n\n{}\n\n## Two\n\n{}"
    long = "Open the calendar and choose another day for the lesson. " * 5
    await rig.sync(an_article(body=body.format(long, long)))

    report = await rig.sync(an_article(body=body.format(long, long + "New.")))

    assert report.changed == ("KB1",)
    assert (report.passages, report.embedded_passages) == (2, 1)


async def test_a_change_of_metadata_is_stored_without_embedding(rig):
    await rig.sync(an_article())

    report = await rig.sync(an_article(url="https://help.example/1"))

    assert report.changed == ("KB1",)
    assert report.embedded_passages == 0


async def test_the_same_text_in_two_articles_is_embedded_once(rig):
    report = await rig.sync(an_article(1, title="A", body="Same."), an_article(2, title="A", body="Same."))

    assert (report.passages, report.embedded_passages) == (2, 1)


async def test_a_vanished_article_is_retired(rig):
    await rig.sync(*articles(3))

    report = await rig.sync(*articles(2))

    assert report.retired == ("KB2",)
    assert (await rig.index.status()).articles == 2


async def test_an_article_that_comes_back_is_added_again_from_known_vectors(rig):
    await rig.sync(*articles(3))
    await rig.sync(*articles(2))

    report = await rig.sync(*articles(3))

    assert report.added == ("KB2",)
    assert report.embedded_passages == 0


async def test_when_many_vanish_they_stay_and_additions_are_applied(rig):
    await rig.sync(*articles(40))

    report = await rig.sync(*articles(20), an_article(99))

    assert (len(report.withheld), report.retired, report.added) == (20, (), ("KB99",))
    assert (await rig.index.status()).articles == 41
    assert "--approve-retirements 20" in rig.last_run.error


async def test_an_approved_number_of_articles_is_retired(rig):
    await rig.sync(*articles(40))

    report = await rig.sync(*articles(20), approved=20)

    assert (len(report.retired), report.withheld) == (20, ())


async def test_what_the_source_retires_is_retired_once(rig):
    await rig.sync(*articles(2))
    retired = replace(an_article(1), status=ArticleStatus.RETIRED)

    first = await rig.sync(an_article(0), retired)
    second = await rig.sync(an_article(0), retired)

    assert (first.retired, second.retired) == (("KB1",), ())


async def test_an_article_without_text_is_skipped_by_name(rig):
    report = await rig.sync(an_article(1), an_article(2, body="## Only a heading"))

    (skipped,) = report.skipped
    assert (skipped.id, skipped.origin) == ("KB2", "KB2.md")
    assert report.added == ("KB1",)


async def test_articles_that_customers_cannot_find_are_reported_on_every_run_and_before_it(rig):
    source = (
        an_article(1, status=ArticleStatus.DRAFT),
        an_article(2),
        an_article(3, supersedes=("KB2",)),
        an_article(4, status=ArticleStatus.RETIRED),
        an_article(5, status=ArticleStatus.DRAFT, body=""),
    )

    reports = (
        await rig.job.preview(ListSource(list(source))),
        await rig.sync(*source),
        await rig.sync(*source),
    )

    for report in reports:
        assert [(one.id, one.title, one.status) for one in report.kept_out] == [
            ("KB1", "Article 1", ArticleStatus.DRAFT),
            ("KB2", "Article 2", ArticleStatus.SUPERSEDED),
            ("KB4", "Article 4", ArticleStatus.RETIRED),
        ]
        assert [one.id for one in report.skipped] == ["KB5"]


async def test_a_source_without_any_text_changes_nothing(rig):
    await rig.sync(*articles(3))

    with pytest.raises(SourceRejected, match="no article in it has any text"):
        await rig.sync(an_article(1, body=""))

    assert (await rig.index.status()).articles == 3


async def test_a_rejected_source_is_recorded_and_changes_nothing(rig):
    await rig.sync(*articles(3))

    with pytest.raises(SourceRejected):
        await rig.job.run(ListSource([], fails=SourceRejected("a.md: is empty")), progress=NoProgress())

    assert (rig.last_run.outcome, rig.last_run.error) == ("failed", "a.md: is empty")
    assert (await rig.index.status()).articles == 3


async def test_a_good_run_is_recorded_with_its_counts(rig):
    await rig.sync(*articles(3))

    run = rig.last_run
    assert (run.outcome, run.error, run.seen, run.added, run.embedded_passages) == ("done", "", 3, 3, 3)
    assert run.ended_ms is not None


async def test_after_a_failure_half_way_nothing_is_embedded_twice(rig):
    rig.use(FailingEmbedder(texts=5))
    with pytest.raises(RetrievalUnavailable):
        await rig.sync(*articles(8))
    assert (await rig.index.status()).state is IndexState.BUILDING
    assert rig.last_run.outcome == "failed"
    rig.use(HashEmbedder())

    report = await rig.sync(*articles(8))

    assert (report.unchanged, report.embedded_passages) == (5, 3)
    assert (await rig.index.status()).articles == 8


async def test_another_model_embeds_everything_anew_beside_what_is_searched(rig):
    await rig.sync(*articles(3))
    rig.use(HashEmbedder(dimension=64))
    assert (await rig.index.status()).state is IndexState.MISMATCHED

    report = await rig.sync(*articles(3))

    assert report.embedded_passages == 3
    assert (await rig.index.status()).state is IndexState.READY


async def test_another_model_and_a_shrunk_source_keep_the_old_generation(rig):
    await rig.sync(*articles(40))
    rig.use(HashEmbedder(dimension=64))

    with pytest.raises(SourceRejected, match=r"20 articles vanished .* --approve-retirements 20"):
        await rig.sync(*articles(20))

    assert rig.embedder.embedded == []
    assert len((await rig.sync(*articles(20), approved=20)).added) == 20


async def test_a_preview_counts_what_a_run_would_do_and_writes_nothing(rig):
    await rig.sync(*articles(3))
    runs = dict(rig.writer.runs)
    source = ListSource([*articles(2), an_article(9)])

    report = await rig.job.preview(source)

    assert (report.added, report.retired, report.unchanged) == (("KB9",), ("KB2",), 2)
    assert (report.embedded_passages, report.is_dry_run) == (1, True)
    assert rig.writer.runs == runs
    assert (await rig.index.status()).articles == 3


async def test_a_preview_for_another_model_counts_everything_as_new(rig):
    await rig.sync(*articles(3))
    rig.use(HashEmbedder(dimension=64))

    report = await rig.job.preview(ListSource(articles(3)))

    assert (len(report.added), report.embedded_passages) == (3, 3)
    assert len(rig.writer.generations) == 1


async def test_a_shipped_calibration_is_stored_unless_one_was_measured_here(rig):
    shipped = a_calibration(rig, strict=0.4)

    measured_here = replace(shipped, strict=0.5, data="our own questions", measured_ms=1)

    rig.writer.store_calibration(measured_here)
    await rig.job.ship_calibration(replace(shipped, measured_ms=2))
    await rig.job.ship_calibration(None)

    assert (await rig.index.status()).calibration == measured_here


async def test_a_newer_shipped_calibration_replaces_an_older_one_that_was_shipped(rig):
    """Else an installation that is brought up to date would keep a gate for the score of an older version."""
    older = a_calibration(rig, strict=0.4)
    newer = replace(older, strict=0.6, measured_ms=older.measured_ms + 1)

    for shipped in (older, newer, older):
        await rig.job.ship_calibration(shipped)

    assert (await rig.index.status()).calibration == newer


def a_calibration(rig: Rig, *, strict: float) -> Calibration:
    return Calibration(
        fingerprint=str(rig.embedder.fingerprint),
        strict=strict,
        permissive=0.3,
        lowest=0.1,
        highest=0.9,
        blend=blend_of(RetrievalPolicy()),
        answerable=10,
        unanswerable=10,
        answerable_passed=0.9,
        near_topic_passed=0.1,
        off_topic_passed=0.0,
    )
