"""What the content team sees of the articles and decides on them (FAULTS R-K7)."""

from dataclasses import replace

import pytest

from bot.adapters.memory.catalogue import MemoryArticleCatalogue
from bot.adapters.memory.clock import ManualClock
from bot.core.content import DAY_MS, DecisionKind, PairKey
from bot.core.conversation import AgentId
from bot.core.duplicates import PairKind
from bot.core.knowledge import ArticleStatus, SearchQuery
from bot.errors import Refused, RetrievalUnavailable
from bot.service.content import CITED_DAYS, Content
from tests.knowledge_builders import a_run, an_article
from tests.service.shelf import Shelf

ANNA = AgentId("anna")
NOW_MS = ManualClock().now_ms()
CANCEL = "You can cancel a lesson free of charge up to {} hours before it starts. Open My Lessons and choose Cancel."
CURRENT = an_article(
    "KB1",
    title="Cancelling a Lesson",
    body=CANCEL.format(24),
    tags=("lessons",),
    last_modified_ms=NOW_MS - DAY_MS,
)
OUTDATED = an_article(
    "KB2", title="How to Cancel a Lesson", body=CANCEL.format(12), last_modified_ms=NOW_MS - 800 * DAY_MS
)
OTHER = an_article("KB3", title="Gift Cards", body="Give one to a friend.", tags=("gifts",), evergreen=True)


class Citations:
    """Counts of citations; `since_ms` is what was asked for."""

    def __init__(self, **counts):
        self.counts, self.since_ms = counts, None

    async def citations(self, *, since_ms):
        self.since_ms = since_ms
        return self.counts


def a_content(*articles, **cited):
    shelf = Shelf.holding(articles or (CURRENT, OUTDATED, OTHER))
    content = Content(
        catalogue=MemoryArticleCatalogue(shelf.writer),
        traffic=Citations(**cited),
        index=shelf.index,
        clock=ManualClock(),
    )
    return content, shelf


def ids(listed):
    return [one.listed.id for one in listed.articles]


async def test_the_list_has_every_article_with_its_citations():
    content, _ = a_content(KB1=7)

    listed = await content.articles()

    assert [(one.listed.id, one.cited) for one in listed.articles] == [("KB1", 7), ("KB2", 0), ("KB3", 0)]
    assert (listed.total, listed.tags) == (3, ("gifts", "lessons"))
    assert content.traffic.since_ms == NOW_MS - CITED_DAYS * DAY_MS


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"text": "cancelling"}, ["KB1", "KB2"]),
        ({"text": "friend"}, ["KB3"]),
        ({"text": "gifts"}, ["KB3"]),
        ({"text": " kb2 "}, ["KB2"]),
        ({"text": "cancel", "tag": "lessons"}, ["KB1"]),
        ({"status": ArticleStatus.DRAFT}, []),
        ({"status": ArticleStatus.ACTIVE, "tag": "gifts"}, ["KB3"]),
        ({"text": "  "}, ["KB1", "KB2", "KB3"]),
    ],
)  # fmt: skip
async def test_the_list_is_searched_by_words_status_and_tag(asked, found):
    content, _ = a_content()

    assert ids(await content.articles(**asked)) == found


async def test_an_article_of_two_years_is_flagged_unless_it_is_evergreen():
    """FAULTS R-K7: it is shown with its date, and flagged."""
    evergreen = replace(OTHER, last_modified_ms=OUTDATED.last_modified_ms)
    content, _ = a_content(CURRENT, OUTDATED, evergreen)

    flagged = {
        one.listed.id: (one.old, one.listed.last_modified_ms) for one in (await content.articles()).articles
    }

    assert flagged["KB2"] == (True, NOW_MS - 800 * DAY_MS)
    assert not flagged["KB1"][0]
    assert not flagged["KB3"][0]


async def test_an_article_is_shown_whole():
    content, _ = a_content(KB3=2)

    whole = await content.article("KB3")

    assert (whole.body, whole.article.cited) == (OTHER.body, 2)
    assert await content.article("KB9") is None


