"""Which builds may go live: what is wrong with one is said, and another model may not find less (FAULTS K6)."""

from dataclasses import replace

import pytest

from bot.core.knowledge import ArticleId, PassageId
from bot.sync_ports import CheckedQuestion, Near
from kb_sync.checks import Expected, Found, checked, is_worse, lost_canaries, problems
from kb_sync.plan import Contents
from kb_sync.questions import Question

A, B, C, Z = (ArticleId(letter) for letter in "abcz")
CONTENTS = Contents(digests={A: "1", B: "2"}, retired=frozenset({C}))
EXPECTED = Expected(contents=CONTENTS, dimension=384, passages=5)
FOUND = Found(contents=CONTENTS, passages=5, dimensions=frozenset({384}))


def test_a_build_that_holds_what_was_planned_has_no_problem():
    assert list(problems(FOUND, EXPECTED)) == []
    assert list(problems(replace(FOUND, passages=9), replace(EXPECTED, passages=None))) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(
            {"contents": replace(CONTENTS, digests={A: "1"})}, "1 articles are missing: b", id="lost"
        ),
        pytest.param(
            {"contents": replace(CONTENTS, digests={**CONTENTS.digests, Z: "9"})},
            "1 articles are in it that were not planned: z",
            id="surplus",
        ),
        pytest.param(
            {"contents": replace(CONTENTS, digests={A: "1", B: "old"})},
            "1 articles are not as the source has them: b",
            id="older",
        ),
        pytest.param(
            {"contents": replace(CONTENTS, retired=frozenset())}, "1 articles are retired", id="retired"
        ),
        pytest.param({"passages": 4}, "it holds 4 passages instead of 5", id="passages"),
        pytest.param(
            {"dimensions": frozenset({384, 768})}, "some vectors have 768 dimensions", id="dimensions"
        ),
        pytest.param({"vectorless": (PassageId("a#1"),)}, "1 passages have no vector: a#1", id="vectorless"),
    ],
)
def test_what_is_wrong_with_a_build_is_said(found, said):
    (problem,) = problems(replace(FOUND, **found), EXPECTED)

    assert problem.startswith(said)


@pytest.mark.parametrize(
    ("near", "lost"),
    [
        pytest.param((("a", 1.0), ("b", 0.5)), (), id="first"),
        pytest.param((("b", 1.0), ("a", 1.0)), (), id="the same text in two articles"),
        pytest.param((("b", 1.0), ("a", 0.995)), ("a",), id="second"),
        pytest.param((("a", 0.9),), ("a",), id="first, but far"),
        pytest.param((), ("a",), id="nothing found"),
    ],
)
def test_a_canary_must_find_its_own_article(near, lost):
    assert lost_canaries([A], [near]) == lost


def test_a_question_hits_when_one_of_its_articles_is_among_the_first_three():
    near: Near = tuple((ArticleId(one), 0.9) for one in "wxyz")
    questions = [Question(text=gold, gold=(ArticleId(gold),)) for gold in ("y", "z", "gone")]

    found = checked(questions, [near] * 3, active=frozenset("wxyz"))

    assert [(one.text, one.hit) for one in found] == [("y", True), ("z", False)]


def asked(hits: int, *, of: int, start: int = 0) -> list[CheckedQuestion]:
    return [
        CheckedQuestion(text=str(number), gold=("a",), hit=number - start < hits)
        for number in range(start, start + of)
    ]


@pytest.mark.parametrize(
    ("before", "after", "worse"),
    [
        pytest.param(asked(20, of=20), asked(20, of=20), False, id="as good"),
        pytest.param(asked(10, of=20), asked(20, of=20), False, id="better"),
        pytest.param(asked(20, of=20), asked(19, of=20), True, id="five points worse"),
        pytest.param(asked(100, of=100), asked(98, of=100), False, id="two points worse"),
        pytest.param(asked(100, of=100), asked(97, of=100), True, id="three points worse"),
        pytest.param(asked(20, of=20), asked(0, of=20, start=50), False, id="other questions"),
        pytest.param([], asked(0, of=20), False, id="never asked before"),
    ],
)
def test_recall_may_fall_by_two_points_over_the_same_questions(before, after, worse):
    assert is_worse(before, after) is worse
