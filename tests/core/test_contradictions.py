"""Two texts side by side: which of their statements cannot both be right, and which only complete each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.contradictions import differences, rarity_in, text_of

TOPIC = 0.4


def compared(left: str, right: str, *, titles=("Cancelling a Lesson", "How to Cancel a Lesson"), least=TOPIC):
    one, other = text_of(titles[0], left), text_of(titles[1], right)
    return differences(one, other, rarity_in([one, other]), least=least)


CONTRADICTIONS = [
    pytest.param(
        "You can cancel free of charge up to 24 hours before the lesson.",
        "Until 12 hours before the lesson you can cancel free of charge.",
        ("24 hours", "12 hours"),
        id="a period",
    ),
    pytest.param(
        "We review applications within 5 working days.",
        "An application is reviewed within 20 working days.",
        ("5 working days", "20 working days"),
        id="working days",
    ),
    pytest.param("A gift card costs $25.", "The gift card costs $30.", ("$25", "$30"), id="a price"),
    pytest.param(
        "You get 50 % of the price back.", "You get 80% of the price back.", ("50 %", "80%"), id="a share"
    ),
    pytest.param(
        "The summer course begins on 1 July.",
        "The summer course begins on July 15.",
        ("1 july", "july 15"),
        id="a date",
    ),
    pytest.param(
        "Support answers from 9:00 to 17:00.",
        "Support answers from 8:00 to 17:00.",
        ("9:00", "8:00"),
        id="a time",
    ),
    pytest.param(
        "A group class has at most 8 learners.",
        "At most 6 learners join a group class.",
        ("8 learners", "6 learners"),
        id="a count",
    ),
    pytest.param("You must be 18 or older.", "You must be 21 or older.", ("18", "21"), id="a bare number"),
    pytest.param(
        "Credits can be refunded to your card.", "Credits cannot be refunded to your card.", ("not",), id="cannot"
    ),
    pytest.param(
        "Every group class is recorded.",
        "Group classes are not recorded: [Lesson Recordings](x.md).",
        ("not",),
        id="not",
    ),
    pytest.param(
        "Sie können bis 24 Stunden vor der Stunde kostenlos absagen.",
        "Kostenlos absagen können Sie bis zwölf Stunden vor der Stunde.",
        ("24 stunden", "12 stunden"),
        id="German",
    ),
    pytest.param(
        "You get your money back within 30 days. This replaces the earlier period of 14 days.",
        "You get your money back within 14 days.",
        ("30 days", "14 days"),
        id="the older amount is told as history",
    ),
    pytest.param(
        "| Length | Price |\n|---|---|\n| 90 minutes | 29 credits |",
        "| Length | Price |\n|---|---|\n| 45 minutes | 16 credits |\n| 90 minutes | 30 credits |",
        ("29 credits", "30 credits"),
        id="rows of a table",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "differs"), CONTRADICTIONS)
def test_statements_that_cannot_both_be_right_are_found(left, right, differs):
    (found,) = compared(left, right)

    assert found.differs == differs


@pytest.mark.parametrize(("left", "right", "differs"), CONTRADICTIONS)
def test_neither_side_comes_first(left, right, differs):
    (found,) = compared(right, left)

    assert set(found.differs) == set(differs)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(
            "With more than 24 hours to go, all credits of the lesson come back.",
            "With less than 24 hours to go, 5 credits of the lesson come back.",
            id="conditions that exclude each other",
        ),
        pytest.param(
            "## More than 24 hours before\n\nYou get 100 % of the price of the lesson back.",
            "## Less than 24 hours before\n\nYou get 50 % of the price of the lesson back.",
            id="under such headings",
        ),
        pytest.param(
            "Cancel up to 24 hours before the lesson. A trial lesson can be cancelled up to 12 hours before.",
            "Cancel up to 12 hours before the trial lesson.",
            id="the other case is stated too",
        ),
        pytest.param(
            "Version 1.3.5 of the lesson app is fixed.", "Version 2.0.1 of the lesson app is fixed.", id="versions"
        ),
        pytest.param("Take a UNO R3 to the lesson.", "Take a UNO R4 to the lesson.", id="names with numbers"),
        pytest.param(
            "See [If your lesson cannot be cancelled](x.md).", "See [If your lesson can be cancelled](y.md).", id="titles"
        ),
        pytest.param(
            "Open the lesson room.", "Open the lesson room if it does not open by itself.", id="a condition behind"
        ),
        pytest.param("How many hours before? 24 hours?", "How many hours before? 12 hours?", id="questions"),
        pytest.param("A lesson takes 60 minutes.", "A lesson costs 20 credits.", id="amounts of other things"),
        pytest.param("A lesson takes 60 minutes.", "A lesson takes one hour.", id="the same in other words"),
        pytest.param("Refunds take 5 days.", "Our office closes at 17:00.", id="nothing in common"),
        pytest.param("The app costs 5 EUR.", "The app costs 5 EUR.", id="equal"),
        pytest.param("```\nwait 5 minutes\n```", "```\nwait 9 minutes\n```", id="code"),
        pytest.param("", "", id="nothing"),
    ],
)  # fmt: skip
def test_what_completes_each_other_is_no_contradiction(left, right):
    assert compared(left, right) == ()


def test_titles_with_opposed_conditions_complete_each_other():
    titles = ("Cancelling More Than 24 Hours Before", "Cancelling With Less Than 24 Hours Notice")

    assert compared("You get 100 % back.", "You get 50 % back.", titles=titles) == ()


def test_the_most_alike_statements_come_first():
    left = "The tutor is paid 72 hours after the class. We review applications within 5 working days."
    right = (
        "We review applications within 20 working days. Some time after the class, 48 hours, tutors get paid."
    )

    assert [one.differs[0] for one in compared(left, right)] == ["5 working days", "72 hours"]


def test_only_what_stands_in_the_passage_is_compared_but_the_whole_article_is_known():
    left = text_of("Refunds", "Ask within 30 days. Ask within 14 days.", "Ask within 30 days.", "Time")
    right = text_of("Returns", "Ask within 14 days.")

    assert differences(left, right, rarity_in([left, right]), least=TOPIC) == ()


@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(left, right):
    for found in compared(left, right):
        assert found.differs
        assert 0 <= found.alike <= 1
