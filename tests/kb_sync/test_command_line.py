"""`python -m kb_sync` as people use it: what it prints, and with which code it ends."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from kb_sync.__main__ import app
from tests.kb_sync.folders import write_article

FAR_MS = 10**15


class CommandLine:
    """Runs kb_sync with a data directory of its own."""

    def __init__(self, folder: Path) -> None:
        self.articles = folder / "articles"
        self.data = folder / "data"
        self.articles.mkdir()

    def run(self, *arguments: str, **environment: str) -> Result:
        return CliRunner().invoke(
            app, arguments, env={"CANDOR_DATA_DIR": str(self.data), "KB_SOURCE": "", **environment}
        )


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)  # away from a developer's .env
    return CommandLine(tmp_path)


def test_a_folder_is_synced_and_a_second_run_finds_nothing_to_do(command):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")
    write_article(command.articles, "hub.md", "id: 2\ntitle: Hub", "## Contents")

    first = command.run(str(command.articles))
    second = command.run("--json", KB_SOURCE=str(command.articles))

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert "skipped hub.md (2): it has no text" in first.stdout
    report = json.loads(second.stdout)
    assert (report["unchanged"], report["embedded_passages"], report["outcome"]) == (1, 0, "done")


def test_a_dry_run_leaves_nothing_behind(command):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")

    result = command.run(str(command.articles), "--dry-run", "--json")

    report = json.loads(result.stdout)
    assert (report["dry_run"], report["added"], report["embedded_passages"]) == (True, ["1"], 1)
    assert not command.data.exists()


def test_a_rejected_source_ends_with_one_sentence(command):
    (command.articles / "a.md").write_text("no front matter")

    result = command.run(str(command.articles))

    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("kb_sync: a.md: has no front matter; begin it with")
    assert "Traceback" not in result.output


def test_further_problems_are_indented_below_the_first(command):
    for name in ("a.md", "b.md"):
        (command.articles / name).write_text("no front matter")

    lines = command.run(str(command.articles)).stderr.splitlines()

    assert [line.partition(": has no")[0] for line in lines] == ["kb_sync: a.md", "  b.md"]


def test_drafts_are_named_also_in_a_dry_run(command):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")
    write_article(command.articles, "b.md", "id: 2\ntitle: Recovery\ndraft: true")

    dry = command.run(str(command.articles), "--dry-run")
    report = json.loads(command.run(str(command.articles), "--json").stdout)

    assert "1 draft is kept out of answers:\n  2 Recovery\n" in dry.stdout
    assert report["kept_out"] == [{"id": "2", "title": "Recovery", "status": "draft"}]


def test_a_failure_is_json_too(command):
    result = command.run(str(command.articles), "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["outcome"] == "failed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "set KB_SOURCE", id="no source"),
        pytest.param(["a", "--every", "often"], "use a duration", id="bad duration"),
        pytest.param(["a", "--every", "5m", "--dry-run"], "cannot be combined", id="dry worker"),
        pytest.param(["--rollback", "a"], "reads no source", id="rollback of a source"),
        pytest.param(["--rollback", "--dry-run"], "reads no source", id="dry rollback"),
        pytest.param(["a", "--budget", "0"], "--budget", id="no budget"),
        pytest.param(["a", "--approve-retirements", "-1"], "--approve-retirements", id="negative"),
        pytest.param(["a", "--unknown"], "--unknown", id="unknown option"),
    ],
)
def test_wrong_usage_ends_with_code_2(command, arguments, said):
    result = command.run(*arguments)

    assert result.exit_code == 2
    assert said in result.stderr


def test_a_wrong_setting_is_named(command):
    result = command.run(str(command.articles), CANDOR_DATADIR="x")

    assert result.exit_code == 1
    assert "did you mean CANDOR_DATA_DIR?" in result.stderr


def test_a_rollback_answers_from_what_was_before_and_holds_the_refused_state(command):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")
    command.run(str(command.articles))
    write_article(command.articles, "b.md", "id: 2\ntitle: Recovery")
    command.run(str(command.articles))

    back = command.run("--rollback")
    held = command.run(str(command.articles), "--json")
    forward = command.run(str(command.articles), "--forward")

    assert (back.exit_code, held.exit_code, forward.exit_code) == (0, 1, 0)
    assert "again: 1 articles, 1 passages." in back.stdout
    assert json.loads(held.stdout)["outcome"] == "held"
    assert "--forward" in held.stderr


def test_a_rollback_without_anything_before_is_refused(command):
    result = command.run("--rollback", "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout)["outcome"] == "failed"


def test_a_run_beside_another_says_who_is_at_it(command):
    """FAULTS K10."""
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")
    with closing(SqliteDatabase.open(command.data / "candor.db")) as database:
        SqliteKnowledgeWriter(database).take_lock("machine-7 (process 42)", now_ms=1, until_ms=FAR_MS)

    result = command.run(str(command.articles))

    assert result.exit_code == 1
    assert result.stderr.startswith("kb_sync: another sync runs: machine-7 (process 42);")


def test_a_budget_is_kept_and_the_next_run_goes_on(command):
    for number in range(40):
        write_article(command.articles, f"{number}.md", f"id: {number}\ntitle: Lesson {number}")

    first = command.run(str(command.articles), KB_BUDGET_TOKENS="150")
    second = command.run(str(command.articles), "--json", "--budget", "100000")

    assert first.exit_code == 1
    assert "of 40 passages are embedded" in first.stderr
    report = json.loads(second.stdout)
    assert (report["outcome"], len(report["added"]), report["embedded_passages"] < 40) == ("done", 40, True)


def test_the_operators_questions_are_asked(command, tmp_path):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")
    golden = tmp_path / "golden.jsonl"
    golden.write_text('{"turns": [{"role": "customer", "text": "Another day?"}], "gold": ["1"]}')

    report = json.loads(command.run(str(command.articles), "--json", KB_GOLDEN=str(golden)).stdout)

    assert report["questions"] == {"hits": 1, "of": 1}


def test_a_switch_that_is_not_there_fails_no_run(command):
    """FAULTS K3."""
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")

    result = command.run(str(command.articles), KB_PING_URL="http://127.0.0.1:9/0f5a")

    assert result.exit_code == 0
    assert result.stderr.count("KB_PING_URL cannot be reached") == 2


def test_what_is_piped_has_no_colours_and_no_bar(command):
    write_article(command.articles, "a.md", "id: 1\ntitle: Rescheduling")

    result = command.run(str(command.articles))

    assert "\x1b" not in result.output
    assert result.stdout.splitlines()[0].split() == ["articles", "seen", "1"]
    assert result.stderr == ""
