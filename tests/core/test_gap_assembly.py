"""What a gap says of itself: its label, how many asked, why nothing was found, and whether an article answers it by now."""

import pytest

from bot.core.gap_assembly import LONGEST_LABEL, Known, gaps_of, one_line, to_ask_again
from bot.core.gap_grouping import LABELS, Group
from bot.core.gaps import AskedAgain, GapSign, find_gap
from bot.core.knowledge import ArticleId
from bot.core.outcome import Triage
from tests.builders import CONVERSATION, NOON_MS
from tests.core.gap_builders import a_gap, a_gap_question, a_point, a_reply

KB7 = ArticleId("KB7")
PASSES = AskedAgain(passes=True, best_cosine=0.8, threshold=0.5, article=KB7, title="Ramps")
STOPPED = AskedAgain(passes=False, best_cosine=0.3, threshold=0.5, article=KB7, triage=Triage.ONLY_DRAFT)


def a_group(*points):
    return Group(points=points or (a_point(),))


def the_gap(*points, **known):
    (gap,) = gaps_of([a_group(*points)], Known(**known))
    return gap


def today(points, asked):
    return dict.fromkeys(points, asked)


def test_a_gap_is_called_what_customers_asked():
    points = [
        a_point(a_gap_question(text, turn=text)) for text in ("Is there\na ramp?", "a lift", "stairs", "x")
    ]

    gap = the_gap(*points)

    assert gap.label == ("Is there a ramp?", "a lift", "stairs")
    assert len(gap.label) == LABELS


def test_a_long_question_is_cut_in_a_label():
    assert one_line("word " * 100) == ("word " * 100)[: LONGEST_LABEL - 1] + "…"


def test_who_asks_twice_counts_once_and_both_questions_are_there():
    questions = [a_gap_question(turn=f"t{n}", asker="ada", at_ms=NOON_MS + n) for n in range(2)]

    gap = the_gap(a_point(*questions, a_gap_question(turn="t9", asker="bob")))

    assert (gap.count, len(gap.questions)) == (2, 3)


def test_questions_come_newest_first_and_the_last_says_when():
    points = [
        a_point(a_gap_question(f"question {at}", turn=f"t{at}", at_ms=NOON_MS + at)) for at in (5, 9, 1)
    ]

    gap = the_gap(*points)

    assert [question.at_ms - NOON_MS for question in gap.questions] == [9, 5, 1]
    assert gap.last_ms == NOON_MS + 9


def test_a_gap_quotes_what_agents_answered():
    gap = the_gap(replies={CONVERSATION: [a_reply()]})

    assert [reply.text for reply in gap.replies] == ["There is one at the back."]


def test_without_today_a_gap_says_what_was_recorded_most_often():
    said = (Triage.ABSENT, Triage.NEAR_MISS, Triage.NEAR_MISS, None, None, None)
    questions = [a_gap_question(turn=f"t{n}", triage=triage) for n, triage in enumerate(said)]

    gap = the_gap(a_point(*questions))

    assert (gap.triage, gap.answered_by) == (Triage.NEAR_MISS, None)


def test_what_today_says_counts_more_than_what_was_recorded():
    point = a_point(a_gap_question(triage=Triage.ABSENT))

    gap = the_gap(point, today=today([point], STOPPED))

    assert (gap.triage, gap.answered_by) == (Triage.ONLY_DRAFT, None)


@pytest.mark.parametrize(
    ("changed_ms", "triage"),
    [
        pytest.param(NOON_MS + 1, Triage.NOT_YET_INDEXED, id="by an article that came afterwards"),
        pytest.param(NOON_MS, Triage.NEAR_MISS, id="by an article that was there"),
    ],
)
def test_a_question_that_passes_today_is_answered(changed_ms, triage):
    point = a_point(a_gap_question(triage=Triage.NEAR_MISS))

    gap = the_gap(point, today=today([point], PASSES), changed_ms={KB7: changed_ms})

    assert (gap.answered_by, gap.triage) == (KB7, triage)


@pytest.mark.parametrize("sign", sorted(set(GapSign) - {GapSign.NO_EVIDENCE}))
@pytest.mark.parametrize(("changed_ms", "answered"), [(NOON_MS, None), (NOON_MS + 1, KB7)])
def test_what_passed_before_and_did_not_help_is_answered_only_by_a_newer_article(sign, changed_ms, answered):
    point = a_point(a_gap_question(sign=sign))

    gap = the_gap(point, today=today([point], PASSES), changed_ms={KB7: changed_ms})

    assert gap.answered_by == answered


def test_a_gap_stays_open_while_one_of_its_typical_questions_is():
    points = [a_point(a_gap_question(text, turn=text)) for text in ("a ramp", "a lift")]

    gap = the_gap(*points, today={points[0]: PASSES, points[1]: STOPPED})

    assert gap.answered_by is None


def test_gaps_come_open_ones_first_then_by_customers_then_by_time():
    points = [
        a_point(a_gap_question(name, turn=name, at_ms=NOON_MS + at), *others)
        for name, at, others in (
            ("answered", 9, [a_gap_question(turn=f"a{n}", asker=f"{n}") for n in range(5)]),
            ("old", 0, []),
            ("new", 5, []),
            ("many", 0, [a_gap_question(turn="m", asker="another")]),
        )
    ]

    gaps = gaps_of([a_group(point) for point in points], Known(today={points[0]: PASSES}))

    assert [gap.label[0] for gap in gaps] == ["many", "new", "old", "answered"]


def test_the_most_typical_questions_of_all_gaps_are_asked_again_before_the_others():
    groups = [a_group(*(a_point(a_gap_question(f"{g}{n}", turn=f"{g}{n}")) for n in range(4))) for g in "ab"]

    assert [point.text for point in to_ask_again(groups)] == ["a0", "b0", "a1", "a2", "b1", "b2"]


@pytest.mark.parametrize(
    ("named", "found"),
    [
        pytest.param("abc1", "abc1", id="its id"),
        pytest.param("bcd", "abc1", id="another question's"),
        pytest.param("abc2", "abc2", id="the other gap"),
        pytest.param("b", "abc1", id="how only one begins"),
        pytest.param("abc", None, id="how two begin"),
        pytest.param("", None, id="nothing"),
        pytest.param("xyz", None, id="unknown"),
    ],
)
def test_a_gap_is_found_by_any_of_its_questions(named, found):
    gaps = [
        a_gap(a_gap_question(turn="abc1"), a_gap_question(turn="bcd")),
        a_gap(a_gap_question(turn="abc2")),
    ]

    gap = find_gap(gaps, named)

    assert (gap and gap.id) == found
