"""The threshold slider: recorded turns of the embedder in use under another threshold."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.core.conversation import ConversationId, TurnId
from bot.core.outcome import ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.ranking import DAY_MS
from bot.core.traffic import QuestionTurn
from bot.errors import InputRejected
from bot.service.supposing import UNCALIBRATED, Supposing
from tests.service.shelf import ARTICLES, Shelf

SHELF = Shelf.holding(ARTICLES)
FINGERPRINT = str(SHELF.embedder.fingerprint)


class Traffic:
    """Recorded turns; `asked` is the span that was asked for."""

    def __init__(self, *turns):
        self.turns, self.asked = turns, None

    async def question_turns(self, *, since_ms, until_ms, limit):
        self.asked = (since_ms, until_ms)
        return self.turns[-limit:]


def a_question_turn(name, best, *, stopped=False, **fields):
    ended = {"outcome": "handoff", "reason": ReasonCode.NO_EVIDENCE} if stopped else {"outcome": "answer"}
    return QuestionTurn(
        **{
            "conversation": ConversationId(name), "turn": TurnId(f"t-{name}"), "asker": name, "settled_ms": 0, "locale": "en",
            "texts": ("How?",), "best_cosine": best, "threshold": 0.45, "fingerprint": FINGERPRINT,
        } | ended | fields
    )  # fmt: skip


def supposing(*turns, shelf=SHELF, can_abstain=True, **policy):
    return Supposing(
        traffic=Traffic(*turns),
        index=shelf.index,
        policy=TurnPolicy(**policy),
        clock=ManualClock(),
        can_abstain=can_abstain,
    )


def names(turns):
    return [turn.conversation for turn in turns]


async def test_a_lower_threshold_lets_stopped_questions_pass():
    turns = [a_question_turn("near", 0.44, stopped=True), a_question_turn("far", 0.2, stopped=True)]

    supposed = await supposing(*turns, a_question_turn("answered", 0.7)).what_if(0.4, days=30)

    assert (names(supposed.passing_turns), supposed.passes, supposed.handed_over) == (["near"], 1, 0)
    assert (supposed.n, supposed.stopped, supposed.answered) == (3, 2, 1)


async def test_a_higher_threshold_hands_answers_over_the_surest_first():
    turns = [a_question_turn("close", 0.58), a_question_turn("sure", 0.46), a_question_turn("stays", 0.7)]

    supposed = await supposing(*turns).what_if(0.6, days=30)

    assert (names(supposed.handed_over_turns), supposed.passes) == (["sure", "close"], 0)


async def test_without_a_threshold_the_one_in_use_is_shown():
    supposed = await supposing(a_question_turn("a", 0.5)).what_if(None, days=30)
    own = await supposing(gate_threshold=0.5).what_if(None, days=30)

    assert (supposed.threshold, supposed.current) == (0.45, 0.45)
    assert own.current == 0.5
    assert supposed.lowest < 0.45 < supposed.highest


async def test_turns_of_another_embedder_are_counted_and_left_out():
    turns = [a_question_turn("old", 0.1, fingerprint="other"), a_question_turn("new", 0.5)]
    unsearched = a_question_turn("greeting", None, outcome="courtesy", fingerprint=None)

    supposed = await supposing(*turns, unsearched).what_if(0.45, days=30)

    assert (supposed.n, supposed.others) == (1, 1)


async def test_the_curve_has_what_every_threshold_of_the_slider_would_do():
    turns = [a_question_turn("s", 0.3, stopped=True), a_question_turn("a", 0.5)]

    points = (await supposing(*turns).what_if(None, days=30)).curve

    assert len(points) == 41
    assert (points[0].passes, points[0].handed_over) == (1, 0)
    assert (points[-1].passes, points[-1].handed_over) == (0, 1)


async def test_only_the_days_asked_for_are_read():
    service = supposing()
    await service.what_if(None, days=7)

    since_ms, until_ms = service.traffic.asked
    assert until_ms - since_ms == 7 * DAY_MS


async def test_an_uncalibrated_index_says_what_to_do():
    shelf = Shelf.holding(ARTICLES)
    shelf.writer.calibrations.clear()

    supposed = await supposing(a_question_turn("a", 0.5), shelf=shelf).what_if(0.5, days=30)

    assert (supposed.problem, supposed.curve) == (UNCALIBRATED, ())


@pytest.mark.parametrize(("threshold", "days"), [(2.0, 30), (-1.0, 30), (float("nan"), 30), (0.5, 0)])
async def test_what_no_slider_has_is_refused(threshold, days):
    with pytest.raises(InputRejected):
        await supposing().what_if(threshold, days=days)
