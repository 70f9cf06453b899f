"""What articles and customers say of amounts of time, in five languages."""

from math import inf

import pytest

from bot.core.conditions import (
    Bound,
    Condition,
    StatedValue,
    asked_conditions,
    conditions,
    opposed,
    single_condition,
    stated_condition,
)
from bot.core.rules import Polarity

BELOW_A_DAY = Condition(bound=Bound.BELOW, hours=24)
ABOVE_A_DAY = Condition(bound=Bound.ABOVE, hours=24)
QUESTION = "1. Open My Lessons.\n\nIs it less than 24 hours before your lesson?"
YES, NO = Polarity.YES, Polarity.NO


@pytest.mark.parametrize(
    "text",
    [
        "Rescheduling With Less Than 24 Hours Notice",
        "less then 24 hrs",
        "less than 24h",
        "under a day",
        "within 24 hours",
        "within the next 24 hours",
        "not more than 24 hours",
        "no more than a day",
        "24 hours or less",
        "up to 24 hours",
        "fewer than 24 huors",
        "less\u200b than 24\u00a0hours",
        "menos de 24 horas",
        "dentro de las 24 horas",
        "weniger als 24 Stunden",
        "innerhalb von 24 Stunden",
        "moins de 24 heures",
        "moins d'un jour",
        "moins d\u2019une journée",
        "menos de um dia",
        "em menos de 24 horas",
    ],
)
def test_an_upper_limit_is_read(text):
    assert conditions(text) == (BELOW_A_DAY,)


@pytest.mark.parametrize(
    "text",
    [
        "Cancelling a Lesson More Than 24 Hours Before It Starts",
        "If your lesson starts in more than 24 hours, nothing is charged.",
        "more then 24 hrs",
        "at least 24 hours",
        "24+ hours",
        "over a day",
        "up to 24 hours before the start",
        "no later than 24 hours before it",
        "not less than 24 hours before",
        "24 hours or more",
        "más de 24 horas",
        "hasta 24 horas antes",
        "mehr als 24 Stunden",
        "bis zu 24 Stunden vorher",
        "über einen Tag",
        "plus de 24 heures",
        "jusqu'à 24 heures avant",
        "au moins un jour",
        "mais de 24 horas",
        "pelo menos um dia",
    ],
)
def test_a_lower_limit_is_read(text):
    assert conditions(text) == (ABOVE_A_DAY,)


@pytest.mark.parametrize(
    "text", ["", "Lesson Recordings", "A lesson takes 50 minutes.", "more lessons than in 24", "24"]
)
def test_a_text_without_a_comparison_has_no_condition(text):
    assert conditions(text) == ()


def test_a_text_about_both_sides_is_about_neither():
    assert single_condition("Less than 24 hours: ask. More than 24 hours: free.") is None


