"""Articles for an agent: what the bot had found first, then a search; and an outage that is never "nothing found"."""

from dataclasses import replace

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.core.outcome import ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.errors import IndexNotReady, RetrievalUnavailable
from bot.service.suggesting import MOST_ARTICLES, Suggesting
from tests.builders import a_turn
from tests.knowledge_builders import an_article
from tests.service.rig import RULES, a_rig
from tests.service.shelf import ARTICLES, REFUNDS, RESCHEDULE, Shelf
from tests.service.stand_ins import ScriptedEmbedder, ScriptedIndex

RETURNED = "When are payments returned after a tutor cancels?"


class Desk:
    """A shelf, and who looks into it."""

    def __init__(self, articles=ARTICLES, *, search_s: float = 5.0) -> None:
        self.shelf = Shelf.holding(articles)
        self.index, self.embedder = ScriptedIndex(self.shelf.index), ScriptedEmbedder(self.shelf.embedder)
        policy = TurnPolicy(deadlines=Deadlines(search_s=search_s, embed_s=search_s))
        self.suggesting = Suggesting(
            index=self.index, embedder=self.embedder, rules=RULES, policy=policy, clock=ManualClock()
        )

    async def ids(self, turns=(), text=RETURNED):
        found = await self.suggesting.articles(turns, text, locale="en")
        assert found.problem is None
        return [passage.article_id for passage in found.passages]


async def a_searching_turn():
    """A turn of the bot's about rescheduling, with what it found."""
    rig = await a_rig(articles=(RESCHEDULE,))
    return await rig.ask("How do I reschedule a class?")


async def test_a_text_finds_articles_the_best_first():
    desk = Desk()

    ids = await desk.ids()

    assert ids[0] == REFUNDS.id
    assert len(ids) == len(set(ids))
    assert desk.embedder.embedded == [RETURNED]


async def test_what_the_bot_found_last_stands_before_what_the_search_finds():
    ids = await Desk().ids([await a_searching_turn(), a_turn()])

    assert ids[:2] == [RESCHEDULE.id, REFUNDS.id]


async def test_an_article_that_customers_may_not_read_any_more_is_left_out():
    turn = await a_searching_turn()

    assert RESCHEDULE.id not in await Desk((REFUNDS,)).ids([turn])


async def test_an_article_that_was_rewritten_is_quoted_as_it_is_now():
    rewritten = replace(RESCHEDULE, body="How do I reschedule a class? Call us.")
    desk = Desk((rewritten, REFUNDS))

    found = await desk.suggesting.articles(
        [await a_searching_turn()], "How do I reschedule a class?", locale="en"
    )

    assert [p.passage.text for p in found.passages if p.article_id == RESCHEDULE.id] == [rewritten.body]


async def test_there_are_never_more_articles_than_an_agent_can_look_through():
    many = [an_article(f"KB{n}", title=f"Payments {n}", body=RETURNED) for n in range(MOST_ARTICLES + 4)]

    assert len(await Desk(many).ids()) == MOST_ARTICLES


@pytest.mark.parametrize("text", ["", "  ", "👍", "?!"])
async def test_nothing_is_searched_for_where_there_are_no_words(text):
    desk = Desk()

    assert await desk.ids(text=text) == []
    assert desk.embedder.embedded == []


@pytest.mark.parametrize(
    ("failure", "problem"),
    [
        (RetrievalUnavailable("down"), ReasonCode.RETRIEVAL_UNAVAILABLE),
        (IndexNotReady("building"), ReasonCode.INDEX_NOT_READY),
        (TimeoutError(), ReasonCode.RETRIEVAL_UNAVAILABLE),
    ],
)
@pytest.mark.parametrize("where", ["embed", "search"])
async def test_a_failed_search_is_said_beside_what_the_bot_had_found(failure, problem, where):
    desk = Desk()
    point = desk.embedder.at_embed if where == "embed" else desk.index.at_search
    point.fails = failure

    found = await desk.suggesting.articles([await a_searching_turn()], RETURNED, locale="en")

    assert found.problem is problem
    assert [p.article_id for p in found.passages] == [RESCHEDULE.id]


async def test_a_search_that_hangs_is_given_up():
    desk = Desk(search_s=0.01)
    desk.index.at_search.waits = True

    found = await desk.suggesting.articles((), RETURNED, locale="en")

    assert (found.passages, found.problem) == ((), ReasonCode.RETRIEVAL_UNAVAILABLE)


async def test_an_index_without_articles_is_not_ready_and_not_a_missing_article():
    empty = await Desk(articles=()).suggesting.articles((), RETURNED, locale="en")
    desk = Desk()
    desk.index.found = lambda result: replace(result, passages=())
    nonsense = await desk.suggesting.articles((), RETURNED, locale="en")

    assert {empty.problem, nonsense.problem} == {ReasonCode.INDEX_NOT_READY}
