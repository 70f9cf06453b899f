"""The measures by what rows have in common: who belongs to a group, and what a group cannot tell."""

import pytest

from bot.evaluation.golden import Topic
from bot.evaluation.grouping import auroc_by_label, averaged, grouped
from bot.evaluation.strategies import Strategy
from tests.evaluation.builders import a_search, a_trial, an_unanswerable_search

BARE, VAGUE = {"tag": "bare_reply"}, {"tag": "vague"}
FOUND = (
    a_search("KB1", score=0.9, fields=VAGUE),
    a_search("KB2", "KB1", score=0.6, fields=BARE),
    a_search("KB1", score=0.5, fields=BARE),
    an_unanswerable_search(score=0.55, fields=BARE),
)
TRIED = tuple(a_trial(fields=found.golden.fields) for found in FOUND)


def by_tag(*fields: str):
    return grouped(TRIED, {Strategy.BLENDED: FOUND, Strategy.WINDOW: FOUND[:1]}, fields)


def test_each_value_has_the_measures_of_its_own_rows_the_commonest_first():
    tags = by_tag("tag")["tag"]

    assert [(tag, group.conversations) for tag, group in tags.items()] == [("bare_reply", 3), ("vague", 1)]
    bare = tags["bare_reply"].strategies[Strategy.BLENDED]
    assert (bare["hit@1"], bare["recall@5"], bare["auroc"]) == (0.5, 1.0, 0.5)


def test_what_a_group_cannot_tell_is_absent():
    tags = by_tag("tag")["tag"]

    assert "auroc" not in tags["vague"].strategies[Strategy.BLENDED]
    assert Strategy.WINDOW not in tags["bare_reply"].strategies


def test_a_field_that_no_row_has_is_left_out():
    assert by_tag("source") == {}


def test_routed_conversations_are_counted_though_they_are_not_searched():
    routed = a_trial(fields=VAGUE, topic=Topic.ROUTED)

    assert grouped([routed], {}, ["tag"])["tag"]["vague"].conversations == 1


def test_each_unanswerable_label_is_told_apart_by_itself():
    far = an_unanswerable_search(score=0.1, label="OOD_OOS", topic=Topic.OFF)

    assert auroc_by_label((*FOUND, far)) == {"NO_KB_NEAR": pytest.approx(2 / 3), "OOD_OOS": 1.0}


def test_without_answerable_questions_no_label_can_be_told_apart():
    assert auroc_by_label([an_unanswerable_search()]) == {}


def test_a_name_is_averaged_over_the_sets_that_have_it():
    assert averaged([{"a": 1.0, "b": 0.5}, {"a": 0.0}]) == {"a": 0.5, "b": 0.5}
