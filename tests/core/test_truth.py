"""What a stage record allows a handoff to say: for each reason the records that support it, and no other reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.knowledge import IndexState
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode
from bot.core.truth import (
    ABSTAINED,
    CAPPED,
    COMPUTED,
    DEFECT,
    FOUND,
    FOUND_NOTHING,
    PROMISED_PERSON,
    REJECTED,
    REPEATED,
    TABULATED,
    TO_ARTICLES,
    TO_BOTH,
    TO_RECORDS,
    TURN_BUDGET,
    WORDED,
    is_truthful,
    true_reason,
)
from bot.core.turn import Stage, StageStatus, failing_stage
from bot.errors import (
    IndexNotReady,
    ModelUnavailable,
    RecordsUnavailable,
    RetrievalUnavailable,
)
from tests.builders import a_handoff, a_ranked_passage, a_turn, an_answer
from tests.core.builders import a_broken_stage, a_record, a_stage, an_index_seen

TO_SEARCH = (Stage.ROUTE, Stage.QUERY, Stage.INDEX, Stage.EMBED, Stage.SEARCH, Stage.RANK)
TO_EVIDENCE = (*TO_SEARCH, Stage.EVIDENCE_GATE)
TO_DRAFT = (*TO_EVIDENCE, Stage.DRAFT)
# The gate's score is not the passage's cosine: each of these would pass, or stop, by the other one.
FAR = {"ranked": (a_ranked_passage(0.6),), "best_cosine": 0.3, "threshold": 0.5, "index": an_index_seen()}
CLOSE = {"ranked": (a_ranked_passage(0.4),), "best_cosine": 0.7, "threshold": 0.5, "index": an_index_seen()}
NOT_READY = [s for s in IndexState if s is not IndexState.READY]
COMPUTED_ROUTE = a_stage(Stage.ROUTE, finding=COMPUTED)
TO_THE_ARTICLES = (COMPUTED_ROUTE, a_stage(Stage.RECORDS, finding=TO_ARTICLES))
TO_BOTH_HALVES = (COMPUTED_ROUTE, a_stage(Stage.RECORDS, finding=TO_BOTH))
FAILED_HALF = (*TO_BOTH_HALVES, a_broken_stage(Stage.RECORDS, RecordsUnavailable("down")))
REJECTED_HALF = (*TO_BOTH_HALVES, a_stage(Stage.RECORDS, StageStatus.STOPPED, finding=REJECTED))
TOLD_HALF = (*TO_BOTH_HALVES, a_stage(Stage.RECORDS, finding=FOUND), a_stage(Stage.RECORDS, finding=WORDED))


def stop(name, finding=None):
    return a_stage(name, StageStatus.STOPPED, finding=finding)


def routed(finding):
    return a_turn(stages=(stop(Stage.ROUTE, finding),))


def broken(stage, failure, **fields):
    before = list(Stage)[: list(Stage).index(stage)]
    return a_turn(stages=a_record(*before, ends=a_broken_stage(stage, failure)), **fields)


def stopped(*worked, at, finding=None, **fields):
    return a_turn(stages=a_record(*worked, ends=stop(at, finding)), **fields)


def gate_stopped(**fields):
    return stopped(*TO_SEARCH, at=Stage.EVIDENCE_GATE, **(FAR | fields))


def out_of_budget(*worked, at, **fields):
    ends = a_stage(at, StageStatus.TIMED_OUT, error="TimeoutError", finding=TURN_BUDGET)
    return a_turn(stages=a_record(*worked, ends=ends), **fields)


TRUE_OF = {
    ReasonCode.CUSTOMER_ASKED: [routed("customer_asked")],
    ReasonCode.ESCALATION_RULE: [routed("escalation_rule")],
    ReasonCode.NO_EVIDENCE: [
        gate_stopped(),
        a_turn(stages=(*TO_THE_ARTICLES, *gate_stopped().stages[1:]), **FAR),
        a_turn(stages=(*TOLD_HALF, *gate_stopped().stages[1:]), **FAR),
    ],
    ReasonCode.MODEL_ABSTAINED: [
        stopped(*TO_EVIDENCE, at=Stage.DRAFT, finding=ABSTAINED, **CLOSE),
        stopped(*TO_EVIDENCE, at=Stage.DRAFT, finding=ABSTAINED, **(FAR | {"threshold": None})),
        stopped(*TO_DRAFT, at=Stage.ANSWER_GATE, finding=PROMISED_PERSON, **CLOSE),
    ],
    ReasonCode.UNGROUNDED_DRAFT: [stopped(*TO_DRAFT, at=Stage.ANSWER_GATE, finding="uncited", **CLOSE)],
    ReasonCode.UNRESOLVED: [
        routed("unresolved"),
        stopped(*TO_DRAFT, at=Stage.ANSWER_GATE, finding=REPEATED, **CLOSE),
    ],
    ReasonCode.RETRIEVAL_UNAVAILABLE: [
        *(broken(s, RetrievalUnavailable("x")) for s in (Stage.INDEX, Stage.EMBED, Stage.SEARCH)),
        broken(Stage.EMBED, TimeoutError(), index=an_index_seen()),
    ],
    ReasonCode.INDEX_NOT_READY: [
        *(broken(Stage.INDEX, IndexNotReady("x"), index=an_index_seen(s)) for s in NOT_READY),
        broken(Stage.SEARCH, IndexNotReady("exchanged meanwhile"), index=an_index_seen()),
        gate_stopped(ranked=()),
        gate_stopped(best_cosine=None),
        gate_stopped(index=an_index_seen(calibrated=False), threshold=None),
        *(gate_stopped(index=an_index_seen(s)) for s in NOT_READY),
    ],
    ReasonCode.MODEL_UNAVAILABLE: [
        broken(Stage.DRAFT, ModelUnavailable("overloaded"), **CLOSE),
        broken(Stage.DRAFT, TimeoutError(), **CLOSE),
    ],
    ReasonCode.RECORDS_UNAVAILABLE: [
        a_turn(stages=(COMPUTED_ROUTE, a_broken_stage(Stage.RECORDS, RecordsUnavailable("off")))),
        a_turn(stages=(COMPUTED_ROUTE, stop(Stage.RECORDS))),
        a_turn(stages=(COMPUTED_ROUTE, a_broken_stage(Stage.EMBED, RetrievalUnavailable("x")))),
        a_turn(stages=(COMPUTED_ROUTE, *gate_stopped().stages[1:]), **FAR),
        a_turn(stages=(COMPUTED_ROUTE, stop(Stage.RECORDS, CAPPED))),
        a_turn(stages=(*FAILED_HALF, *gate_stopped().stages[1:]), **FAR),
        a_turn(stages=(*REJECTED_HALF, *broken(Stage.EMBED, RetrievalUnavailable("x")).stages[1:])),
    ],
    ReasonCode.OUT_OF_TIME: [
        out_of_budget(*TO_EVIDENCE, at=Stage.DRAFT, **CLOSE),
        out_of_budget(at=Stage.ROUTE),
        a_turn(stages=(*gate_stopped().stages, *out_of_budget(at=Stage.ROUTE).stages), **FAR),
    ],
    ReasonCode.TURN_LOST: [a_turn(stages=()), *(broken(s, ValueError("x")) for s in Stage)],
    ReasonCode.BOT_PAUSED: [routed("bot_paused")],
    ReasonCode.UNSUPPORTED_MESSAGE: [routed("unsupported_message")],
}
RECORDS = [
    pytest.param(code, turn, id=f"{code}-{n}")
    for code, turns in TRUE_OF.items()
    for n, turn in enumerate(turns)
]


def claims(turn, reason):
    return is_truthful(a_turn(a_handoff(reason), **{f: getattr(turn, f) for f in RECORDED}))


RECORDED = ("stages", "ranked", "index", "best_cosine", "threshold")


def test_every_reason_has_a_record_that_supports_it():
    assert list(TRUE_OF) == list(ReasonCode)


@pytest.mark.parametrize(("code", "turn"), RECORDS)
def test_a_reason_is_truthful_under_its_record(code, turn):
    assert claims(turn, code)


@pytest.mark.parametrize("other", ReasonCode, ids=str)
@pytest.mark.parametrize(("code", "turn"), RECORDS)
def test_every_wrong_pairing_is_untruthful(code, turn, other):
    assert claims(turn, other) is (other is code)


UNSUPPORTED = {
    "a stage after a broken one": a_turn(
        stages=(a_broken_stage(Stage.EMBED, RetrievalUnavailable("x")), *gate_stopped().stages), **FAR
    ),
    "a stage after one that stopped": a_turn(
        stages=(stop(Stage.ROUTE, "customer_asked"), a_broken_stage(Stage.DRAFT, ModelUnavailable("x")))
    ),
    "all worked": a_turn(stages=a_record(*TO_DRAFT, Stage.ANSWER_GATE), **CLOSE),
    "routing worked": a_turn(stages=(a_stage(Stage.ROUTE, finding="customer_asked"),)),
    "routing stopped without saying why": routed(None),
    "routing stopped for a reason that is not routing's": routed("no_evidence"),
    "a stage stopped that decides nothing": stopped(*TO_SEARCH[:-1], at=Stage.RANK, **FAR),
    "no evidence with a score above the threshold": gate_stopped(best_cosine=0.7),
    "no evidence with a score at the threshold": gate_stopped(threshold=0.3),
    "no evidence without a threshold": gate_stopped(threshold=None),
    "no evidence of an index nobody looked at": gate_stopped(index=None),
    "no evidence without a search": stopped(Stage.ROUTE, Stage.EMBED, at=Stage.EVIDENCE_GATE, **FAR),
    "no evidence without embedding": stopped(Stage.ROUTE, Stage.SEARCH, at=Stage.EVIDENCE_GATE, **FAR),
    "abstained without evidence": stopped(*TO_SEARCH, at=Stage.DRAFT, finding=ABSTAINED, **FAR),
    "abstained with a score that nobody computed": stopped(
        *TO_EVIDENCE, at=Stage.DRAFT, finding=ABSTAINED, **(CLOSE | {"best_cosine": None})
    ),
    "abstained with a score below the threshold": stopped(
        *TO_EVIDENCE, at=Stage.DRAFT, finding=ABSTAINED, **FAR
    ),
    "abstained without a passage": stopped(
        *TO_EVIDENCE, at=Stage.DRAFT, finding=ABSTAINED, **(CLOSE | {"ranked": ()})
    ),
    "a draft that stopped for no reason": stopped(*TO_EVIDENCE, at=Stage.DRAFT, **CLOSE),
    "ungrounded without a draft": stopped(*TO_EVIDENCE, at=Stage.ANSWER_GATE, finding="uncited", **CLOSE),
    "promised a person without evidence": stopped(
        *TO_DRAFT, at=Stage.ANSWER_GATE, finding=PROMISED_PERSON, **FAR
    ),
    "said again without evidence": stopped(*TO_DRAFT, at=Stage.ANSWER_GATE, finding=REPEATED, **FAR),
    "a computed question that was computed": a_turn(stages=(COMPUTED_ROUTE, a_stage(Stage.RECORDS))),
    "a failed half of an answer that has no other half": a_turn(
        stages=(COMPUTED_ROUTE, *FAILED_HALF[2:], *gate_stopped().stages[1:]), **FAR
    ),
    "a defect in one half that did not end the turn": a_turn(
        stages=(
            *TO_BOTH_HALVES,
            a_broken_stage(Stage.RECORDS, ValueError("x")),
            *gate_stopped().stages[1:],
        ),
        **FAR,
    ),
    "a defect in a stage that worked": a_turn(stages=(a_stage(Stage.QUERY, finding=DEFECT),)),
}


@pytest.mark.parametrize("turn", UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_a_record_that_cannot_be_supports_no_reason_at_all(turn):
    assert true_reason(turn) is None
    assert not any(claims(turn, reason) for reason in ReasonCode)


@pytest.mark.parametrize("state", NOT_READY, ids=str)
def test_no_evidence_is_never_said_of_an_index_that_is_not_ready(state):
    assert not claims(gate_stopped(index=an_index_seen(state)), ReasonCode.NO_EVIDENCE)


@pytest.mark.parametrize(
    "fields",
    [{"ranked": ()}, {"index": an_index_seen(calibrated=False)}],
    ids=["no candidates", "uncalibrated"],
)
def test_no_evidence_is_never_said_without_candidates_or_calibration(fields):
    assert not claims(gate_stopped(**fields), ReasonCode.NO_EVIDENCE)


@pytest.mark.parametrize(
    "outcome", [an_answer(), Ask(text="Which one?"), Courtesy(kind=CourtesyKind.THANKS)], ids=lambda o: type(o).__name__
)  # fmt: skip
@pytest.mark.parametrize("ending", StageStatus, ids=str)
def test_an_answer_is_truthful_unless_a_stage_broke(outcome, ending):
    turn = a_turn(outcome, stages=(a_stage(Stage.ROUTE), a_stage(Stage.DRAFT, ending)))

    assert is_truthful(turn) is (ending in (StageStatus.OK, StageStatus.STOPPED))
    assert is_truthful(turn) is (failing_stage(turn.stages) is None)


@pytest.mark.parametrize("stages", [FAILED_HALF, REJECTED_HALF], ids=["failed", "rejected"])
def test_who_is_answered_beside_records_that_failed_must_be_told_that(stages):
    record = (*stages, *a_record(*TO_DRAFT, Stage.ANSWER_GATE)[1:])

    assert is_truthful(a_turn(an_answer(unchecked=True), stages=record, **CLOSE))
    assert not is_truthful(a_turn(an_answer(), stages=record, **CLOSE))


@pytest.mark.parametrize("stages", [TO_THE_ARTICLES, TOLD_HALF], ids=["re-routed", "told"])
def test_nobody_is_told_that_records_failed_which_did_not(stages):
    record = (*stages, *a_record(*TO_DRAFT, Stage.ANSWER_GATE)[1:])

    assert is_truthful(a_turn(an_answer(), stages=record, **CLOSE))
    assert not is_truthful(a_turn(an_answer(unchecked=True), stages=record, **CLOSE))


def test_a_computed_question_is_not_answered_as_if_it_were_none():
    record = (COMPUTED_ROUTE, *a_record(*TO_DRAFT, Stage.ANSWER_GATE)[1:])

    assert not is_truthful(a_turn(an_answer(), stages=record, **CLOSE))
    assert not is_truthful(a_turn(Courtesy(kind=CourtesyKind.THANKS), stages=(COMPUTED_ROUTE,)))
    assert is_truthful(a_turn(Courtesy(kind=CourtesyKind.SIGN_IN), stages=(COMPUTED_ROUTE,)))


@pytest.mark.parametrize(("code", "turn"), RECORDS)
def test_an_offer_to_rephrase_claims_that_nothing_was_found(code, turn):
    offer = a_turn(Ask(text="I found nothing.", offer=True), **{f: getattr(turn, f) for f in RECORDED})

    assert is_truthful(offer) is (code is ReasonCode.NO_EVIDENCE)


OF_RECORDS = [TO_RECORDS, TO_ARTICLES, TO_BOTH, REJECTED, FOUND, FOUND_NOTHING, WORDED, TABULATED]
FINDINGS = [
    None, "uncited", COMPUTED, DEFECT, TURN_BUDGET, ABSTAINED, PROMISED_PERSON, REPEATED, *OF_RECORDS, *ReasonCode,
]  # fmt: skip
BEGUN = [(), (COMPUTED_ROUTE,), TO_THE_ARTICLES, FAILED_HALF, REJECTED_HALF, TOLD_HALF]
STAGES = st.builds(
    a_stage,
    st.sampled_from(Stage),
    st.sampled_from([StageStatus.OK, *StageStatus]),
    finding=st.sampled_from(FINDINGS),
    error=st.sampled_from([None, "IndexNotReady", "RetrievalUnavailable", "ValueError"]),
)
TURNS = st.builds(
    a_turn,
    stages=st.lists(STAGES, max_size=5).flatmap(
        lambda end: st.tuples(
            st.sampled_from(BEGUN), st.sampled_from([(), TO_SEARCH, TO_EVIDENCE, TO_DRAFT])
        ).map(lambda begun: (*begun[0], *a_record(*begun[1]), *end))
    ),
    ranked=st.lists(st.builds(a_ranked_passage, st.floats(-1, 1)), max_size=3).map(tuple),
    index=st.one_of(
        st.none(), st.builds(an_index_seen, st.sampled_from(IndexState), calibrated=st.booleans())
    ),
    best_cosine=st.one_of(st.none(), st.floats(-1, 1)),
    threshold=st.one_of(st.none(), st.floats(-1, 1)),
)


@given(TURNS)
def test_at_most_one_reason_is_truthful_of_any_record(turn):
    truthful = [reason for reason in ReasonCode if claims(turn, reason)]

    assert truthful == [r for r in [true_reason(turn)] if r is not None]


@given(TURNS)
def test_no_outage_is_ever_reported_as_missing_content(turn):
    """DESIGN §2.3: whatever else broke, the customer is not told that nothing exists."""
    looked_up = any(
        s.name is Stage.RECORDS and s.finding in (TO_ARTICLES, FOUND, FOUND_NOTHING) for s in turn.stages
    )
    computed = any(s.finding == COMPUTED for s in turn.stages)
    if failing_stage(turn.stages) or (computed and not looked_up):
        assert not claims(turn, ReasonCode.NO_EVIDENCE)
