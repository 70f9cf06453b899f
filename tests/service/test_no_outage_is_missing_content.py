"""DESIGN §2.3: no outage is ever reported as missing content, in any combination of failing stages."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.outcome import Answer, Ask, Handoff, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.truth import is_truthful
from bot.errors import (
    IndexNotReady,
    InputRejected,
    ModelUnavailable,
    RetrievalUnavailable,
    StoreUnavailable,
)
from tests.service.faults import (
    RETRIEVAL_POINTS,
    STATES,
    Breaks,
    failing,
    finding,
    finding_beside,
    finding_each,
    hanging,
)
from tests.service.rig import QUESTION, UNCOVERED, a_rig

BRIEF = Deadlines(embed_s=0.005, search_s=0.005, draft_s=0.005)
FAILURES = (
    RetrievalUnavailable("x"),
    IndexNotReady("x"),
    TimeoutError(),
    ValueError("x"),
    StoreUnavailable("x"),
    ModelUnavailable("x"),
    InputRejected("x", "y", "z"),
)
WRONG_DATA: tuple[Breaks, ...] = (
    finding_each(cosine=float("nan")),
    finding_each(cosine=-4.0),
    finding_beside(float("nan")),
    finding_beside(-4.0),
    finding(lambda result: type(result)(passages=(), fingerprint=result.fingerprint, generation="2")),
    finding(lambda result: type(result)(passages=result.passages, fingerprint="other", generation="2")),
)
IN_RETRIEVAL = st.one_of(
    st.builds(failing, st.sampled_from([*RETRIEVAL_POINTS.values()]), st.sampled_from(FAILURES)),
    st.builds(hanging, st.sampled_from([*RETRIEVAL_POINTS.values()])),
    st.sampled_from([*STATES.values()]),
    st.sampled_from(WRONG_DATA),
)
POLICIES = st.builds(
    TurnPolicy,
    deadlines=st.sampled_from([BRIEF, Deadlines(turn_s=0.005)]),
    offer_before_handoff=st.booleans(),
)


@given(st.lists(IN_RETRIEVAL, min_size=1, max_size=4), POLICIES, st.sampled_from([QUESTION, UNCOVERED]))
@settings(max_examples=80, deadline=None)
async def test_a_broken_retrieval_is_never_told_as_nothing_found(broken, policy, says):
    rig = await a_rig(policy=policy)
    for breaks in broken:
        breaks(rig)

    turn = await rig.ask(says)

    assert isinstance(turn.outcome, Handoff)
    assert turn.outcome.reason is not ReasonCode.NO_EVIDENCE
    assert is_truthful(turn)


@given(POLICIES, st.booleans())
@settings(max_examples=20, deadline=None)
async def test_a_whole_retrieval_answers_or_finds_nothing_whatever_the_draft_does(policy, covered):
    rig = await a_rig(policy=policy)
    rig.answerer.script = (ModelUnavailable("x"),) if policy.offer_before_handoff else None

    turn = await rig.ask(QUESTION if covered else UNCOVERED)

    found_nothing = isinstance(turn.outcome, Ask) or turn.outcome == Handoff(
        reason=ReasonCode.NO_EVIDENCE, triage=getattr(turn.outcome, "triage", None)
    )
    assert found_nothing is not covered
    assert isinstance(turn.outcome, Answer) is (covered and rig.answerer.script is None)