def test_days_and_hours_are_compared_with_each_other():
    assert single_condition("more than 2 days") == Condition(bound=Bound.ABOVE, hours=48)
    assert single_condition("less than half an hour") == Condition(bound=Bound.BELOW, hours=0.5)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (BELOW_A_DAY, ABOVE_A_DAY, True),
        (BELOW_A_DAY, Condition(bound=Bound.ABOVE, hours=48), True),
        (BELOW_A_DAY, Condition(bound=Bound.ABOVE, hours=12), False),
        (BELOW_A_DAY, Condition(bound=Bound.BELOW, hours=48), False),
        (ABOVE_A_DAY, ABOVE_A_DAY, False),
    ],
)
def test_conditions_are_opposed_when_no_amount_meets_both(a, b, expected):
    assert opposed(a, b) is opposed(b, a) is expected


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("yes", YES),
        ("yep", YES),
        ("yes it is", YES),
        ("less", None),
        ("less than that", None),
        ("not more", None),
        ("yeah less than a day", YES),
        ("it's in 3 hours", None),
        ("within 24 hours", None),
        ("in a couple of hours", None),
        ("today", None),
        ("yes, tomorrow", YES),
        ("no its less than 24 hours", NO),
        ("no, sooner", NO),
        ("half a day", None),
        ("menos", None),
        ("weniger", None),
        ("moins de 24h", None),
        ("hoje", None),
    ],
)
def test_a_reply_that_means_less_fits_the_lower_side(text, polarity):
    stated = stated_condition(text, QUESTION, polarity)

    assert stated is not None
    assert BELOW_A_DAY.fits(stated)
    assert ABOVE_A_DAY.excludes(stated)


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("no", NO),
        ("nope", NO),
        ("more", None),
        ("more than a day", None),
        ("no its more than 24 hours", NO),
        ("no, more than that", NO),
        ("longer", None),
        ("not less", None),
        ("isn't less than 24 hours", None),
        ("over 24h away", None),
        ("next week", None),
        ("no, tomorrow", NO),
        ("two days", None),
        ("24 hours", None),
        ("24+ hours", None),
        ("the day after tomorrow", None),
        ("yes more than 24 hrs", YES),
        ("más", None),
        ("pasado mañana", None),
        ("mehr als einen Tag", None),
        ("plus d'une journée", None),
        ("mais de um dia", None),
    ],
)
def test_a_reply_that_means_more_fits_the_upper_side(text, polarity):
    stated = stated_condition(text, QUESTION, polarity)

    assert stated is not None
    assert ABOVE_A_DAY.fits(stated)
    assert BELOW_A_DAY.excludes(stated)


@pytest.mark.parametrize("text", ["tomorrow", "its tomorrow", "more than 12 hours", "less than 2 days"])
def test_a_reply_that_leaves_it_open_fits_neither_side(text):
    stated = stated_condition(text, QUESTION, None)

    assert stated is not None
    assert not BELOW_A_DAY.fits(stated)
    assert not BELOW_A_DAY.excludes(stated)


@pytest.mark.parametrize(
    "text",
    [
        "what do you mean?",
        "no more than 24 hours",
        "more than 24 hours, well, less than 24 hours",
        "I paid 2 days ago",
        "I have waited for more than 24 hours",
        "one more thing, my tutor never writes back to me at all",
    ],
)
def test_a_reply_without_a_clear_statement_states_nothing(text):
    assert stated_condition(text, QUESTION, None) is None


@pytest.mark.parametrize("text", ["yes", "less", "more than that", "2 days"])
def test_a_bare_reply_means_nothing_without_a_question(text):
    assert stated_condition(text, "Open My Lessons.", YES if text == "yes" else None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My lesson is in 3 hours, how do I reschedule?", StatedValue(low=3, high=3)),
        ("What if it is less than 24 hours before?", StatedValue(low=0, high=24)),
        ("my class is next week, can I move it", StatedValue(low=24, high=inf)),
        ("can I move it to next week", None),
        ("how do I reschedule my 1 hour lesson", None),
        ("I've been waiting for more than 24 hours", None),
    ],
)
def test_a_first_message_states_only_what_it_says_of_the_lesson(text, expected):
    assert stated_condition(text, "", None) == expected


def test_only_the_last_question_of_a_bot_message_counts():
    assert asked_conditions(f"More than 2 days to go? Then wait.\n\n{QUESTION}") == (BELOW_A_DAY,)


def test_yes_to_a_question_with_two_sides_states_nothing_but_less_does():
    question = "Is it more or less than 24 hours?"

    assert stated_condition("yes", question, YES) is None
    assert stated_condition("less", question, None) == BELOW_A_DAY.value


def test_a_question_in_the_middle_of_a_message_asks_nothing():
    """Articles are quoted with their own rhetorical questions."""
    assert asked_conditions(f"**{QUESTION}** Other rules apply.\n\n1. Click **Reschedule**.") == ()
    assert asked_conditions(f"Other rules may apply. *{QUESTION}*") == (BELOW_A_DAY,)
