"""What every article catalogue promises to the people who keep the articles, over each implementation."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.knowledge import ArticleStatus
from bot.errors import Refused, RetrievalUnavailable
from bot.sync_ports import GenerationState
from tests.contract.knowledge_rig import FINGERPRINT, IMPLEMENTATIONS, knowledge_rig, one_passage
from tests.knowledge_builders import a_passage, an_article, begin_build, toward

OLD, NEW = an_article("OLD"), an_article("NEW")


@pytest.fixture(params=IMPLEMENTATIONS)
def rig(request, tmp_path):
    with knowledge_rig(request.param, tmp_path) as opened:
        yield opened


def a_decision(**fields) -> Decision:
    defaults = {
        "key": PairKey("pair"), "kind": DecisionKind.SUPERSEDED, "loser": "OLD", "winner": "NEW", "who": "anna", "at_ms": 5,
    }  # fmt: skip
    return Decision(**{**defaults, **fields})


async def statuses(rig) -> dict[str, ArticleStatus]:
    return {one.id: one.status for one in await rig.catalogue.articles()}


async def near(rig, *, least=0.5, limit=100) -> list[tuple[str, str]]:
    pairs = await rig.catalogue.near_pairs(least=least, limit=limit)
    return [(pair.left.passage.id, pair.right.passage.id) for pair in pairs]


def a_text(article: str, text: str, **fields):
    """Return an article of one passage that says *text*."""
    passage = a_passage(f"{article}#0", text=text, embedded_text=f"{fields.get('title', '')}\n\n{text}")
    return an_article(article, **{"body": text, **fields}), [(passage, toward(len(article)))]


async def test_nothing_live_is_an_empty_list(rig):
    rig.begin(one_passage(an_article()))

    assert await rig.catalogue.articles() == ()
    assert await rig.catalogue.find_articles("rescheduling", limit=5) == ()
    assert await rig.catalogue.whole_article("KB1") is None
    assert await near(rig) == []


async def test_every_article_is_listed_with_what_its_source_says(rig):
    article = an_article(
        url="https://help.example/1", category="Lessons", tags=("a", "b"), last_modified_ms=7, evergreen=True
    )
    rig.publish(an_article("KB2", locale="es"), article)

    first, second = await rig.catalogue.articles()

    assert (first.id, first.title, first.url, first.category) == (
        "KB1",
        article.title,
        article.url,
        "Lessons",
    )
    assert (first.tags, first.last_modified_ms, first.evergreen) == (("a", "b"), 7, True)
    assert (first.status, first.superseded_by) == (ArticleStatus.ACTIVE, None)
    assert (second.id, second.locale) == ("KB2", "es")


async def test_each_status_is_listed_and_what_superseded_it(rig):
    rig.publish(OLD, an_article("DRAFT", status=ArticleStatus.DRAFT), replace(NEW, supersedes=("OLD",)))
    rig.change(retired=["DRAFT"])

    listed = {one.id: one for one in await rig.catalogue.articles()}

    assert listed["OLD"].status is ArticleStatus.SUPERSEDED
    assert listed["OLD"].superseded_by == "NEW"
    assert listed["NEW"].superseded_by is None
    assert listed["DRAFT"].status is ArticleStatus.RETIRED


async def test_a_changed_article_was_added_before_it_was_changed(rig):
    rig.publish(an_article())
    (before,) = await rig.catalogue.articles()
    build = begin_build(rig.writer, FINGERPRINT, [one_passage(an_article(body="New."))], at_ms=9_000)
    rig.finish(build)
    (after,) = await rig.catalogue.articles()

    assert (before.added_ms, before.changed_ms) == (1_000, 1_000)
    assert (after.added_ms, after.changed_ms) == (1_000, 9_000)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("wallet", ["A"]),
        ("REFÚND", ["A", "B"]),
        ("refund card", ["B"]),
        ("money", ["B"]),
        ("b", ["B"]),
        ("refund lesson", []),
        ("...", []),
        ("", []),
    ],
)
async def test_articles_are_found_by_title_tag_body_and_id(rig, text, found):
    rig.publish_passages(
        a_text("A", "Look into the wallet.", title="Refunds"),
        a_text("B", "It goes back to your card.", title="Refunding", tags=("money",)),
        a_text("C", "A lesson takes an hour.", title="Lessons"),
    )

    assert list(await rig.catalogue.find_articles(text, limit=5)) == found


async def test_articles_of_any_status_are_found_and_of_no_other_generation(rig):
    rig.publish_passages(a_text("A", "Old words about refunds."))
    rig.change(a_text("A", "New text."), a_text("B", "A refund.", status=ArticleStatus.DRAFT))

    assert await rig.catalogue.find_articles("refund", limit=5) == ("B",)
    assert await rig.catalogue.find_articles("old words", limit=5) == ()


async def test_no_more_articles_are_found_than_asked_for(rig):
    rig.publish_passages(*(a_text(name, "A refund.") for name in ("C", "A", "B")))

    assert await rig.catalogue.find_articles("refund", limit=2) == ("A", "B")


async def test_a_whole_article_is_as_its_source_has_it(rig):
    article = an_article(body="# One\n\nTwo.", tags=("x",), supersedes=("KB0",), status=ArticleStatus.DRAFT)
    rig.publish(article)

    assert await rig.catalogue.whole_article("KB1") == article
    assert await rig.catalogue.whole_article("KB9") is None


async def test_near_passages_of_two_articles_are_a_pair_the_nearest_first(rig):
    rig.publish_passages(
        (an_article("B"), [(a_passage("B#0"), toward(0))]),
        (an_article("A"), [(a_passage("A#0"), toward(10)), (a_passage("A#1", position=1), toward(60))]),
        (an_article("C"), [(a_passage("C#0"), toward(70))]),
    )

    assert await near(rig) == [("A#0", "B#0"), ("A#1", "C#0"), ("A#0", "C#0"), ("A#1", "B#0")]
    assert await near(rig, least=0.95) == [("A#0", "B#0"), ("A#1", "C#0")]
    assert await near(rig, limit=1) == [("A#0", "B#0")]


async def test_a_pair_has_what_tells_its_articles_apart(rig):
    article = an_article(
        "A", title="One", body="All of it.", url="https://help.example/A", last_modified_ms=5
    )
    rig.publish(article, an_article("B"))

    (pair,) = await rig.catalogue.near_pairs(least=0.9, limit=5)

    assert pair.cosine == pytest.approx(1.0)
    assert (pair.left.article_id, pair.left.title, pair.left.body) == ("A", "One", "All of it.")
    assert (pair.left.url, pair.left.last_modified_ms) == ("https://help.example/A", 5)
    assert pair.left.passage.text == "Open My Lessons."


@pytest.mark.parametrize(
    "other",
    [
        an_article("OLD", locale="es"),
        an_article("OLD", status=ArticleStatus.DRAFT),
        an_article("OLD", status=ArticleStatus.SUPERSEDED),
    ],
    ids=["another language", "a draft", "superseded"],
)
async def test_only_active_articles_of_one_language_are_compared(rig, other):
    rig.publish(NEW, other)

    assert await near(rig) == []


async def test_two_copies_of_one_text_are_the_nearest_pair(rig):
    rig.publish(NEW, OLD, degrees=30.0)

    assert await near(rig, least=1.0) == [("NEW#0", "OLD#0")]


async def test_many_equal_texts_give_no_more_pairs_than_asked_for_and_always_the_same(rig):
    rig.publish(*(an_article(f"KB{n:02}") for n in range(12)))

    assert await near(rig, limit=4) == [("KB00#0", f"KB{n:02}#0") for n in range(1, 5)]


async def test_pairs_follow_what_is_live(rig):
    rig.publish(NEW, OLD)
    assert await near(rig) == [("NEW#0", "OLD#0")]
    rig.change(retired=["OLD"])
    assert await near(rig) == []
    rig.roll_back()

    assert await near(rig) == [("NEW#0", "OLD#0")]


async def test_pairs_are_the_same_until_something_changes(rig):
    rig.publish(NEW, OLD)

    first, second = await asyncio.gather(*(rig.catalogue.near_pairs(least=0.5, limit=5) for _ in range(2)))

    assert first == second


async def test_a_decision_is_kept_and_counts_at_once(rig):
    rig.publish(NEW, OLD)
    assert await near(rig) == [("NEW#0", "OLD#0")]
    await rig.catalogue.decide(a_decision())

    assert await rig.catalogue.decisions() == (a_decision(),)
    assert await statuses(rig) == {"NEW": ArticleStatus.ACTIVE, "OLD": ArticleStatus.SUPERSEDED}
    assert await rig.found_ids() == ["NEW#0"]
    assert await near(rig) == []


async def test_a_withdrawn_decision_leaves_all_as_it_was(rig):
    rig.publish(NEW, OLD)
    await rig.catalogue.decide(a_decision())
    await rig.catalogue.withdraw(PairKey("pair"))
    await rig.catalogue.withdraw(PairKey("unknown"))

    assert await rig.catalogue.decisions() == ()
    assert await near(rig) == [("NEW#0", "OLD#0")]


async def test_calling_two_articles_distinct_changes_no_status(rig):
    rig.publish(NEW, OLD)
    await rig.catalogue.decide(a_decision(kind=DecisionKind.DISTINCT))

    assert set((await statuses(rig)).values()) == {ArticleStatus.ACTIVE}
    assert await near(rig) == [("NEW#0", "OLD#0")]


async def test_a_later_decision_on_a_pair_takes_the_place_of_the_first(rig):
    rig.publish(NEW, OLD)
    await rig.catalogue.decide(a_decision())
    await rig.catalogue.decide(a_decision(loser="NEW", winner="OLD", at_ms=6))

    assert await rig.catalogue.decisions() == (a_decision(loser="NEW", winner="OLD", at_ms=6),)
    assert (await statuses(rig))["OLD"] is ArticleStatus.ACTIVE


async def test_of_two_who_decide_at_once_the_second_is_refused(rig):
    """Else each article would be superseded by the other, and customers would get neither."""
    rig.publish(NEW, OLD)
    await rig.catalogue.decide(a_decision(key=PairKey("one section")))

    with pytest.raises(Refused, match="OLD is not active any more"):
        await rig.catalogue.decide(a_decision(key=PairKey("another"), loser="NEW", winner="OLD"))

    assert [one.key for one in await rig.catalogue.decisions()] == ["one section"]


async def test_a_refused_decision_leaves_the_one_before_it(rig):
    rig.publish(NEW, OLD)
    await rig.catalogue.decide(a_decision(kind=DecisionKind.DISTINCT))
    rig.change(retired=["OLD"])

    with pytest.raises(Refused):
        await rig.catalogue.decide(a_decision())

    assert await rig.catalogue.decisions() == (a_decision(kind=DecisionKind.DISTINCT),)


async def test_the_newest_decision_is_told_first(rig):
    rig.publish(NEW, OLD, an_article("X"))
    for at_ms, key in enumerate(["a", "b", "c"]):
        await rig.catalogue.decide(a_decision(key=PairKey(key), kind=DecisionKind.DISTINCT, at_ms=at_ms))

    assert [one.key for one in await rig.catalogue.decisions()] == ["c", "b", "a"]


async def test_runs_and_generations_are_told_newest_first(rig):
    rig.publish(NEW)
    rig.change(one_passage(OLD))

    states = [one.state for one in await rig.catalogue.generations()]

    assert states == [GenerationState.LIVE, GenerationState.PREVIOUS]
    assert await rig.catalogue.runs(limit=5) == rig.writer.runs(limit=5)
    assert len(await rig.catalogue.runs(limit=1)) == 1


async def test_a_catalogue_that_cannot_be_read_says_so(rig):
    rig.break_catalogue()

    for call in (
        rig.catalogue.articles(),
        rig.catalogue.near_pairs(least=0.5, limit=5),
        rig.catalogue.decisions(),
        rig.catalogue.withdraw(PairKey("x")),
    ):
        with pytest.raises(RetrievalUnavailable):
            await call
