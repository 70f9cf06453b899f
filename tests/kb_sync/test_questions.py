"""Golden questions are read in the form of golden conversations; one that needs its history says nothing alone."""

import json

import pytest

from bot.errors import Misconfigured
from kb_sync.questions import read_questions


def write(folder, *rows):
    file = folder / "golden.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def a_row(text="When?", **fields):
    return {"id": "1", "turns": [{"role": "customer", "text": text}], "gold": ["KB1"], **fields}


def test_questions_are_the_answerable_ones_that_customers_began_with(tmp_path):
    follow_up = [
        {"role": "customer", "text": "Hi"},
        {"role": "bot", "text": "Hi"},
        {"role": "customer", "text": "?"},
    ]
    file = write(
        tmp_path,
        a_row("One?"),
        a_row("No article?", gold=[], answerable=False),
        a_row(turns=follow_up),
        a_row("Two?", gold=["KB2", 3]),
    )

    assert [(one.text, one.gold) for one in read_questions(file)] == [
        ("One?", ("KB1",)),
        ("Two?", ("KB2", "3")),
    ]


def test_twenty_are_taken_from_the_whole_file(tmp_path):
    file = write(tmp_path, *[a_row(str(number)) for number in range(100)])

    assert [one.text for one in read_questions(file)] == [str(number) for number in range(0, 100, 5)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("{", ":1: it: Invalid JSON", id="no JSON"),
        pytest.param('\n{"turns": []}', ":2: turns: List should have at least 1 item", id="no turns"),
        pytest.param("\udcff", "cannot be read", id="no UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_line(tmp_path, content, said):
    file = tmp_path / "golden.jsonl"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))

    with pytest.raises(Misconfigured, match="KB_GOLDEN: ") as refused:
        read_questions(file)

    assert said in str(refused.value)
