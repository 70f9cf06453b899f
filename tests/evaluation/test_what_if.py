"""Another threshold over recorded turns: the gate's comparison again, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.asking import question_after
from bot.core.what_if import Change, change_of
from bot.errors import Refused
from bot.evaluation.traffic import PastConversation, Recorded
from bot.evaluation.what_if import what_if

START = question_after((), "How?", locale="en")


def past(name: str = "t1", **recorded) -> PastConversation:
    fields = {"outcome": "answer", "best_cosine": 0.6, "threshold": 0.5, "fingerprint": "f"} | recorded
    return PastConversation(id=name, start=START, recorded=Recorded.model_validate(fields))


STOPPED = {"outcome": "handoff", "reason": "no_evidence"}


@pytest.mark.parametrize(
    ("recorded", "threshold", "change"),
    [
        pytest.param(STOPPED | {"best_cosine": 0.48}, 0.48, Change.PASSES, id="at the threshold"),
        pytest.param(STOPPED | {"best_cosine": 0.48}, 0.49, Change.STAYS, id="still stopped"),
        pytest.param({"outcome": "ask", "offer": True, "best_cosine": 0.48}, 0.4, Change.PASSES, id="offer"),
        pytest.param({"best_cosine": 0.6}, 0.61, Change.IS_HANDED_OVER, id="answer"),
        pytest.param({"outcome": "ask", "best_cosine": 0.6}, 0.61, Change.IS_HANDED_OVER, id="question"),
        pytest.param({"best_cosine": 0.6}, 0.6, Change.STAYS, id="still answered"),
        pytest.param({"outcome": "courtesy", "best_cosine": None}, 0.9, Change.STAYS, id="courtesy"),
        pytest.param(
            {"outcome": "handoff", "reason": "customer_asked", "best_cosine": None},
            -1,
            Change.STAYS,
            id="asked",
        ),
        pytest.param(
            {"outcome": "handoff", "reason": "ungrounded_draft"}, 0.9, Change.STAYS, id="after the gate"
        ),
    ],
)
def test_a_turn_passes_is_handed_over_or_stays(recorded, threshold, change):
    (one,) = what_if([past(**recorded)], threshold).turns

    assert change_of(one, threshold) is change


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), max_size=9), st.floats(-1, 1))
def test_every_stopped_and_answered_turn_is_counted(rows, threshold):
    turns = [past(**(STOPPED if stopped else {}), best_cosine=best) for best, stopped in rows]

    supposed = what_if(turns, threshold)

    assert supposed.stopped + supposed.answered == len(rows)
    assert len(supposed.of(Change.PASSES)) == sum(s and best >= threshold for best, s in rows)
    assert len(supposed.of(Change.IS_HANDED_OVER)) == sum(not s and best < threshold for best, s in rows)


def test_the_surest_change_comes_first():
    turns = [past("near", best_cosine=0.59), past("far", best_cosine=0.2), past("middle", best_cosine=0.5)]

    found = what_if(turns, 0.6).of(Change.IS_HANDED_OVER)

    assert [one.conversation.id for one in found] == ["far", "middle", "near"]


def test_a_conversation_without_a_recorded_turn_is_refused():
    with pytest.raises(Refused, match="conversation g1 has no recorded turn"):
        what_if([past(), PastConversation(id="g1", start=START)], 0.5)


def test_scores_of_two_embedding_models_have_no_threshold_in_common():
    routed = past(outcome="courtesy", best_cosine=None, fingerprint=None)
    assert len(what_if([past(), routed], 0.5).turns) == 2

    with pytest.raises(Refused, match=r"of 2 embedding models \(f, g\).*--since"):
        what_if([past(), past(fingerprint="g")], 0.5)
