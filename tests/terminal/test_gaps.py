"""`gaps`: what no article answers as a table, as JSON, as a file for a spreadsheet and as a draft; and what it refuses."""

import asyncio
import csv
import shutil
from pathlib import Path

import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.system_clock import SystemClock
from bot.core.conversation import ConversationId
from bot.core.outcome import Triage
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.builders import a_handoff
from tests.contract.scene import ANNA, Scene
from tests.terminal.command_line import CommandLine

pytestmark = pytest.mark.timeout(300)

BLACK_HOLE = "What is a black hole?"
RESCHEDULE = "How do I reschedule a class?"
ASKED = (
    ("c1", BLACK_HOLE),
    ("c2", "what is a black hole"),
    ("c3", RESCHEDULE),
    ("c4", "=1+1 of ada@example.org"),
)


@pytest.fixture(scope="module")
def busy(synced_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return the sample with conversations in which nothing was found."""
    data = Path(shutil.copytree(synced_sample, tmp_path_factory.mktemp("gaps") / "busy"))
    asyncio.run(_handed_over(data / "candor.db"))
    return CommandLine(data)


async def _handed_over(file: Path) -> None:
    database = SqliteDatabase.open(file)
    try:
        for place, (name, text) in enumerate(ASKED):
            scene = await Scene.open(SqliteConversationStore(database), ConversationId(name))
            at_ms = SystemClock().now_ms() - 60_000 + place
            await scene.customer_writes(text, at_ms=at_ms)
            start = await scene.turn_begins()
            handoff = a_handoff(triage=Triage.ABSENT)
            await scene.bot_settles(start, handoff, turn=f"{place}a{name}", settled_ms=at_ms)
            read = await scene.state()
            await scene.moves(read, read.claimed_by(ANNA, now_ms=at_ms), who=ANNA, what="claimed")
            await scene.agent_replies(f"A person says {place}.", at_ms=at_ms + 1)
    finally:
        database.close()


def test_json_has_each_gap_with_its_questions_and_replies(busy):
    found = busy.json("gaps")

    gap = found["gaps"][0]
    assert (gap["count"], found["questions"], found["problem"]) == (2, len(ASKED), None)
    assert {question["text"] for question in gap["questions"]} == {BLACK_HOLE, "what is a black hole"}
    assert [reply["text"] for reply in gap["replies"]] == ["A person says 1.", "A person says 0."]


def test_a_question_that_todays_articles_answer_is_shown_as_answered(busy):
    answered = [gap for gap in busy.json("gaps")["gaps"] if gap["answered_by"]]

    assert [(gap["label"], gap["answered_by"]) for gap in answered] == [([RESCHEDULE], "KB000003")]


def test_people_see_a_table_and_what_it_comes_to(busy):
    printed = busy.run("gaps", "--days", "7").stdout

    for part in (
        "last 7 days",
        BLACK_HOLE,
        "answered by",
        "4 questions in 3 gaps, 1 of them answered by now",
    ):
        assert part in " ".join(printed.split())


def test_a_table_for_spreadsheets_is_written_and_computes_nothing(busy, tmp_path):
    file = tmp_path / "gaps.csv"

    result = busy.run("gaps", "--csv", str(file))

    assert result.exit_code == 0
    rows = list(csv.DictReader(file.read_text("utf-8-sig").splitlines()))
    assert {row["question_1"] for row in rows} == {BLACK_HOLE, RESCHEDULE, "'=1+1 of [e-mail]"}
    assert file.stat().st_mode & 0o077 == 0


def test_a_draft_is_an_article_that_a_sync_reads(busy, tmp_path):
    folder = tmp_path / "articles"
    folder.mkdir()

    result = busy.run("gaps", "--draft", "0a", "--to", str(folder))

    (article,) = asyncio.run(MarkdownFolder(folder).read(_Unheard())).articles
    assert result.exit_code == 0
    assert (article.article.title, article.article.status) == (BLACK_HOLE, "draft")
    assert "> A person says 0." in article.article.body


def test_a_draft_is_printed_where_no_file_is_named(busy):
    assert busy.run("gaps", "--draft", "0ac1").stdout.startswith("---\nid: gap-")


def test_a_file_that_is_there_is_not_written_over(busy, tmp_path):
    file = tmp_path / "mine.md"
    file.write_text("my article")

    result = busy.run("gaps", "--draft", "0a", "--to", str(file))

    assert (result.exit_code, file.read_text()) == (1, "my article")
    assert "is there already" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--draft", "zzz"), "no gap 'zzz'", id="an unknown gap"),
        pytest.param(
            ("--draft", "0a", "--to", "missing/draft.md"),
            "cannot be written",
            id="a folder that is not there",
        ),
        pytest.param(("--csv", "missing/gaps.csv"), "cannot be written", id="a table in one"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(busy, arguments, said):
    result = busy.run("gaps", *arguments)

    assert result.exit_code == 1
    assert said in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--days", "0"),
        ("--days", "367"),
        ("--days", "many"),
        ("--to", "x.md"),
        ("--json", "--csv", "x.csv"),
        ("--draft", "0a", "--csv", "x.csv"),
    ],
)
def test_arguments_that_make_no_sense_are_usage_errors(empty, arguments):
    assert empty.run("gaps", *arguments).exit_code == 2


def test_without_a_data_file_the_setting_is_named(empty):
    result = empty.run("gaps")

    assert result.exit_code == 1
    assert "CANDOR_DATA_DIR" in result.stderr


def test_where_nobody_has_asked_there_are_no_gaps(sample):
    assert "0 questions in 0 gaps" in sample.run("gaps").stdout


class _Unheard:
    def read(self, pieces: int) -> None:
        return
