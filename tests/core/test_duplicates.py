"""Pairs of articles that a person should look at: what counts as a pair, of which kind, and in which order."""

import pytest

from bot.core.content import ComparedPassage, NearPair
from bot.core.duplicates import PairKind, are_set_apart, candidates, ordered, pair_of, rarity_among
from tests.knowledge_builders import a_passage

TEXT = "Open Wallet and choose Refund; unused credits go back to the card that you paid with."


def a_side(
    article: str, text: str = TEXT, *, title: str = "", body: str = "", heading: str = "", position: int = 0
):
    passage = a_passage(
        f"{article}#{position}",
        article_id=article,
        text=text,
        headings=(heading,) if heading else (),
        position=position,
    )
    return ComparedPassage(passage=passage, title=title or f"Refunds {article}", body=body or text)


def near(left: ComparedPassage, right: ComparedPassage, cosine: float = 0.9) -> NearPair:
    return NearPair(left=left, right=right, cosine=cosine)


def pairs_of(*found: NearPair):
    grouped = candidates(found)
    rarity = rarity_among(grouped)
    return ordered(pair for one in grouped if (pair := pair_of(one, rarity)))


def test_articles_that_say_the_same_are_duplicates():
    (pair,) = pairs_of(near(a_side("A"), a_side("B", TEXT.replace("Open", "Visit"))))

    assert (pair.kind, pair.coverage, pair.heading) == (PairKind.DUPLICATE, 1.0, "Refunds A")
    assert [one.differs for one in pair.sentences] == [("Open", "Visit")]


def test_another_apostrophe_is_no_other_word():
    straight = TEXT.replace("the card", "the bank's card")
    curly = straight.replace("'", "\u2019").replace("Open", "Visit")

    (pair,) = pairs_of(near(a_side("A", straight), a_side("B", curly)))

    assert [one.differs for one in pair.sentences] == [("Open", "Visit")]


def test_what_is_equal_word_for_word_has_nothing_side_by_side():
    (pair,) = pairs_of(near(a_side("A"), a_side("B")))

    assert pair.sentences == ()


@pytest.mark.parametrize(
    ("cosine", "text"),
    [(0.84, TEXT), (0.95, "Credits that you bought are valid for a year, those of a gift card for longer.")],
    ids=["too far", "close in meaning, in other words"],
)
def test_close_passages_are_duplicates_only_when_they_share_their_words(cosine, text):
    assert pairs_of(near(a_side("A"), a_side("B", text), cosine)) == ()


def test_a_contradiction_hides_that_the_rest_is_the_same():
    left, right = f"{TEXT} It takes 5 days.", f"{TEXT} It takes 9 days."

    (pair,) = pairs_of(near(a_side("A", left), a_side("B", right)))

    assert pair.kind is PairKind.CONTRADICTION
    assert [one.differs for one in pair.sentences] == [("5 days", "9 days")]


def test_articles_on_one_topic_are_compared_as_a_whole():
    left = a_side("A", title="Refund Period", body=f"{TEXT}\n\n## Time\n\nAsk for a refund within 30 days.")
    right = a_side("B", title="The Refund Period", body="You can ask for a refund within 14 days.")

    (pair,) = pairs_of(near(left, right, 0.75))

    assert pair.one_topic
    assert pair.sentences[0].differs == ("30 days", "14 days")


def test_articles_on_other_topics_are_compared_where_they_are_near():
    left = a_side("A", title="Gift Cards", body=f"{TEXT}\n\nA gift card is valid for 30 days.")
    right = a_side(
        "B", title="Wallet", body="A gift card is valid for 14 days.", text="Look into the wallet."
    )

    assert pairs_of(near(left, right, 0.75)) == ()


def test_sections_under_one_heading_are_compared_as_if_on_one_topic():
    left = a_side("A", "Send it back within 14 days.", title="Orders", heading="Returning a parcel")
    right = a_side("B", "Within 30 days send it back.", title="Shop", heading="Returning your parcel")

    (pair,) = pairs_of(near(left, right, 0.75))

    assert (pair.one_topic, pair.heading) == (False, "Returning a parcel")


def test_several_near_passages_make_one_pair():
    first = near(a_side("A"), a_side("B"), 0.87)
    second = near(a_side("A", f"{TEXT} Now.", position=1), a_side("B", f"{TEXT} Now.", position=1), 0.92)

    (pair,) = pairs_of(first, second)

    assert pair.cosine == 0.92


def test_the_most_pressing_pair_comes_first():
    topic = near(
        a_side("A", "Refunds take 5 days.", title="Refunds"),
        a_side("B", "Refunds take 9 days.", title="About Refunds"),
        0.8,
    )
    whole = near(a_side("C"), a_side("D"))
    part = near(a_side("E", body=TEXT * 9), a_side("F", body=TEXT * 5), 0.99)

    found = pairs_of(part, whole, topic)

    assert [pair.left.article_id for pair in found] == ["A", "C", "E"]


def test_a_pair_keeps_its_name_whatever_its_articles_say_next():
    (before,) = pairs_of(near(a_side("A"), a_side("B")))
    (after,) = pairs_of(near(a_side("A", f"{TEXT} Really."), a_side("B"), 0.88))
    (contradiction,) = pairs_of(near(a_side("A", f"{TEXT} In 5 days."), a_side("B", f"{TEXT} In 9 days.")))

    assert before.key == after.key != contradiction.key


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Agent 1.3.2", "Agent 1.3.5", True),
        ("Lessons of 30 Minutes", "Lessons of 60 Minutes", True),
        ("More Than 24 Hours Ahead", "Less Than 24 Hours Notice", True),
        ("Prices 2024", "Prices 2025", False),
        ("Check WiFi101", "Check WiFiNINA", False),
        ("Refunds", "The Refund Period", False),
    ],
)
def test_names_and_conditions_in_titles_set_articles_apart(one, other, apart):
    assert are_set_apart(one, other) is apart
    assert (pairs_of(near(a_side("A", title=one), a_side("B", title=other))) == ()) is apart
