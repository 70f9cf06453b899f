"""`serve` before it serves: the address it cannot have, and how it says what was chosen."""

import io
import socket

import pytest
from rich.console import Console
from structlog.testing import capture_logs

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
