"""Titles and texts on one topic, told by the words that they share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.topics import is_one_text, is_one_topic, support


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("How to Reschedule a Lesson", "Rescheduling With Less Than 24 Hours Notice"),
        ("Refund Window for Unused Credits", "Refund window"),
        ("Cancelling Your Subscription", "How to cancel a subscription"),
    ],
)
def test_titles_that_share_most_words_are_on_one_topic(first, second):
    assert is_one_topic(first, second)
    assert is_one_topic(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("How to Reschedule a Lesson", "Cancelling a Lesson More Than 24 Hours Ahead"),
        ("Gift Cards", "Opening Hours of Support"),
        ("", "Gift Cards"),
        ("How to", "How to"),
    ],
    ids=["another deed", "nothing shared", "no title", "no topic named"],
)
def test_titles_that_share_few_words_are_not(first, second):
    assert not is_one_topic(first, second)


def test_a_text_and_its_older_version_are_one_text():
    old = (
        "You get your money back within 14 days when you ask through the form in your wallet; a fee applies."
    )
    new = "Ask through the form in your wallet and you get your money back within 30 days, without a fee."

    assert is_one_text(old, new)
    assert not is_one_text(new, "Open the lesson room ten minutes early and test your camera and microphone.")


@given(st.text(), st.text())
def test_it_does_not_matter_which_text_comes_first(first, second):
    assert is_one_topic(first, second) == is_one_topic(second, first)
    assert is_one_text(first, second) == is_one_text(second, first)


def test_support_is_the_share_of_subjects_found_by_their_beginnings():
    texts = ["Rescheduling a lesson", "Open the wallet."]

    assert support({"reschedule", "lesson", "wallet", "dog"}, texts) == 0.75
    assert support({"dog"}, texts) == 0.0


def test_a_question_that_names_nothing_has_no_support_to_speak_of():
    assert support((), ["Open the wallet."]) is None
    assert support((), ()) is None


@given(st.frozensets(st.text(min_size=1), min_size=1), st.lists(st.text()), st.text())
def test_more_texts_never_lower_support(subjects, texts, another):
    fewer, more = support(subjects, texts), support(subjects, [*texts, another])

    assert fewer is not None
    assert more is not None
    assert 0 <= fewer <= more <= 1
