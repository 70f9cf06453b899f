"""DESIGN §2.1: a bare reply is looked for together with what it replies to; alone it finds something else."""

from dataclasses import replace

import pytest

from bot.core.gate import gate_cosine
from bot.core.knowledge import SearchQuery
from bot.core.lexical import terms
from bot.core.outcome import Answer, Ask
from bot.core.prompt import Asked
from bot.core.turn import Turn
from tests.knowledge_builders import an_article
from tests.service.rig import QUESTION, Rig, a_rig
from tests.service.shelf import REFUNDS, RESCHEDULE, THRESHOLD

ASKED = "Is it less than 24 hours before the class?"
BARE = ("no its more", "yes", "less", "more", "no")


@pytest.mark.parametrize("reply", BARE)
async def test_the_window_finds_what_the_bare_message_does_not(rig: Rig, reply):
    rig.answerer.script = (Asked(text=ASKED, options=("Less", "More")),)
    assert isinstance((await rig.ask(QUESTION)).outcome, Ask)
    rig.answerer.script = None

    turn = await rig.ask(reply)

    assert isinstance(turn.outcome, Answer)
    assert [s.id for s in turn.outcome.sources] == [RESCHEDULE.id]
    assert turn.query is not None
    assert (turn.query.text, turn.query.bare) == (f"{QUESTION}\n{ASKED}\n{reply}", reply)
    assert (turn.query.own, turn.query.told, turn.query.is_bare_reply) == (
        f"{QUESTION}\n{reply}",
        ASKED,
        True,
    )
    assert rig.answerer.requests[-1].question == reply


@pytest.mark.parametrize("reply", BARE)
async def test_alone_the_bare_message_does_not_find_the_article(rig: Rig, reply):
    turn = await rig.ask(reply)

    (cosine,) = (r.found.cosine for r in turn.ranked if r.found.article_id == RESCHEDULE.id)
    assert cosine < THRESHOLD


async def ask_after_a_question(rig: Rig, text: str, *, asked: str = ASKED) -> Turn:
    """Say *text* after the bot has asked something."""
    rig.answerer.script = (Asked(text=asked),)
    await rig.ask(QUESTION)
    rig.answerer.script = None
    return await rig.ask(text)


def words_looked_for(rig: Rig) -> list[tuple[set[str], float]]:
    return [(set(words.terms), words.weight) for words in rig.index.searches[-1].words]


async def test_a_bare_reply_looks_for_the_customers_words_and_less_for_those_of_the_question_it_answers(
    rig: Rig,
):
    await ask_after_a_question(rig, "more")

    told_weight = rig.turns.answering.policy.retrieval.told_weight
    assert words_looked_for(rig) == [
        (set(terms("reschedule class")), 1.0),
        (set(terms("24 class")), told_weight),
    ]


async def test_a_whole_question_looks_for_its_own_words_and_has_its_own_vector(rig: Rig):
    question = "When are payments returned after a tutor cancels?"
    turn = await ask_after_a_question(rig, question)

    assert words_looked_for(rig) == [(set(terms("payments returned tutor cancels")), 1.0)]
    assert turn.query is not None
    assert (turn.query.own, turn.query.is_bare_reply) == (question, False)
    assert turn.ranked[0].found.article_id == REFUNDS.id


async def test_a_longer_reply_is_bare_after_a_question_only(rig: Rig):
    reply = "my usual Spanish tutor"
    after_a_question = await ask_after_a_question(rig, reply, asked="Which class is it?")
    otherwise = await ask_after_a_question(rig, reply, asked="Is it this class? Tell me.")

    read = [turn.query and turn.query.is_bare_reply for turn in (after_a_question, otherwise)]
    assert read == [True, False]


async def test_a_short_message_that_is_close_to_an_article_by_itself_is_no_bare_reply():
    vouchers = an_article("VOUCHERS", title="Gift vouchers", body="Gift vouchers!")
    rig = await a_rig(articles=(RESCHEDULE, REFUNDS, vouchers))

    turn = await ask_after_a_question(rig, "gift vouchers")

    assert turn.query is not None
    assert (turn.query.own, turn.query.is_bare_reply) == ("gift vouchers", False)
    assert turn.ranked[0].found.article_id == vouchers.id


async def test_the_gate_weighs_how_near_the_window_is_and_how_near_the_customers_own_words_are(rig: Rig):
    turn = await ask_after_a_question(rig, "more")

    assert turn.query is not None
    both = await rig.embedder.embed_queries([turn.query.text, turn.query.own])
    searches = [await rig.index.search(SearchQuery(vector=one, locales=("en",))) for one in both]
    window, own = (found.passages[0].cosine for found in searches)
    policy = rig.turns.answering.policy.retrieval
    nearest = max(p.found.cosine for p in turn.ranked)
    assert turn.best_cosine == pytest.approx(gate_cosine((window, own), nearest, policy))
    assert window != pytest.approx(own)


async def test_what_was_stated_orders_the_articles_that_are_found():
    less = replace(RESCHEDULE, id="LESS", title="Rescheduling a class: less than 24 hours")
    general = replace(RESCHEDULE, title="Rescheduling a class")
    rig = await a_rig(articles=(general, less, REFUNDS))
    for reply, first in (("it's in 2 hours", "LESS"), ("it's in 3 days", general.id)):
        turn = await ask_after_a_question(rig, reply)

        assert turn.ranked[0].found.article_id == first
