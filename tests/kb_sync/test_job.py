"""A sync embeds only what changed, and puts it to use in one step."""

from dataclasses import replace

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.core.gate import blend_of
from bot.core.knowledge import ArticleStatus, Calibration, IndexState
from bot.core.policy import RetrievalPolicy
from bot.errors import RetrievalUnavailable
from kb_sync.embedding import batch_size
from kb_sync.progress import Stage
from tests.kb_sync.folders import ListSource, an_article
from tests.kb_sync.sync_rig import FailingEmbedder, SyncRig, articles


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig()


async def test_a_first_sync_makes_the_articles_searchable(rig):
    report = await rig.sync(*articles(3))

    assert (report.seen, len(report.added), report.passages, report.embedded_passages) == (3, 3, 3, 3)
    assert (await rig.index.status()).state is IndexState.READY


async def test_an_unchanged_source_embeds_nothing_and_builds_nothing(rig):
    first = await rig.sync(*articles(3))
    embedded = len(rig.embedder.embedded)

    report = await rig.sync(*articles(3))

    assert (report.unchanged, report.added, report.embedded_passages) == (3, (), 0)
    assert len(rig.embedder.embedded) == embedded
    assert (report.generation, report.previous, len(rig.writer.generations())) == (first.generation, "", 1)


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


async def test_the_same_text_in_two_articles_is_embedded_once_and_found_as_both(rig):
    """FAULTS K9."""
    same = {"title": "A", "body": "Open the calendar."}

    report = await rig.sync(an_article(1, **same), an_article(2, **same))

    assert (report.passages, report.embedded_passages) == (2, 1)
    assert await rig.searched() == {"KB1": "Open the calendar.", "KB2": "Open the calendar."}


async def test_a_vanished_article_is_retired_and_kept(rig):
    await rig.sync(*articles(3))

    report = await rig.sync(*articles(2))

    assert report.retired == ("KB2",)
    assert (await rig.index.status()).articles == 2
    assert "KB2" not in await rig.searched()
    assert rig.writer.retired_articles(rig.live) == {"KB2"}


async def test_a_retired_article_stays_retired_through_later_changes(rig):
    await rig.sync(*articles(3))
    await rig.sync(*articles(2))

    await rig.sync(*articles(2), an_article(9))

    assert rig.writer.retired_articles(rig.live) == {"KB2"}
    assert sorted(await rig.searched()) == ["KB0", "KB1", "KB9"]


async def test_an_article_that_comes_back_is_added_again_from_known_vectors(rig):
    await rig.sync(*articles(3))
    await rig.sync(*articles(2))

    report = await rig.sync(*articles(3))

    assert report.added == ("KB2",)
    assert report.embedded_passages == 0
    assert rig.writer.retired_articles(rig.live) == frozenset()


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


async def test_a_knowledge_base_of_drafts_alone_is_put_to_use_as_well(rig):
    report = await rig.sync(*articles(3, status=ArticleStatus.DRAFT))

    assert (len(report.added), report.questions) == (3, None)
    assert (await rig.index.status()).state is IndexState.EMPTY


async def test_after_a_failure_half_way_nothing_is_embedded_twice(rig):
    """FAULTS K11."""
    rig.use(FailingEmbedder(texts=40))
    with pytest.raises(RetrievalUnavailable):
        await rig.sync(*articles(80))
    assert (await rig.index.status()).state is IndexState.BUILDING
    rig.use(HashEmbedder())

    report = await rig.sync(*articles(80))

    assert (len(report.added), report.embedded_passages) == (80, 80 - 32)
    assert (await rig.index.status()).articles == 80


async def test_what_an_interrupted_run_left_in_its_build_is_not_taken_for_the_source(rig):
    """The source went on: an article was edited again, one is back as it was, and one was withdrawn."""
    await rig.sync(*articles(3))
    token = rig.writer.take_lock("a run that dies", now_ms=rig.clock.now_ms(), until_ms=0)
    build = rig.writer.open_build(token, str(rig.embedder.fingerprint), at_ms=rig.clock.now_ms())
    rig.writer.carry_over(token, build, ["KB0", "KB1", "KB2"])
    rig.writer.retire_articles(token, build, ["KB1", "KB2"])

    await rig.sync(an_article(0, body="Choose another day in the calendar."), an_article(1))

    assert rig.live == build
    assert await rig.searched() == {
        "KB0": "Choose another day in the calendar.",
        "KB1": "Open the calendar and choose day 1.",
    }


async def test_a_half_built_generation_goes_when_the_source_is_as_it_was_again(rig):
    await rig.sync(*articles(3))
    await rig.refused(*articles(40), tokens=1)
    assert len(rig.writer.generations()) == 2

    await rig.sync(*articles(3))

    assert [one.id for one in rig.writer.generations()] == [rig.live]


def test_a_batch_is_a_small_part_of_the_work_but_not_too_small():
    """FAULTS K11: a crash costs one batch."""
    assert [batch_size(passages) for passages in (1, 400, 1_200, 100_000)] == [16, 16, 30, 128]


async def test_a_preview_counts_what_a_run_would_do_and_writes_nothing(rig):
    await rig.sync(*articles(3))
    before = (rig.writer.runs(limit=9), rig.writer.generations())

    report = await rig.job.preview(ListSource([*articles(2), an_article(9)]))

    assert (report.added, report.retired, report.unchanged) == (("KB9",), ("KB2",), 2)
    assert (report.embedded_passages, report.embedded_tokens > 5, report.is_dry_run) == (1, True, True)
    assert (rig.writer.runs(limit=9), rig.writer.generations()) == before


class Watcher:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int | None, int]] = []

    def begin(self, stage, total=None):
        self.told.append((stage, total, 0))

    def advance(self, count):
        stage, total, done = self.told[-1]
        self.told[-1] = (stage, total, done + count)

    def read(self, pieces):
        self.advance(pieces)


async def test_whoever_watches_sees_each_stage_come_to_its_end(rig):
    watcher = Watcher()

    await rig.sync_from(ListSource(articles(40)), progress=watcher)

    assert watcher.told == [
        (Stage.READING, None, 40),
        (Stage.CUTTING, 40, 40),
        (Stage.EMBEDDING, 40, 40),
        (Stage.WRITING, 40, 40),
        (Stage.CHECKING, None, 0),
    ]


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


def a_calibration(rig: SyncRig, *, strict: float) -> Calibration:
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
