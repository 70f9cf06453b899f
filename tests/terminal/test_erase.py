"""`erase` and `export` of one person: who is found, what is asked, what is handed out, and that nothing of it remains."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.core.conversation import ConversationId
from bot.core.slack_rows import Place, SlackPost
from tests.adapters.test_erasing import files_holding, holding
from tests.planting import planted
from tests.terminal.command_line import CommandLine
from tests.terminal.pseudo_terminal import at_a_terminal
from tests.vendors.slack_apps import web_client
from tests.vendors.slack_pushes import SIGNING_SECRET
from tests.vendors.slack_server import BOT_TOKEN, HELP
from tests.vendors.slack_workspace import TEAM

MARKER, OTHER = "quixzylophon", "wambleford"


@pytest.fixture
def busy(tmp_path: Path) -> CommandLine:
    """Return a data directory with the conversations of two people."""
    file = tmp_path / "busy" / "candor.db"
    asyncio.run(_busy(file))
    return CommandLine(file.parent)


async def _busy(file: Path) -> None:
    database = SqliteDatabase.open(file)
    try:
        await planted(database, ConversationId("gone"), MARKER)
        await planted(database, ConversationId("kept"), OTHER)
    finally:
        database.close()


@pytest.mark.parametrize(
    "who",
    [
        ("--conversation", "gone"),
        ("--person", f"subject {MARKER}"),
        ("--person", f"{MARKER.upper()}@shop.example"),
    ],
)
def test_nothing_of_it_remains_in_the_data_directory(busy, who):
    assert files_holding(busy.data, MARKER) != set()

    assert busy.json("erase", *who, "--yes") == {"erased": ["gone"], "erased_before": []}

    assert files_holding(busy.data, MARKER) == set()
    assert holding(busy.data / "candor.db", OTHER) >= {"messages", "customers", "ratings"}


def test_it_works_and_is_whole_while_another_process_has_the_file_open(busy):
    served = SqliteDatabase.open(busy.data / "candor.db")
    served.read_now(lambda c: c.execute("SELECT count(*) FROM messages").fetchone())

    result = busy.run("erase", "--conversation", "gone", "--yes")
    served.write_now(lambda c: c.execute("UPDATE store_state SET pings = pings + 1"))

    assert (result.exit_code, files_holding(busy.data, MARKER)) == (0, set())
    served.close()


async def test_what_was_posted_of_it_in_slack_is_taken_back_first(busy, slack):
    said = await web_client(slack).chat_postMessage(channel=HELP, text=f"Hello {MARKER}")
    await _remember_post(busy.data / "candor.db", ts=str(said["ts"]))

    result = await asyncio.to_thread(
        busy.run,
        "erase",
        *("--conversation", "gone", "--yes"),
        SLACK_BOT_TOKEN=BOT_TOKEN,
        SLACK_SIGNING_SECRET=SIGNING_SECRET,
        SLACK_BASE_URL=slack.api_url.rstrip("/"),
    )

    assert (result.exit_code, slack.posted(HELP)) == (0, [])
    assert files_holding(busy.data, MARKER) == set()


async def _remember_post(file: Path, *, ts: str) -> None:
    database = SqliteDatabase.open(file)
    try:
        store = SqliteSlackStore(database)
        place = Place(team=TEAM, channel=HELP)
        await store.begin_post(
            SlackPost(key="m:gone:9:1", conversation=ConversationId("gone"), place=place, begun_ms=1)
        )
        await store.posted("m:gone:9:1", ts=ts, digest="as it was")
    finally:
        database.close()


def test_a_second_time_says_that_it_was_erased_before(busy):
    busy.run("erase", "--conversation", "gone", "--yes")

    assert busy.json("erase", "--conversation", "gone", "--yes") == {"erased": [], "erased_before": ["gone"]}
    assert busy.run("erase", "--person", f"subject {MARKER}", "--yes").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("erase",), 2, "either --conversation or --person"),
        (("erase", "--conversation", "a", "--person", "b"), 2, "either --conversation or --person"),
        (("erase", "--conversation", "nobody", "--yes"), 1, "there is no conversation nobody"),
        (("erase", "--person", "nobody", "--yes"), 1, "nothing is kept of 'nobody'"),
        (("erase", "--person", " ", "--yes"), 1, "nothing is kept of ''"),
        (("erase", "--conversation", "gone"), 1, "say --yes"),
        (("erase", "--conversation", "gone", "--json"), 1, "say --yes"),
        (("export", "--person", "b", "--conversation", "a"), 2, "either --conversation or --person"),
        (("export", "--person", "b", "--marked"), 2, "--since and --marked choose turns"),
        (("export", "--person", "nobody"), 1, "nothing is kept of 'nobody'"),
    ],
)
def test_what_cannot_be_done_is_said_and_erases_nothing(busy, arguments, code, sentence):
    result = busy.run(*arguments, COLUMNS="200")

    assert result.exit_code == code
    assert sentence in " ".join(result.stderr.replace("│", " ").split())
    assert "messages" in holding(busy.data / "candor.db", MARKER)


def test_without_a_data_file_nothing_is_made(empty):
    result = empty.run("erase", "--person", "ana", "--yes")

    assert (result.exit_code, empty.data.exists()) == (1, False)
    assert "there is no data file" in result.stderr


def test_somebody_at_a_terminal_is_shown_what_goes_and_asked(busy):
    said = at_a_terminal(busy.data, "erase", "--person", f"{MARKER}@shop.example", typed="y\n")

    assert "gone" in said
    assert "the address that the site vouched for" in " ".join(said.split())
    assert "1 erased" in said
    assert files_holding(busy.data, MARKER) == set()


def test_a_person_gets_everything_that_is_kept(busy):
    document = json.loads(busy.run("export", "--person", f"subject {MARKER}").stdout)

    (conversation,) = document["conversations"]
    assert {name for name, rows in conversation.items() if MARKER in json.dumps(rows)} == {
        "customers", "messages", "draft_blocks", "marks", "notes", "ratings", "attachments", "turns", "unsent_replies", "sign_outs",
        "slack_posts", "slack_threads",
    }  # fmt: skip
    assert conversation["found_by"] == "subject"
    assert conversation["messages"][0]["text"] == f"How do I reschedule {MARKER}?"
    assert conversation["turns"][0]["record"]["query"]["bare"] == MARKER
    assert conversation["attachments"][0]["content"]["base64"].startswith("R0lGODlh")
    assert OTHER not in json.dumps(document)
    assert "never saw them" in document["about"]["notes, marks, unsent_replies"]


def test_it_is_written_to_a_file_for_its_owner_alone(busy, tmp_path):
    out = tmp_path / "ana.json"

    result = busy.run("export", "--conversation", "gone", "--out", str(out))

    assert (result.exit_code, result.stdout, out.stat().st_mode & 0o777) == (0, "", 0o600)
    assert json.loads(out.read_text(encoding="utf-8"))["conversations"][0]["conversations"][0]["id"] == "gone"


def test_what_was_erased_is_handed_out_to_nobody(busy):
    busy.run("erase", "--conversation", "gone", "--yes")

    result = busy.run("export", "--conversation", "gone")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "was erased" in result.stderr
