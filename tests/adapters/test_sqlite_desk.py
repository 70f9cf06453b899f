"""The desk's SQL: it reads the open conversations alone, and FTS5 finds what `core.searching` says that a text holds."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.sqlite import desk_activity, desk_queue, desk_search
from bot.adapters.sqlite.opening import open_writer
from bot.core.conversation import AgentId
from bot.core.searching import holds, searched_words
from tests.builders import CONVERSATION

LETTERS = "abAB1éÉÈßẞİ\u0131Łœñ\u0301\u0308йЙиΩω한😀_-.'\"*^:(){}+ \n\x00"
TEXTS = st.text(LETTERS, max_size=12)
OPEN_INDEX = "USING INDEX conversations_open"
PLANNED = {
    "queue": desk_queue.queue,
    "row": lambda c: desk_queue.queue_row(c, CONVERSATION),
    "position": lambda c: desk_queue.position(c, CONVERSATION),
    "waits": lambda c: desk_queue.recent_waits(c, since_ms=0, limit=9),
    "leases": lambda c: desk_queue.leases_over(c, now_ms=0),
    "claims": lambda c: desk_queue.claims_of(c, AgentId("anna")),
    "search": lambda c: desk_search.search(c, "card", limit=9),
    "activity": lambda c: desk_activity.activity(c, 0, 9),
    "handoff turns": lambda c: desk_activity.handoff_turns(c, 0, 9),
}


@pytest.fixture
def connection(tmp_path):
    with closing(open_writer(tmp_path / "candor.db")) as connection:
        yield connection


@pytest.mark.parametrize("name", PLANNED)
def test_no_question_of_the_desk_reads_a_whole_table_of_conversations_or_messages(connection, name):
    steps = _plan(connection, PLANNED[name])

    scans = [step for step in steps if step.startswith("SCAN") and "json_each" not in step]
    assert all(OPEN_INDEX in step or "message_words" in step for step in scans)


@pytest.mark.parametrize("name", ["queue", "leases", "claims"])
def test_the_open_conversations_are_found_by_their_own_index(connection, name):
    assert any(OPEN_INDEX in step for step in _plan(connection, PLANNED[name]))


@given(TEXTS, TEXTS)
def test_fts5_finds_a_text_exactly_when_it_holds_the_words(text, typed):
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            'CREATE VIRTUAL TABLE w USING fts5 (text, tokenize = "unicode61 remove_diacritics 2")'
        )
        connection.execute("INSERT INTO w VALUES (?)", (text,))
        words = searched_words(typed)

        found = (
            []
            if not words
            else connection.execute(
                "SELECT * FROM w WHERE w MATCH ?", (desk_search.each_of(words),)
            ).fetchall()
        )

    assert bool(found) == holds(text, words)


def _plan(connection, ask):
    """Return the steps that SQLite plans for the statements of *ask*."""
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    ask(connection)
    connection.set_trace_callback(None)
    plans = [
        connection.execute(f"EXPLAIN QUERY PLAN {s}") for s in statements if s.lstrip().startswith("SELECT")
    ]
    return [row["detail"] for plan in plans for row in plan]