async def test_articles_that_contradict_each_other_are_shown_with_their_dates():
    """FAULTS R-K7: the sentences stand side by side."""
    content, _ = a_content()

    (pair,) = (await content.pairs()).waiting

    assert (pair.kind, pair.left.article_id, pair.right.article_id) == (PairKind.CONTRADICTION, "KB1", "KB2")
    assert (pair.left.last_modified_ms, pair.right.last_modified_ms) == (
        NOW_MS - DAY_MS,
        NOW_MS - 800 * DAY_MS,
    )
    assert pair.sentences[0].differs == ("24 hours", "12 hours")


async def test_the_article_that_is_not_kept_is_found_no_more():
    content, shelf = a_content()
    (pair,) = (await content.pairs()).waiting

    decision = await content.decide(pair.key, keep="KB1", who=ANNA)

    assert (decision.kind, decision.loser, decision.winner) == (DecisionKind.SUPERSEDED, "KB2", "KB1")
    assert (decision.who, decision.at_ms) == ("anna", NOW_MS)
    assert (await content.pairs()).waiting == ()
    assert await shelf.index.article("KB2") is None
    (vector,) = await shelf.embedder.embed_queries(["cancel a lesson"])
    found = await shelf.index.search(SearchQuery(vector=vector, locales=("en",)))
    assert "KB2" not in {one.article_id for one in found.passages}


async def test_a_decision_is_told_with_its_articles_and_can_be_undone():
    content, shelf = a_content()
    (pair,) = (await content.pairs()).waiting
    await content.decide(pair.key, keep="KB2", who=ANNA)
    (decided,) = (await content.pairs()).decided
    await content.withdraw(pair.key)

    assert (decided.loser.id, decided.loser.status) == ("KB1", ArticleStatus.SUPERSEDED)
    assert decided.winner.id == "KB2"
    assert [one.key for one in (await content.pairs()).waiting] == [pair.key]
    assert (await shelf.index.article("KB1")).id == "KB1"


async def test_articles_that_are_called_distinct_stay_and_wait_no_more():
    content, shelf = a_content()
    (pair,) = (await content.pairs()).waiting
    await content.decide(pair.key, keep=None, who=ANNA)

    pairs = await content.pairs()

    assert (pairs.waiting, pairs.total) == ((), 0)
    assert pairs.decided[0].decision.kind is DecisionKind.DISTINCT
    assert await shelf.index.article("KB2")


async def test_a_pair_that_does_not_wait_is_not_decided_on():
    content, _ = a_content()
    (pair,) = (await content.pairs()).waiting

    with pytest.raises(Refused, match="KB3 is not one of the pair"):
        await content.decide(pair.key, keep="KB3", who=ANNA)
    await content.decide(pair.key, keep="KB1", who=ANNA)
    with pytest.raises(Refused, match="does not wait any more"):
        await content.decide(pair.key, keep="KB2", who=ANNA)
    with pytest.raises(Refused, match="does not wait any more"):
        await content.decide(PairKey("unknown"), keep=None, who=ANNA)


async def test_pairs_follow_the_articles():
    content, shelf = a_content()
    assert (await content.pairs()).total == 1

    shelf.publish((CURRENT, replace(OUTDATED, body="Ask your tutor."), OTHER))

    assert (await content.pairs()).total == 0


async def test_where_articles_only_went_nothing_is_compared_again():
    content, _ = a_content(CURRENT, OUTDATED, replace(OUTDATED, id="KB4", body=CANCEL.format(6)))
    assert (await content.pairs()).total == 3
    near = content.compared.near

    left = content.compared.left_among([one for one in near if "KB4" not in one.articles])

    assert [(pair.left.article_id, pair.right.article_id) for pair in left] == [("KB1", "KB2")]
    assert content.compared.left_among([replace(near[0], cosine=0.71)]) is None


async def test_health_tells_the_last_good_sync_and_what_is_live():
    content, shelf = a_content()
    shelf.writer.record_run(a_run("worker", started_ms=3_000, ended_ms=4_000, interval_s=900))

    health = await content.health()

    assert (health.sync.last_good_ms, health.sync.every_ms, health.sync.late) == (4_000, 900_000, True)
    assert [run.id for run in health.runs] == ["worker", "r1"]
    assert (health.live.articles, health.previous) == (3, None)


async def test_an_outage_is_no_empty_list():
    content, _ = a_content()
    content.catalogue.fails = RetrievalUnavailable("down")

    for call in (content.articles(), content.pairs(), content.article("KB1"), content.health()):
        with pytest.raises(RetrievalUnavailable):
            await call
