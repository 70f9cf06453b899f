"""When nothing was found: the offer, what makes it the second in a row, and what must have happened for it to be true."""

import pytest

from bot.core.offering import offered_first
from bot.core.outcome import Ask, ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.truth import is_truthful
from bot.core.turn import Stage, StageStatus, TurnStart
from bot.errors import RetrievalUnavailable
from tests.builders import a_bot_message, a_conversation, a_handoff, a_message, a_ranked_passage, a_turn
from tests.core.builders import a_broken_stage, a_record, a_stage, an_index_seen

OFFERS = TurnPolicy(offer_before_handoff=True)
OFFER = Ask(text="", offer=True)
NO_EVIDENCE = a_handoff(ReasonCode.NO_EVIDENCE)
offer_message = a_bot_message(seq=2, refusal=True, options=("I would like to talk to a person",))


def test_nothing_found_becomes_an_offer_when_the_operator_says_so():
    assert offered_first(NO_EVIDENCE, OFFERS, offered=False) == OFFER


@pytest.mark.parametrize(
    ("policy", "offered"), [(TurnPolicy(), False), (OFFERS, True)], ids=["not wanted", "offered before"]
)
def test_nothing_found_stays_a_handoff_otherwise(policy, offered):
    assert offered_first(NO_EVIDENCE, policy, offered=offered) is NO_EVIDENCE


@pytest.mark.parametrize("reason", [r for r in ReasonCode if r is not ReasonCode.NO_EVIDENCE], ids=str)
def test_no_other_reason_becomes_an_offer(reason):
    handoff = a_handoff(reason)

    assert offered_first(handoff, OFFERS, offered=False) is handoff


@pytest.mark.parametrize(
    ("before", "offered"),
    [
        pytest.param([], False, id="nothing before"),
        pytest.param([offer_message], True, id="an offer"),
        pytest.param([a_bot_message(seq=2, refusal=True, reason="no_evidence")], False, id="a handoff"),
        pytest.param([a_bot_message(seq=2, options=("Less", "More"))], False, id="a question"),
        pytest.param([offer_message, a_bot_message(seq=3)], False, id="an answer since"),
        pytest.param([offer_message, a_message("hm", seq=3)], True, id="the customer wrote twice"),
    ],
)
def test_an_offer_counts_while_the_bot_has_said_nothing_since(before, offered):
    now = a_message(seq=9)
    unanswered = tuple(m for m in (*before, now) if m.seq > 2 and m.role is now.role)
    start = TurnStart(conversation=a_conversation(), history=(*before, now), unanswered=unanswered)

    assert start.offered is offered


SEARCHED = (Stage.ROUTE, Stage.QUERY, Stage.INDEX, Stage.EMBED, Stage.SEARCH, Stage.RANK)
NOTHING_PASSED = a_stage(Stage.EVIDENCE_GATE, StageStatus.STOPPED, finding="no_evidence")
FAR = {"ranked": (a_ranked_passage(0.3),), "best_cosine": 0.3, "threshold": 0.5, "index": an_index_seen()}


@pytest.mark.parametrize(
    ("stages", "found", "truthful"),
    [
        pytest.param(a_record(*SEARCHED, ends=NOTHING_PASSED), FAR, True, id="nothing passed"),
        pytest.param(a_record(*SEARCHED, ends=NOTHING_PASSED), {**FAR, "ranked": ()}, False, id="empty"),
        pytest.param(a_record(*SEARCHED), FAR, False, id="never compared"),
        pytest.param((), FAR, False, id="nothing happened"),
        pytest.param(
            a_record(*SEARCHED[:4], ends=a_broken_stage(Stage.SEARCH, RetrievalUnavailable("x"))),
            FAR,
            False,
            id="the search failed",
        ),
    ],
)
def test_an_offer_is_truthful_only_where_no_evidence_would_be(stages, found, truthful):
    assert is_truthful(a_turn(OFFER, stages=stages, **found)) is truthful
