"""DESIGN §6: whatever fails at whatever step of the records route, the turn's reason is what happened, and nothing is said not to exist."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.outcome import Answer, Ask, Handoff, ReasonCode
from bot.core.policy import Deadlines, TurnPolicy
from bot.core.records import Plan, RecordsSeen, Route
from bot.core.truth import is_truthful
from bot.core.turn import Turn
from bot.errors import ModelUnavailable, NotAsked, RecordsUnavailable, RetrievalUnavailable, StoreUnavailable
from tests.service.faults import failing, finding_each, hanging, nothing
from tests.service.records_rig import (
    BOTH_ASKED,
    BROKEN,
    BROKEN_SQL,
    COUNT,
    COUNT_SQL,
    FROM_ARTICLES,
    HOW_MANY,
    NEXT,
    NONE,
    RecordsRig,
    a_records_rig,
)
from tests.service.rig import REPLIES
from tests.service.stand_ins import Point

OUTAGES = (RecordsUnavailable("x"), TimeoutError(), StoreUnavailable("x"), ModelUnavailable("x"))
FAILURES = (*OUTAGES, ValueError("a defect"))
HANGS = "hangs"
HONEST = (ReasonCode.RECORDS_UNAVAILABLE, ReasonCode.OUT_OF_TIME, ReasonCode.TURN_LOST)
NOTHING = REPLIES.text("records_nothing", "en")
BOTH = Plan(route=Route.BOTH, sql=COUNT_SQL)
BOTH_BROKEN = Plan(route=Route.BOTH, sql=BROKEN_SQL)
EMPTY = Plan(route=Route.RECORDS)
STEPS = st.sampled_from(
    [COUNT, BROKEN, NEXT, FROM_ARTICLES, BOTH, BOTH_BROKEN, EMPTY, NotAsked("x"), *FAILURES, HANGS]
)
POINTS = st.builds(
    lambda fails, hangs, skips: {"fails": fails, "waits": hangs, "skips": skips},
    st.sampled_from([None, None, *FAILURES]),
    st.sampled_from([False, False, True]),
    st.sampled_from([0, 1]),
)
WORDS = st.sampled_from(["You have 12 lessons.", "You have 13 lessons.", *FAILURES, HANGS])
ARTICLES = st.sampled_from(
    [
        nothing,
        finding_each(cosine=0.1),
        failing("embedder.at_embed", RetrievalUnavailable("x")),
        failing("index.at_search", ValueError("x")),
        hanging("embedder.at_embed"),
    ]
)
POLICIES = st.builds(
    TurnPolicy,
    deadlines=st.sampled_from(
        [
            Deadlines(plan_s=0.004, query_s=0.004, word_s=0.004, embed_s=0.004, draft_s=0.004),
            Deadlines(turn_s=0.006),
        ]
    ),
    offer_before_handoff=st.booleans(),
)


CASES = st.fixed_dictionaries(
    {
        "steps": st.lists(STEPS, min_size=2, max_size=2),
        "at_query": POINTS,
        "words": WORDS,
        "breaks": ARTICLES,
        "policy": POLICIES,
        "empty": st.booleans(),
    }
)


async def broken(case) -> RecordsRig:
    steps = (Point(waits=True) if step == HANGS else step for step in case["steps"])
    records = await a_records_rig(*steps, policy=case["policy"])
    records.records.at_query = Point(**case["at_query"])
    records.planner.words = Point(waits=True) if case["words"] == HANGS else case["words"]
    if case["empty"]:
        records.records.found[COUNT_SQL] = NONE
    case["breaks"](records.rig)
    return records


def was_looked_up(turn: Turn) -> bool:
    """Whether rows were read, or the question turned out to be for the articles."""
    seen = turn.records or RecordsSeen()
    return seen.route is Route.ARTICLES or (bool(seen.statements) and seen.statements[-1].error is None)


@given(CASES, st.sampled_from([HOW_MANY, BOTH_ASKED]))
@settings(max_examples=150, deadline=None)
async def test_a_turn_about_records_is_truthful_whatever_fails(case, says):
    turn = await (await broken(case)).rig.ask(says)

    assert is_truthful(turn), turn.stages


@given(CASES)
@settings(max_examples=80, deadline=None)
async def test_nothing_is_said_not_to_exist_that_was_not_looked_up(case):
    turn = await (await broken(case)).rig.ask(HOW_MANY)

    if was_looked_up(turn):
        return
    if isinstance(turn.outcome, Handoff):
        assert turn.outcome.reason in HONEST
    else:
        assert isinstance(turn.outcome, Answer | Ask)
        assert turn.outcome.unchecked
        assert NOTHING not in turn.outcome.text
