"""What a source must never do to the articles that customers are answered from (FAULTS K4, K5, K7; R-K1, R-K2, R-K3, R-K6, R-K8)."""

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.core.knowledge import Article, IndexState
from bot.errors import IndexNotReady, RetrievalUnavailable, SourceRejected, SourceUnavailable
from kb_sync.sources.export import ArticleExport
from tests.kb_sync.folders import ListSource, an_article
from tests.kb_sync.sync_rig import FailingEmbedder, SyncRig, articles

LIMIT = 800  # characters of a passage
WHOLE_LIMIT = 1_200  # of one that is a table or code


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig()


async def assert_as_before(rig: SyncRig, before: dict[str, str]) -> None:
    assert await rig.searched() == before
    assert len(rig.writer.generations()) == 1
    assert (rig.run.outcome, rig.run.exit_code) == ("failed", 1)


@pytest.mark.parametrize(
    "fails",
    [
        pytest.param(SourceRejected("export.jsonl: is empty"), id="R-K1: it cannot be trusted"),
        pytest.param(SourceUnavailable("page 3 of 9 answers 503"), id="R-K3: a page could not be fetched"),
    ],
)
async def test_a_source_that_is_not_whole_changes_nothing(rig, fails):
    await rig.sync(*articles(500))
    before = await rig.searched()

    with pytest.raises(type(fails)):
        await rig.sync_from(ListSource([], fails=fails))

    await assert_as_before(rig, before)


LINES = "".join(f'{{"id": "KB{n}", "title": "Article {n}", "body": "Choose day {n}."}}\n' for n in range(60))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.jsonl", b"", id="0 bytes"),
        pytest.param("a.json", b"[]", id="no records"),
        pytest.param("a.jsonl", b"\n\n", id="blank lines"),
        pytest.param("a.jsonl", b"<!doctype html><title>Sign in</title>", id="HTML login page"),
        pytest.param("a.json", b'[{"id": "KB0", "title": "A", "body": "B"}, {"id"', id="truncated JSON"),
        pytest.param("a.jsonl", LINES[:-20].encode(), id="truncated lines"),
        pytest.param("a.jsonl", LINES.encode("utf-16"), id="wrong encoding"),
        pytest.param("a.jsonl", (LINES + LINES.splitlines()[7]).encode(), id="duplicate id"),
        pytest.param("a.csv", b"PK\x03\x04\x14\x00\x00\x00", id="ZIP"),
        pytest.param("a.md.zip", b"PK\x03\x04\x14\x00\x00\x00", id="truncated ZIP"),
    ],
)
async def test_an_export_that_cannot_be_trusted_changes_nothing(rig, tmp_path, name, content):
    """FAULTS K4, K9, R-K1."""
    good, bad = tmp_path / "good.jsonl", tmp_path / name
    good.write_text(LINES)
    bad.write_bytes(content)
    await rig.sync_from(ArticleExport(good))
    before = await rig.searched()
    assert len(before) == 60

    with pytest.raises(SourceRejected):
        await rig.sync_from(ArticleExport(bad))

    await assert_as_before(rig, before)


async def test_a_source_without_any_text_changes_nothing(rig):
    """FAULTS K4, R-K1."""
    await rig.sync(*articles(3))
    before = await rig.searched()

    for source in ([], [an_article(1, body="")], [an_article(1, body="![](x.png)")]):
        assert "no article in it has any text" in str(await rig.refused(*source))

    await assert_as_before(rig, before)


async def test_one_article_of_five_hundred_retires_none_of_the_others(rig):
    """FAULTS K5, R-K1."""
    await rig.sync(*articles(500))

    report = await rig.sync(*articles(1))

    assert (len(report.withheld), report.retired, report.outcome.exit_code) == (499, (), 1)
    assert len(await rig.searched()) == 500


async def test_when_eleven_percent_vanish_they_stay_and_everything_else_is_applied(rig):
    """FAULTS K5, R-K2."""
    await rig.sync(*articles(100))

    report = await rig.sync(an_article(0, body="Another day."), *articles(88, start=1), an_article(200))

    assert (len(report.withheld), report.retired, report.outcome.exit_code) == (11, (), 1)
    found = await rig.searched()
    assert (len(found), found["KB0"], "KB200" in found) == (101, "Another day.", True)
    assert "--approve-retirements 11" in rig.run.error


async def test_withheld_articles_stay_withheld_until_somebody_approves_so_many(rig):
    await rig.sync(*articles(100))
    await rig.sync(*articles(80))

    too_few = await rig.sync(*articles(80), retirements=19)
    approved = await rig.sync(*articles(80), retirements=20)

    assert (len(too_few.withheld), too_few.generation == too_few.previous) == (20, False)
    assert (len(approved.retired), approved.withheld, rig.run.outcome) == (20, (), "done")
    assert len(await rig.searched()) == 80


