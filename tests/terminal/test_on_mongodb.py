"""Every command that reads or writes conversations or articles does so in MongoDB where the settings say so, and leaves no file."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kb_sync.__main__ import app as kb_sync
from tests.kb_sync.folders import write_article
from tests.terminal.command_line import CommandLine
from tests.vendors.atlas import atlas

CHOSEN = {"MONGODB_DATABASE": "terminal"}
QUESTION = "How do I reschedule a lesson?"


class OnMongo(CommandLine):
    """The same commands with a database."""

    def run(self, *arguments: str, **environment: str):
        return super().run(*arguments, **{"MONGODB_URI": atlas().uri, **CHOSEN, **environment})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def line(data: Path) -> OnMongo:
    return OnMongo(data)


def test_before_migrate_nothing_is_done(data):
    unready = OnMongo(data).run("agents", "list", MONGODB_DATABASE="unready")

    assert unready.exit_code == 1
    assert "lacks the unique indexes on messages (conversation, seq)" in unready.stderr


def test_migrate_says_what_it_made(line):
    assert line.json("migrate")["database"] == "terminal"
    assert "MongoDB database terminal: unique indexes 8 → 8" in line.run("migrate").stdout


def test_an_agent_is_added_listed_and_shut_out(line):
    line.json("migrate")
    added = line.json("agents", "add", "maria@shop.example", "--name", "Maria Lopez")
    line.run("agents", "disable", "maria@shop.example")

    (listed,) = line.json("agents", "list")["agents"]
    assert (listed["id"], listed["disabled_ms"] is not None) == (added["id"], True)


def test_nothing_is_exported_or_erased_of_somebody_unknown(line):
    line.json("migrate")

    assert line.run("export").exit_code == 0
    refused = line.run("erase", "--person", "nobody@shop.example", "--yes")
    assert (refused.exit_code, "nothing is kept of 'nobody@shop.example'" in refused.stderr) == (1, True)


def test_the_remedy_of_missing_articles_names_the_database(line):
    line.json("migrate")
    result = line.run("check", "--json")

    part = json.loads(result.stdout)["parts"]["knowledge_base"]
    assert (part["ok"], "MongoDB database terminal_kb" in part["said"]) == (False, True)


@pytest.mark.timeout(180)
def test_what_is_synced_into_mongodb_is_found_from_there(line, tmp_path):
    line.json("migrate")
    write_article(tmp_path / "articles", "a.md", "id: KB1\ntitle: How to Reschedule a Lesson")
    environment = {"CANDOR_DATA_DIR": str(line.data), **CHOSEN, "MONGODB_URI": atlas().uri}
    synced = CliRunner().invoke(kb_sync, [str(tmp_path / "articles")], env=environment)
    assert synced.exit_code == 0, synced.output

    (found,) = line.json("inspect", QUESTION)

    assert [one["article_id"] for one in found["passages"]] == ["KB1"]
    assert list(line.data.iterdir()) == []
