"""A sync while an answer is written: what it withdrew, superseded or rewrote is not cited any more (FAULTS K13)."""

from dataclasses import replace
from functools import partial

import pytest

from bot.core.conversation import Status
from bot.core.knowledge import ArticleId, ArticleStatus
from bot.core.outcome import Answer, Ask, ReasonCode
from bot.core.prompt import Asked, Citation, Finished, Stop, Usage
from bot.core.turn import Stage
from bot.errors import RetrievalUnavailable
from tests.service.faults import quoted
from tests.service.meanwhile import meanwhile
from tests.service.rig import Rig, reason_of
from tests.service.shelf import ARTICLES, PROVERB, REFUNDS, RESCHEDULE
from tests.service.stand_ins import quoting

COMPLETE = Finished(stop=Stop.COMPLETE)
NEW_BODY = "How do I reschedule a class? Open My Lessons and choose Move. It is free until 12 hours before."
REWRITTEN = replace(RESCHEDULE, body=NEW_BODY)
SUCCESSOR = replace(REWRITTEN, id=ArticleId("KB000099"), supersedes=(RESCHEDULE.id,))
UNRELATED = replace(PROVERB, body="A stitch in time saves nine.")
REST = (REFUNDS, PROVERB)


def syncs(rig: Rig, *articles):
    return partial(rig.shelf.publish, articles)


@pytest.mark.parametrize("streams", [True, False], ids=["block by block", "all at once"])
@pytest.mark.parametrize(
    ("published", "cited"),
    [
        pytest.param((REWRITTEN, *REST), RESCHEDULE.id, id="rewritten"),
        pytest.param((RESCHEDULE, SUCCESSOR, *REST), SUCCESSOR.id, id="superseded"),
        pytest.param((SUCCESSOR, *REST), SUCCESSOR.id, id="retired for another"),
    ],
)
async def test_what_was_changed_before_it_was_shown_is_searched_and_written_again(
    rig: Rig, published, cited, streams
):
    rig.answerer.streams = streams
    meanwhile(rig, syncs(rig, *published))

    turn = await rig.ask()

    assert isinstance(turn.outcome, Answer)
    assert ([source.id for source in turn.outcome.sources], turn.outcome.text) == ([cited], NEW_BODY)
    assert [text for what, text in rig.log if what == "shown"] == [NEW_BODY]
    assert [stage.name for stage in turn.stages].count(Stage.SEARCH) == 2


@pytest.mark.parametrize("status", [ArticleStatus.RETIRED, ArticleStatus.DRAFT], ids=str)
async def test_what_was_withdrawn_with_nothing_in_its_place_is_handed_over(rig: Rig, status):
    meanwhile(rig, syncs(rig, replace(RESCHEDULE, status=status), *REST))

    turn = await rig.ask()

    assert reason_of(turn) is ReasonCode.NO_EVIDENCE
    assert not any(what == "shown" for what, _ in rig.log)


async def test_a_sync_that_changes_other_articles_lets_the_draft_stand(rig: Rig):
    meanwhile(rig, syncs(rig, RESCHEDULE, REFUNDS, UNRELATED))

    turn = await rig.ask()

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text == RESCHEDULE.body
    assert (len(rig.answerer.requests), len(rig.embedder.embedded)) == (1, 1)


async def test_without_a_sync_nothing_is_searched_again(rig: Rig):
    await rig.ask()

    assert len(rig.index.searches) == 1


async def test_a_question_that_rests_on_a_changed_article_is_written_again(rig: Rig):
    def asks(request):
        best = request.evidence.passages[0].found.passage
        asked = Asked(
            text="Is it more than 24 hours before?", citations=(Citation(passage=best.id, quote=best.text),)
        )
        return (asked,) if best.text == RESCHEDULE.body else (quoted(NEW_BODY), COMPLETE)

    meanwhile(rig, syncs(rig, REWRITTEN, *REST), writes=asks)

    turn = await rig.ask()

    assert not isinstance(turn.outcome, Ask)
    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text == NEW_BODY


async def test_a_draft_that_was_thrown_away_is_counted_too(rig: Rig):
    used = Usage(input_tokens=100, output_tokens=10, cost_usd=0.5)
    rig.answerer.streams = False
    meanwhile(
        rig,
        syncs(rig, REWRITTEN, *REST),
        writes=lambda request: (quoting(request)[0], replace(COMPLETE, usage=used)),
    )

    turn = await rig.ask()

    assert turn.usage == Usage(input_tokens=200, output_tokens=20, cost_usd=1.0)


async def test_a_second_sync_in_one_turn_is_not_raced_against(rig: Rig):
    again = replace(RESCHEDULE, body=f"{NEW_BODY} Or later.")
    meanwhile(rig, syncs(rig, REWRITTEN, *REST), syncs(rig, again, *REST))

    turn = await rig.ask()

    assert reason_of(turn) is ReasonCode.INDEX_NOT_READY
    assert not any(what == "shown" for what, _ in rig.log)


async def test_after_a_first_block_was_shown_the_rest_is_not_and_a_person_takes_over(rig: Rig):
    first, second = (
        quoted("Open My Lessons and choose Reschedule."),
        quoted("It is free until 24 hours before."),
    )
    meanwhile(rig, writes=lambda _request: (first, syncs(rig, REWRITTEN, *REST), second, COMPLETE))

    turn = await rig.ask()

    assert reason_of(turn) is ReasonCode.INDEX_NOT_READY
    assert [text for what, text in rig.log if what == "shown"] == [first.text]
    shown, _handoff = await rig.told()
    assert (shown.text, shown.interrupted) == (first.text, True)
    assert (await rig.state()).status is Status.QUEUED


async def test_what_was_shown_whole_before_the_sync_stands(rig: Rig):
    block = quoted("Open My Lessons and choose Reschedule.")
    meanwhile(rig, writes=lambda _request: (block, syncs(rig, REWRITTEN, *REST), COMPLETE))

    assert isinstance((await rig.ask()).outcome, Answer)


async def test_an_index_exchanged_for_one_of_another_model_ends_in_its_own_reason(rig: Rig):
    other = partial(rig.shelf.publish, ARTICLES, fingerprint="local/other")
    meanwhile(rig, other)

    assert reason_of(await rig.ask()) is ReasonCode.INDEX_NOT_READY


async def test_an_index_that_cannot_be_asked_again_does_not_take_the_answer_away(rig: Rig):
    def breaks():
        rig.index.at_status.fails = RetrievalUnavailable("disk I/O error")

    meanwhile(rig, breaks)

    assert isinstance((await rig.ask()).outcome, Answer)
