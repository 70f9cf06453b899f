"""Each way to make the search sees what its name says, and the blended one is the production's."""

from collections.abc import Sequence

import pytest

from bot.core.asking import question_after
from bot.core.conversation import Message, Role
from bot.core.policy import TurnPolicy
from bot.errors import RetrievalUnavailable
from bot.evaluation.golden import GoldenConversation, Topic
from bot.evaluation.strategies import ARTICLES, Strategy, retrieved
from bot.service.retrieving import Retrieving
from tests.evaluation.builders import a_golden
from tests.knowledge_builders import an_article
from tests.service.rig import QUESTION, Rig, a_rig

ASKED = "Does your lesson start in more or less than 24 hours?"
REFUSED = "Sorry, I found no article about this."
REPLY = "no its more"
OWN = f"{QUESTION}\n{REPLY}"


def after(*said: tuple[Role, str], reply: str = REPLY, **fields) -> GoldenConversation:
    history = tuple(
        Message(seq=seq, role=role, text=text, refusal=text == REFUSED)
        for seq, (role, text) in enumerate(said, start=1)
    )
    return a_golden(start=question_after(history, reply, locale="en"), gold=("KB000003",), **fields)


async def searched(golden: GoldenConversation, strategy: Strategy) -> Sequence[str]:
    """Return the texts that the strategy embeds for its search."""
    rig = await a_rig()
    await retrieved(golden, strategy, retrieving_of(rig), can_abstain=False)
    return rig.embedder.embedded


def retrieving_of(rig: Rig) -> Retrieving:
    return rig.turns.answering.retrieving


CONVERSATION = after(
    (Role.CUSTOMER, QUESTION), (Role.BOT, REFUSED), (Role.BOT, ASKED), rewrite="reschedule a class"
)


@pytest.mark.parametrize(
    ("strategy", "texts"),
    [
        (Strategy.LAST_TURN, [REPLY]),
        (Strategy.WINDOW, [f"{QUESTION}\n{ASKED}\n{REPLY}", OWN, REPLY]),
        (Strategy.WINDOW_UNFILTERED, [f"{QUESTION}\n{REFUSED}\n{ASKED}\n{REPLY}", OWN, REPLY]),
        (Strategy.BLENDED, [f"{QUESTION}\n{ASKED}\n{REPLY}", OWN, REPLY]),
        (Strategy.REWRITE, ["reschedule a class"]),
    ],
)
async def test_each_strategy_searches_with_its_own_texts(strategy, texts):
    embedded = await searched(CONVERSATION, strategy)

    assert list(dict.fromkeys(embedded)) == texts


async def test_a_conversation_without_a_rewrite_is_left_out_of_that_strategy():
    rig = await a_rig()

    assert await retrieved(after(), Strategy.REWRITE, retrieving_of(rig), can_abstain=False) is None


async def test_the_blend_scores_as_the_turn_does():
    rig = await a_rig()
    turn = await rig.ask(QUESTION)

    found = await retrieved(after(reply=QUESTION), Strategy.BLENDED, retrieving_of(rig), can_abstain=False)

    assert found is not None
    assert (found.score, found.threshold) == (turn.best_cosine, turn.threshold)
    assert found.articles[:1] == tuple(p.found.article_id for p in turn.ranked)[:1]


async def test_rankings_go_deeper_than_an_answer_needs():
    rig = await a_rig(articles=[an_article(f"KB{n}", title=f"Reschedule {n}") for n in range(15)])

    found = await retrieved(after(), Strategy.BLENDED, retrieving_of(rig), can_abstain=False)

    assert found is not None
    assert len(found.articles) == ARTICLES > TurnPolicy().ranking.max_articles


async def test_a_search_that_fails_is_no_result():
    rig = await a_rig()
    rig.index.at_search.fails = RetrievalUnavailable("down")

    with pytest.raises(RetrievalUnavailable, match="g: RetrievalUnavailable: down"):
        await retrieved(after(topic=Topic.NEAR), Strategy.WINDOW, retrieving_of(rig), can_abstain=False)
