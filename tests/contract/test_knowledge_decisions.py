"""What people decide on a pair of articles counts for every search, until it is withdrawn (DESIGN §2.4)."""

import pytest

from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.knowledge import ArticleStatus, SearchQuery
from tests.contract.knowledge_rig import IMPLEMENTATIONS, knowledge_rig, one_passage
from tests.knowledge_builders import an_article, toward

SUPERSEDED = SearchQuery(vector=toward(0), locales=("en",), statuses=frozenset({ArticleStatus.SUPERSEDED}))


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def a_decision(**fields) -> Decision:
    defaults = {
        "key": PairKey("pair"), "kind": DecisionKind.SUPERSEDED, "loser": "OLD", "winner": "NEW", "who": "anna", "at_ms": 5,
    }  # fmt: skip
    return Decision(**{**defaults, **fields})


async def test_an_article_that_a_person_put_out_is_found_no_more_from_then_on(rig):
    rig.publish(an_article("NEW"), an_article("OLD"))
    assert await rig.found_ids() == ["NEW#0", "OLD#0"]

    rig.decide(a_decision())

    assert await rig.found_ids() == ["NEW#0"]
    assert await rig.found_ids(SUPERSEDED) == ["OLD#0"]
    assert await rig.index.article("OLD") is None
    assert (await rig.index.article("NEW")).id == "NEW"


async def test_a_decision_outlives_the_generation_that_it_was_made_in(rig):
    rig.publish(an_article("NEW"), an_article("OLD"))
    rig.decide(a_decision())

    rig.publish(an_article("NEW"), an_article("OLD", title="Edited"))

    assert await rig.found_ids() == ["NEW#0"]


async def test_a_withdrawn_decision_counts_no_more(rig):
    rig.publish(an_article("NEW"), an_article("OLD"))
    rig.decide(a_decision())
    assert await rig.found_ids() == ["NEW#0"]

    rig.withdraw("pair")

    assert await rig.found_ids() == ["NEW#0", "OLD#0"]
    assert (await rig.index.article("OLD")).id == "OLD"


async def test_articles_that_a_person_keeps_apart_are_both_found(rig):
    rig.publish(an_article("NEW"), an_article("OLD"))

    rig.decide(a_decision(kind=DecisionKind.DISTINCT))

    assert await rig.found_ids() == ["NEW#0", "OLD#0"]
    assert (await rig.index.article("OLD")).id == "OLD"


@pytest.mark.parametrize("status", [ArticleStatus.DRAFT, ArticleStatus.RETIRED, None])
async def test_an_article_is_not_put_out_by_one_that_customers_cannot_read(rig, status):
    newer = () if status is None else (an_article("NEW", status=status),)
    rig.publish(an_article("OLD"), *newer)

    rig.decide(a_decision())

    assert await rig.found_ids() == ["OLD#0"]


async def test_when_the_source_says_the_contrary_by_now_one_of_the_two_is_still_found(rig):
    rig.publish(an_article("NEW"), an_article("OLD"))
    rig.decide(a_decision())

    rig.change(one_passage(an_article("OLD", supersedes=("NEW",))))

    assert await rig.found_ids() == ["OLD#0"]
    assert (await rig.index.article("OLD")).id == "OLD"
    assert await rig.index.article("NEW") is None


async def test_what_is_asked_of_a_build_counts_decisions_too(rig):
    rig.decide(a_decision())

    build = rig.begin(one_passage(an_article("NEW")), one_passage(an_article("OLD")))

    (found,) = rig.writer.nearest(build, [toward(0)], limit=9)
    assert [article for article, _ in found] == ["NEW"]
