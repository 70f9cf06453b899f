"""Which words about rows hold, and how rows look as a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.records import Column, RecordsSchema, Rows, View, described
from bot.core.records_answer import NOTHING, found_nothing, is_cut, table_of, unfounded
from bot.core.rules import Rules
from tests.service.rig import RULES

LESSONS = Rows(
    columns=("starts_at", "teacher", "minutes", "price_eur"),
    rows=(
        ("2026-12-01T15:00:00+00:00", "Ana", 45, "24.50"),
        ("2026-12-03T09:30:00+00:00", "Tom", 90, "40.00"),
    ),
)
COUNT = Rows(columns=("lessons_left",), rows=((12,),))
ZERO = Rows(columns=("lessons_left",), rows=((0,),))
ONE = Rows(columns=("lessons_left",), rows=((1,),))


def holds(text: str, rows: Rows, rules: Rules = RULES) -> bool:
    return unfounded(text, rows, rules, secrets=("5f0c2a9e41d7b386",)) is None


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("You have 12 lessons left.", COUNT),
        ("You have twelve lessons left.", COUNT),
        ("Ihnen bleiben noch zwölf Stunden.", COUNT),
        ("You have 0 lessons left.", ZERO),
        ("You have one lesson left.", ONE),
        ("Your 2 lessons: 1 December 2026 at 15:00 with Ana, 3 December at 9:30 with Tom.", LESSONS),
        ("On Tuesday, December 1, 2026, 3 pm (45 minutes) with Ana; on 03.12.2026 with Tom.", LESSONS),
        ("Am 1. Dezember 2026 um 15:00 Uhr mit Ana und am 3. Dezember mit Tom.", LESSONS),
        ("Le 1er décembre avec Ana, 24,50 €, et le 3 décembre avec Tom, 40 €.", LESSONS),
        ("Ana: 24.50 EUR. Tom: 40 EUR for 90 minutes.", LESSONS),
        ("Am 01.12.2026 15:00 mit Ana und am 03.12.2026 09:30 mit Tom.", LESSONS),
        (table_of(LESSONS), LESSONS),
        (table_of(COUNT), COUNT),
    ],
)
def test_words_hold_whose_figures_are_the_rows(text, rows):
    assert holds(text, rows)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("You have 13 lessons left.", COUNT),
        ("You have 12 lessons left, worth 300 EUR.", COUNT),
        ("You have 12 lessons left until 31 December.", COUNT),
        ("You have no lessons left.", COUNT),
        ("All is well.", COUNT),
        ("You have many lessons left.", ZERO),
        ("Your next lesson is with Ana.", LESSONS),
        ("On 1 December with Ana and 4 December with Tom.", LESSONS),
        ("Ana on Monday, 1 December, and Tom.", LESSONS),
        ("Ana at 16:00, and Tom.", LESSONS),
        ("Ana and Tom: 64.50 EUR together.", LESSONS),
        ("Ana: 24.50 USD, and Tom.", LESSONS),
        ("Ana and Tom. Write to help@elsewhere.example", LESSONS),
        ("Ana and Tom. See [this](https://elsewhere.example).", LESSONS),
        ("Ana and Tom. A colleague will get back to you.", LESSONS),
        ("Ana and Tom <b>soon</b>", LESSONS),
        ("Ana and Tom 5f0c2a9e41d7b386", LESSONS),
        ("Ana and Tom, records_unavailable", LESSONS),
        ("Ana and\u202eTom", LESSONS),
        ("", LESSONS),
    ],
)
def test_words_do_not_hold_that_add_to_the_rows_or_pass_over_one(text, rows):
    assert not holds(text, rows)


def test_how_many_there_are_may_be_said_and_how_many_of_how_many():
    cut = Rows(columns=("teacher",), rows=(("Ana",), ("Tom",)), total=120)

    assert holds("The first 2 of 120 are with Ana and Tom.", cut)
    assert is_cut(cut)
    assert not is_cut(LESSONS)


def test_a_table_shows_every_cell_and_no_mark_of_its_own():
    rows = Rows(
        columns=("the_name", "paid", "at"), rows=(("a|b *c*\n[d](e)", True, None), ("", False, "2026-12-01"))
    )

    assert table_of(rows).split("\n") == [
        "| The name | Paid | At |",
        "| --- | --- | --- |",
        rf"| a\|b \*c\* \[d\](e) | ✓ | {NOTHING} |",
        f"| {NOTHING} | ✗ | 2026-12-01 |",
    ]


@pytest.mark.parametrize(
    ("rows", "nothing"),
    [((), True), (((None,),), True), (((0,),), False), (((None, "x"),), False)],
)
def test_nothing_was_found_where_there_is_no_row_or_a_sum_of_none(rows, nothing):
    assert found_nothing(Rows(columns=("a",), rows=rows)) is nothing


CELLS = st.one_of(
    st.integers(-10_000, 10_000), st.booleans(), st.none(), st.text(max_size=20),
    st.dates().map(str), st.datetimes().map(lambda at: at.isoformat()),
    st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str),
)  # fmt: skip


@given(st.lists(st.tuples(CELLS, CELLS), max_size=4).map(tuple), st.text(max_size=60))
def test_any_rows_and_any_words_give_a_verdict_and_a_table(rows, text):
    found = Rows(columns=("one", "two"), rows=rows)

    assert unfounded(text, found, RULES) is None or unfounded(text, found, RULES)
    assert len(table_of(found).split("\n")) == len(rows) + 2


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_a_count_holds_only_as_it_is(found, said):
    rows = Rows(columns=("lessons",), rows=((found,), (found,)))

    assert holds(f"There are {said} and {found}.", rows) is (said in (found, 2))


def test_a_planner_is_told_all_that_may_be_asked():
    schema = RecordsSchema(
        dialect="sqlite",
        views=(View(name="v", description="The rows.", columns=(Column(name="c", type="date", description="a day"),)),),
        notes="Days are days.",
    )  # fmt: skip

    assert described(schema) == (
        "Dialect: sqlite\n\nView v: The rows.\n- c (date): a day\n\nFunctions that may be used: none\n\nDays are days."
    )
