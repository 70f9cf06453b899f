"""The table of gaps: one row each, in the encoding that spreadsheets read, and nothing in it that they compute."""

import csv

import pytest

from bot.core.gap_rows import BYTE_ORDER_MARK, HEADINGS, to_csv
from bot.core.gaps import GapReport
from bot.core.knowledge import ArticleId
from bot.core.outcome import Triage
from tests.builders import CONVERSATION, NOON_MS
from tests.core.gap_builders import a_gap, a_gap_question, a_quoted_reply


def rows(*gaps):
    report = GapReport(since_ms=0, until_ms=NOON_MS, gaps=gaps, questions=len(gaps))
    written = to_csv(report)
    assert written.startswith(BYTE_ORDER_MARK)
    return list(csv.DictReader(written.removeprefix(BYTE_ORDER_MARK).splitlines(keepends=True)))


def test_a_gap_is_a_row():
    gap = a_gap(
        label=("Is there a ramp?", "a lift"),
        triage=Triage.ABSENT,
        answered_by=ArticleId("KB7"),
        replies=(a_quoted_reply("There is one.\nAt the back."), a_quoted_reply("Later")),
    )

    assert rows(gap) == [
        {
            "gap": "t1",
            "customers": "1",
            "last_asked": "2025-06-15",
            "triage": "absent",
            "answered_by": "KB7",
            "question_1": "Is there a ramp?",
            "question_2": "a lift",
            "question_3": "",
            "first_reply": "There is one.\nAt the back.",
            "replied_on": "2025-06-15",
            "conversation": CONVERSATION,
        }
    ]


def test_without_gaps_the_headings_are_there():
    report = GapReport(since_ms=0, until_ms=NOON_MS, gaps=(), questions=0)

    assert to_csv(report) == BYTE_ORDER_MARK + ",".join(HEADINGS) + "\r\n"


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://evil.example","x")',
        "+1+1",
        "-2",
        "@SUM(A1)",
        "\t=1+1",
        "\r=1+1",
        "\n=1",
        " =1+1",
        "＝1+1",  # noqa: RUF001 - full width is the case in point
    ],
)
def test_no_cell_is_a_formula(text):
    (row,) = rows(a_gap(label=(text, text), replies=(a_quoted_reply(text),)))

    assert {row["question_1"], row["question_2"], row["first_reply"]} == {f"'{text}"}


@pytest.mark.parametrize("text", ["a = b", "is it -2?", "", "“quoted”, and, commas", 'a "quote"'])
def test_other_texts_stay_as_they_are(text):
    (row,) = rows(a_gap(a_gap_question("x"), label=(text,)))

    assert row["question_1"] == text
