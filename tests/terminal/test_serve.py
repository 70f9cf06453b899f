"""`serve` before it serves: the address it cannot have, and how it says what was chosen."""

import io
import socket

import pytest
from pydantic import SecretStr
from rich.console import Console
from structlog.testing import capture_logs

from bot.settings import Settings
from bot.terminal.choosing import records_chosen, slack_chosen, with_sample_records
from bot.terminal.serving import UNUSABLE, announce

pytestmark = pytest.mark.timeout(300)

ADDRESS = "http://127.0.0.1:8080"
CHOICES = {"store": "SQLite in candor.db", "gate": "answers from cosine 0.58 up"}


@pytest.mark.parametrize("arguments", [("serve",), ("serve", "--dry-run")])
def test_a_port_that_is_taken_is_said_in_one_sentence(empty, arguments):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = empty.run(*arguments, "--port", str(port))

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        f"candor: HOST, PORT: 127.0.0.1:{port} cannot be used (Address already in use); "
        "stop what uses it, or set PORT"
    )


def test_a_dry_run_starts_nothing_and_leaves_nothing_behind(empty):
    result = empty.run("serve", "--dry-run", "--port", "0")

    assert (result.exit_code, result.output) == (0, "")
    assert not empty.data.exists()


def test_what_is_not_usable_is_loud():
    printed = io.StringIO()
    console = Console(file=printed, force_terminal=True, width=80, color_system="standard")

    announce(ADDRESS, {**CHOICES, "answers": f"{UNUSABLE}: its provider rejects the key"}, console)

    assert "\x1b[1;31m" in printed.getvalue()


@pytest.mark.parametrize(
    ("is_terminal", "logged"),
    [
        pytest.param(True, {"address": ADDRESS}, id="a person reads the table"),
        pytest.param(False, {"address": ADDRESS, **CHOICES}, id="a program reads the log"),
    ],
)
def test_what_was_chosen_is_said_once(is_terminal, logged):
    printed = io.StringIO()
    console = Console(file=printed, force_terminal=is_terminal, width=80)

    with capture_logs() as lines:
        announce(ADDRESS, CHOICES, console)

    assert lines == [{"event": "serving", "log_level": "info", **logged}]
    assert ("answers from cosine" in printed.getvalue()) is is_terminal


KEY = SecretStr("k")
OF_THE_SHOP = SecretStr("postgresql://db.example/shop")


def test_a_demo_asks_the_samples_records_where_claude_can_and_no_others_are_named():
    assert with_sample_records(Settings(anthropic_api_key=KEY)).records_url == "sample"


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(Settings(), id="nobody could ask them"),
        pytest.param(
            Settings.model_construct(anthropic_api_key=KEY, records_url=OF_THE_SHOP), id="others are named"
        ),
    ],
)
def test_a_demo_changes_nothing_else(settings):
    assert with_sample_records(settings) is settings


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "none (RECORDS_URL is not set)"),
        (
            {"records_url": "sample"},
            "none, because only Claude can ask them (ANTHROPIC_API_KEY is not set): the sample's",
        ),
        (
            {"records_url": "sample", "anthropic_api_key": KEY},
            "the sample's, of a business that does not exist; sign in",
        ),
        ({"records_url": "sqlite:shop.db", "anthropic_api_key": KEY}, "SQLite in shop.db"),
    ],
)
def test_the_start_says_which_records_are_asked_and_why_none_are(given, said):
    assert records_chosen(Settings.model_construct(**given)).startswith(said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "not used (SLACK_BOT_TOKEN is not set)"),
        (
            {"slack_bot_token": KEY, "slack_signing_secret": KEY},
            "heard over requests to /slack/events; agents in the console alone (SLACK_HANDOFF_CHANNEL is not set)",
        ),
        (
            {"slack_bot_token": KEY, "slack_app_token": KEY, "slack_handoff_channel": "C0DESK"},
            "heard over a socket; agents in channel C0DESK too",
        ),
    ],
)
def test_the_start_says_how_slack_is_heard_and_where_agents_work(given, said):
    assert slack_chosen(Settings.model_construct(**given)) == said