async def test_ten_articles_or_a_tenth_are_retired_without_asking(rig):
    await rig.sync(*articles(100))

    assert len((await rig.sync(*articles(90))).retired) == 10


async def test_another_model_is_not_searched_until_everything_is_embedded_with_it(rig):
    """FAULTS K7, R-K6: the model was changed in the configuration only."""
    await rig.sync(*articles(3))
    before = rig.live

    rig.use(HashEmbedder(dimension=64))

    status = await rig.index.status()
    assert (status.state, status.generation) == (IndexState.MISMATCHED, before)
    with pytest.raises(IndexNotReady, match="run python -m kb_sync"):
        await rig.searched()


async def test_another_model_builds_aside_and_both_are_kept(rig):
    """FAULTS K6, K7."""
    first = await rig.sync(*articles(3))
    rig.use(HashEmbedder(dimension=64))

    report = await rig.sync(*articles(3))

    assert (report.is_anew, report.unchanged, report.embedded_passages) == (True, 3, 3)
    assert (report.previous, (await rig.index.status()).state) == (first.generation, IndexState.READY)
    assert {one.fingerprint for one in rig.writer.generations()} == {report.fingerprint, first.fingerprint}


async def test_while_another_model_is_half_way_the_old_one_is_searched_as_ever(rig):
    await rig.sync(*articles(40))
    old, before = rig.index, await rig.searched()
    rig.use(FailingEmbedder(texts=20))
    rig.embedder._fingerprint = HashEmbedder(chunker="next").fingerprint
    rig.use(rig.embedder)

    with pytest.raises(RetrievalUnavailable):
        await rig.sync(*articles(40))

    rig.index = old
    assert await rig.searched() == before


async def test_articles_retired_earlier_stay_kept_under_another_model(rig):
    await rig.sync(*articles(3))
    await rig.sync(*articles(2))
    rig.use(HashEmbedder(dimension=64))

    await rig.sync(*articles(2))

    assert rig.writer.retired_articles(rig.live) == {"KB2"}


async def test_another_model_and_a_shrunk_source_keep_the_old_generation(rig):
    await rig.sync(*articles(40))
    rig.use(HashEmbedder(dimension=64))

    refusal = await rig.refused(*articles(20))

    assert "--approve-retirements 20" in str(refusal)
    assert rig.embedder.embedded == []
    report = await rig.sync(*articles(20), retirements=20)
    assert (len(report.retired), report.unchanged) == (20, 20)


MANY_LANGUAGES = (
    "Open the calendar.", "Öffnen Sie den Kalender.", "Ouvrez le calendrier.", "Otwórz kalendarz.", "Откройте календарь.",
    "Ανοίξτε το ημερολόγιο.", "افتح التقويم.", "פתח את לוח השנה.", "कैलेंडर खोलें।", "打开日历。", "カレンダーを開きます。",
    "캘린더를 엽니다.", "เปิดปฏิทิน", "გახსენით კალენდარი.", "ቀን መቁጠሪያውን ይክፈቱ።",
)  # fmt: skip


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        pytest.param("Open the calendar and choose a day. " * 28_000, LIMIT, id="1 MB"),
        pytest.param("calendar" * 125_000, LIMIT, id="1 MB without a space"),
        pytest.param("```\nprint('calendar')\n```\n\n" * 400, WHOLE_LIMIT, id="only code"),
        pytest.param("\n\n".join(MANY_LANGUAGES * 40), LIMIT, id="many languages"),
    ],
)
async def test_an_odd_article_is_cut_within_the_limits(rig, body, limit):
    """FAULTS R-K8."""
    rig.use(HashEmbedder(dimension=16))

    report = await rig.sync(Article(id="KB1", title="Odd", body=body))

    found = await rig.index.article("KB1")
    assert (report.passages, report.skipped) == (len(found.passages), ())
    assert max(len(passage.text) for passage in found.passages) <= limit
    texts = [passage.embedded_text for passage in found.passages]
    assert max(rig.embedder.count_tokens(text) for text in texts) <= rig.embedder.token_limit


async def test_an_article_of_pictures_alone_is_named_as_skipped(rig):
    """FAULTS R-K8."""
    report = await rig.sync(an_article(1), an_article(2, body="![](a.png)\n\n![](b.png)"))

    assert [(one.id, one.reason) for one in report.skipped] == [("KB2", "it has no text to search for")]
