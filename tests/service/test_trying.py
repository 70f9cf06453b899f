"""The search tester: a turn's own steps on a question or a conversation, and nothing kept."""

from dataclasses import replace

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.core.conversation import Role
from bot.core.outcome import CourtesyKind, ReasonCode
from bot.core.ranking import DAY_MS
from bot.errors import InputRejected, RetrievalUnavailable
from bot.service.trying import Trying
from tests.service.rig import Rig, a_rig
from tests.service.shelf import RESCHEDULE

QUESTION = "How do I reschedule a class?"
ASKED = ((Role.CUSTOMER, QUESTION),)


async def a_trying(*articles) -> Trying:
    rig = await a_rig(articles=articles)
    return Trying(retrieving=rig.turns.answering.retrieving, can_abstain=True)


@pytest.fixture
def trying(rig: Rig):
    return Trying(retrieving=rig.turns.answering.retrieving, can_abstain=True)


async def test_a_question_shows_what_it_finds_and_that_it_passes(trying, rig):
    tried = await trying.attempt(ASKED, locale="en")

    assert tried.passes
    assert tried.embedded == (QUESTION,)
    assert tried.passages[0].found.article_id == "KB000003"
    assert tried.best == pytest.approx(tried.passages[0].found.cosine, abs=0.05)
    assert (tried.threshold, tried.generation) == (0.45, (await rig.index.status()).generation)
    assert tried.problem == tried.routed == ""


async def test_a_question_that_no_article_answers_does_not_pass(trying):
    tried = await trying.attempt(((Role.CUSTOMER, "Which planets have rings?"),), locale="en")

    assert not tried.passes
    assert tried.passages
    assert tried.best < tried.threshold


async def test_it_finds_exactly_what_a_real_turn_finds(trying, rig):
    turn = await rig.ask(QUESTION)

    tried = await trying.attempt(ASKED, locale="en")

    assert (tried.query, tried.passages) == (turn.query, turn.ranked)
    assert (tried.best, tried.threshold, tried.support) == (turn.best_cosine, turn.threshold, turn.support)


async def test_a_conversation_shows_which_messages_count(trying):
    said = (
        (Role.CUSTOMER, QUESTION),
        (Role.BOT, "I'm sorry, I couldn't find anything about that in our articles."),
        (Role.CUSTOMER, "it is about a class tomorrow"),
        (Role.CUSTOMER, "with my tutor"),
    )

    tried = await trying.attempt(said, locale="en")

    assert tried.query.used == (1, 3, 4)
    assert [dropped.seq for dropped in tried.query.dropped] == [2]
    assert tried.query.bare == "it is about a class tomorrow\nwith my tutor"
    assert len(tried.embedded) == 2


async def test_an_outdated_article_stands_below_the_current_one_and_says_how_fresh_it_is():
    """DESIGN §5.5, from the source's front matter to the rank: dates count, and evergreen articles are always fresh."""
    now_ms = ManualClock().now_ms()
    current = replace(RESCHEDULE, id="NEW", body=f"{RESCHEDULE.body} Really.", last_modified_ms=now_ms)
    outdated = replace(RESCHEDULE, last_modified_ms=now_ms - 730 * DAY_MS)

    tried = await (await a_trying(outdated, current)).attempt(ASKED, locale="en")
    lasting = await (await a_trying(replace(outdated, evergreen=True), current)).attempt(ASKED, locale="en")

    assert [(p.found.article_id, p.freshness) for p in tried.passages] == [("NEW", 1.0), ("KB000003", 0.0)]
    assert [(p.found.article_id, p.freshness) for p in lasting.passages] == [("KB000003", 1.0), ("NEW", 1.0)]
    assert tried.passages[0].found.cosine < tried.passages[1].found.cosine


async def test_nothing_is_kept(trying, rig):
    await trying.attempt(ASKED, locale="en")

    assert await rig.store.conversations_with_turns(since_ms=0) == ()
    assert await rig.messages() == ()
    assert rig.log == []


@pytest.mark.parametrize(
    ("text", "routed"),
    [("Hello!", CourtesyKind.GREETING), ("I want to speak to a person", ReasonCode.CUSTOMER_ASKED)],
)
async def test_what_a_turn_would_not_search_is_searched_and_said(trying, text, routed):
    tried = await trying.attempt(((Role.CUSTOMER, text),), locale="en")

    assert tried.routed == routed
    assert tried.embedded == (text,)


async def test_an_outage_is_a_problem_and_no_verdict(trying, rig):
    rig.embedder.at_embed.fails = RetrievalUnavailable("the embedder is down")

    tried = await trying.attempt(ASKED, locale="en")

    assert tried.problem == "RetrievalUnavailable: the embedder is down"
    assert (tried.passes, tried.passages) == (False, ())


async def test_an_index_without_calibration_says_what_to_do(trying, rig):
    rig.shelf.writer.calibrations.clear()
    strict = Trying(retrieving=trying.retrieving, can_abstain=False)

    assert (await trying.attempt(ASKED, locale="en")).passes
    assert (await strict.attempt(ASKED, locale="en")).problem == "uncalibrated: run `bot calibrate`"


@pytest.mark.parametrize(
    "said",
    [(), ((Role.BOT, "Hello"),), ((Role.CUSTOMER, " \n"),), ((Role.CUSTOMER, "x" * 4_001),)],
    ids=["nothing", "the bot's", "blank", "too long"],
)
async def test_what_holds_no_question_is_refused(trying, said):
    with pytest.raises(InputRejected):
        await trying.attempt(said, locale="en")
