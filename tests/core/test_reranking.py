"""A second look chooses between topics that are close, never between articles on one topic, and loses nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.knowledge import RankedPassage
from bot.core.reranking import compared_text, reranked, to_compare
from tests.knowledge_builders import a_found_passage

TITLES = {
    "move": "How to Reschedule a Lesson",
    "late": "Rescheduling a Lesson With Less Than 24 Hours Notice",
    "money": "When Are Payments Returned",
    "tutor": "Becoming a Tutor",
}


def ranked(*names: str, rival: bool = True) -> tuple[RankedPassage, ...]:
    """Return passages such as "move", "move.2" in this order; "-" before a name: no rival."""
    return tuple(_one(name, place, rival=rival) for place, name in enumerate(names))


def _one(name: str, place: int, *, rival: bool) -> RankedPassage:
    bare = name.removeprefix("-")
    title = TITLES[bare.partition(".")[0]]
    found = a_found_passage(
        f"{bare.partition('.')[0]}#{bare.partition('.')[2] or 0}",
        cosine=0.8 - place / 100,
        title=title,
        text=f"On {title}.",
        embedded_text=f"{title}\nOn it.",
    )
    return RankedPassage(
        found=found, freshness=None, score=found.cosine, rival=rival and not name.startswith("-")
    )


def names(passages) -> list[str]:
    return [p.found.passage.id.replace("#0", "").replace("#", ".") for p in passages]


@pytest.mark.parametrize(
    ("order", "relevance", "expected"),
    [
        pytest.param(["move", "money"], [0.3, 0.8], ["money", "move"], id="the more relevant topic goes first"),
        pytest.param(["move", "money"], [0.8, 0.3], ["move", "money"], id="the first one stays"),
        pytest.param(["move", "money"], [0.50, 0.54], ["move", "money"], id="a lead that is not clear"),
        pytest.param(["move", "move.2", "money"], [0.1, 0.9, 0.8], ["move", "move.2", "money"],
                     id="an article's best passage counts"),
        pytest.param(["money", "move", "move.2"], [0.1, 0.2, 0.9], ["move", "move.2", "money"],
                     id="an article's passages stay together and in order"),
        pytest.param(["-tutor", "move", "money"], [0.1, 0.9], ["tutor", "money", "move"],
                     id="what is no rival keeps its place"),
        pytest.param(["move", "-tutor", "money"], [0.1, 0.9], ["money", "tutor", "move"],
                     id="rivals change places around it"),
        pytest.param(["money", "move", "late"], [0.1, 0.2, 0.9], ["move", "late", "money"],
                     id="articles on one topic move together, in their order"),
        pytest.param(["money", "move", "tutor"], [0.1, 0.2, 0.9], ["tutor", "money", "move"],
                     id="the others keep their order"),
    ],
)  # fmt: skip
def test_orders(order, relevance, expected):
    assert names(reranked(ranked(*order), relevance)) == expected


@pytest.mark.parametrize(
    "passages",
    [
        pytest.param(ranked(), id="nothing was found"),
        pytest.param(ranked("move"), id="one article"),
        pytest.param(ranked("move", "money", rival=False), id="no rivals"),
        pytest.param(ranked("move", "late"), id="rivals on one topic: freshness and conditions decide"),
    ],
)
def test_where_nothing_is_to_be_decided_nothing_is_asked(passages):
    assert to_compare(passages) == ()
    assert reranked(passages, ()) == passages


def test_two_versions_of_one_text_are_one_topic_whatever_their_titles():
    text = "Open the calendar, choose another free slot of the same tutor and confirm the new appointment."
    first, second = ranked("move", "money")
    same = [
        replace(p, found=replace(p.found, passage=replace(p.found.passage, text=text)))
        for p in (first, second)
    ]

    assert to_compare(same) == ()


def test_a_passage_is_compared_as_it_was_embedded():
    assert compared_text(ranked("move")[0]) == "How to Reschedule a Lesson\nOn it."


def test_a_score_too_few_is_a_defect():
    with pytest.raises(ValueError, match="shorter"):
        reranked(ranked("move", "money"), [0.5])


@given(
    st.lists(st.sampled_from(["move", "late", "money", "tutor"]), unique=True),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_nothing_is_lost_or_changed(order, rivals, relevance):
    passages = ranked(*(name if rival else f"-{name}" for name, rival in zip(order, rivals, strict=False)))

    found = reranked(passages, relevance[: len(to_compare(passages))])

    assert sorted(found, key=lambda p: p.found.passage.id) == sorted(
        passages, key=lambda p: p.found.passage.id
    )
