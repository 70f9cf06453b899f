"""How many articles customers are told of: counted seldom, and never in the way of a conversation."""

from dataclasses import replace

from bot.core.knowledge import ArticleId
from bot.errors import RetrievalUnavailable
from bot.service.article_count import KEPT_S, ArticleCount
from tests.service.rig import Rig
from tests.service.shelf import ARTICLES, RESCHEDULE


def count_of(rig: Rig) -> ArticleCount:
    return ArticleCount(status=rig.index.status, clock=rig.clock)


async def test_it_is_the_number_of_articles_on_the_shelf(rig: Rig):
    assert await count_of(rig).known() == len(ARTICLES)


async def test_it_is_read_again_after_a_minute(rig: Rig):
    count = count_of(rig)
    before = await count.known()
    rig.shelf.publish([*ARTICLES, replace(RESCHEDULE, id=ArticleId("KB000099"))])

    assert await count.known() == before
    rig.clock.advance(int(KEPT_S * 1000))
    assert await count.known() == before + 1


async def test_an_index_that_is_down_counts_nothing_and_keeps_nobody_out(rig: Rig):
    rig.index.at_status.fails = RetrievalUnavailable("connection refused")

    assert await count_of(rig).known() == 0


async def test_an_index_that_hangs_is_not_waited_for(rig: Rig):
    rig.index.at_status.waits = True

    assert await replace(count_of(rig), wait_s=0.01).known() == 0
