"""`slack inbox` and `slack retry`: operators see what was given up, never what people wrote, and have it tried again."""

import asyncio

import pytest

from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.slack import SqliteSlackStore
from tests.builders import NOON_MS
from tests.slack_rows import a_payload, a_place, an_inbox_row
from tests.terminal.command_line import CommandLine

PRIVATE = "my card number is 4111"


def on_the_inbox(at: CommandLine, act):
    """Do something to the data file's inbox."""

    async def done():
        database = SqliteDatabase.open(at.data / "candor.db")
        try:
            return await act(SqliteSlackStore(database))
        finally:
            database.close()

    return asyncio.run(done())


def given_up(at: CommandLine, *keys: str) -> None:
    async def act(store):
        for key in keys:
            await store.keep(an_inbox_row(key, payload=a_payload(a_place(), PRIVATE)))
            await store.died(key, at_ms=NOON_MS, error="KeyError")

    on_the_inbox(at, act)


def due(at: CommandLine) -> list[str]:
    return [row.key for row in on_the_inbox(at, lambda store: store.inbox_due(now_ms=2**50, limit=9))]


def test_dead_letters_are_listed_without_what_they_say(empty: CommandLine):
    given_up(empty, "T1:Ev1")

    shown, listed = empty.run("slack", "inbox"), empty.json("slack", "inbox")

    assert shown.exit_code == 0
    assert "KeyError" in shown.stdout
    assert "T1:Ev1" in shown.stdout
    assert listed["dead_letters"] == [
        {"key": "T1:Ev1", "kind": "event", "received_ms": NOON_MS, "attempts": 1, "error": "KeyError"}
    ]
    assert PRIVATE not in shown.output + str(listed)


def test_an_empty_inbox_says_so(empty: CommandLine):
    given_up(empty)

    assert "no dead letters" in empty.run("slack", "inbox").stdout


def test_one_is_tried_again(empty: CommandLine):
    given_up(empty, "T1:Ev1", "T1:Ev2")

    assert "1 letter is" in empty.run("slack", "retry", "T1:Ev2").stdout

    assert due(empty) == ["T1:Ev2"]


def test_all_are_tried_again(empty: CommandLine):
    given_up(empty, "T1:Ev1", "T1:Ev2")

    assert "2 letters are" in empty.run("slack", "retry", "--all").stdout

    assert due(empty) == ["T1:Ev1", "T1:Ev2"]


def test_what_is_no_dead_letter_is_refused_in_a_sentence(empty: CommandLine):
    given_up(empty, "T1:Ev1")

    result = empty.run("slack", "retry", "T1:Ev9")

    assert result.exit_code == 1
    assert "no such dead letter" in " ".join(result.output.split())


@pytest.mark.parametrize("arguments", [(), ("T1:Ev1", "--all")], ids=["neither", "both"])
def test_either_one_or_all(empty: CommandLine, arguments):
    assert empty.run("slack", "retry", *arguments).exit_code == 2


def test_no_data_file_is_made(empty: CommandLine):
    assert empty.run("slack", "inbox").exit_code == 1
    assert not (empty.data / "candor.db").exists()
