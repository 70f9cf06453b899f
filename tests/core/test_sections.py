"""A passage's Markdown as pieces to quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.markdown import BlockKind
from bot.core.sections import Piece, lead_of, pieces_of, unspaced, within, without_overlap

STEPS = Piece(kind=BlockKind.ITEM, parts=("1. Open it.", "   It is green.", "2. Move it."))


def texts(pieces):
    return [piece.text for piece in pieces]


def test_items_are_one_list_and_a_code_sample_stays_whole():
    markdown = "Do this:\n\n- One.\n- Two.\n\n```\n<!-- kept -->\n```\n\n> [!NOTE]\n> Mind it."

    assert texts(pieces_of(markdown)) == [
        "Do this:",
        "- One.\n- Two.",
        "```\n<!-- kept -->\n```",
        "> Mind it.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "In this article:",
        "**En este artículo:**",
        "- [Steps](#steps)",
        "![A button](button.png)",
        "> ![A button](button.png)",
        "<!-- hidden -->",
        "---",
        "See also: [One](https://a.example), [Two](https://b.example)",
        "[Home](/) > [Lessons](/lessons)",
        "[Back to top](#top)",
    ],
)
def test_a_line_that_only_navigates_or_cannot_be_shown_is_left_out(line):
    assert texts(pieces_of(f"{line}\n\nMove it.")) == ["Move it."]


@pytest.mark.parametrize(
    "line", ["1. [Open your lessons](https://a.example)", "Open [this](https://a.example).", "See it."]
)
def test_a_line_that_says_something_beside_a_link_is_kept(line):
    assert texts(pieces_of(line)) == [line]


@pytest.mark.parametrize(
    ("markdown", "before", "expected"),
    [
        ("Two. Three.\n\nFour.", "One. Two. Three.", ["Four."]),
        ("Two. Three.\n\nFour.", "One. Two.", ["Three.", "Four."]),
        ("- Two.\n- Three.", "- One.\n- Two.", ["- Three."]),
        ("- Three.", "- One.", ["- Three."]),
        ("Three.", "One.", ["Three."]),
        ("One.", "One.", []),
    ],
)
def test_what_the_passage_before_ended_with_is_not_repeated(markdown, before, expected):
    assert texts(without_overlap(markdown, before)) == expected


def test_a_list_is_cut_only_between_its_steps():
    assert within(STEPS, 30) == Piece(kind=BlockKind.ITEM, parts=STEPS.parts[:2])
    assert within(STEPS, 100) == STEPS
    assert within(STEPS, 20) is None


def test_a_paragraph_is_never_cut():
    assert within(Piece(kind=BlockKind.PARAGRAPH, parts=("A long one.",)), 5) is None


def test_the_lead_is_the_first_two_sentences_without_signs():
    assert lead_of("**Move** it. It is [free](/f). Always.\n\nMore.") == ("Move it.", "It is free.")
    assert lead_of("![x](x.png)") == ()


@given(st.text(), st.text())
def test_every_part_stands_verbatim_in_the_passage(markdown, before):
    normal = unspaced(markdown)

    assert all(unspaced(part) in normal for piece in pieces_of(markdown) for part in piece.parts)
    assert all(
        unspaced(part) in normal for piece in without_overlap(markdown, before) for part in piece.parts
    )
