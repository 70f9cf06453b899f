"""The card says truly why a customer is with people, in one line of evidence, and how the conversation stands."""

import pytest

from bot.channels.slack.card_facts import evidence_line
from bot.core.desk import Resolution
from bot.core.outcome import ReasonCode, Triage
from bot.core.truth import ABSTAINED
from bot.core.turn import Stage, StageRecord, StageStatus
from tests.builders import a_handoff, a_ranked_passage, a_turn
from tests.channels.slack.sending_rig import a_sending
from tests.service.desk_rig import ANNA
from tests.service.rig import REPLIES, UNCOVERED
from tests.vendors.slack_server import DESK


def a_stage(name: Stage, status: StageStatus, **fields) -> StageRecord:
    return StageRecord(name=name, status=status, ms=1.0, **fields)


SEARCH_FAILED = a_stage(Stage.SEARCH, StageStatus.TIMED_OUT, error="TimeoutError")
SEARCHED = a_stage(Stage.SEARCH, StageStatus.OK)
ABSTAINING = a_stage(Stage.DRAFT, StageStatus.STOPPED, finding=ABSTAINED)
ASKED = a_stage(Stage.ROUTE, StageStatus.STOPPED, finding=ReasonCode.CUSTOMER_ASKED)


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        pytest.param(
            a_turn(a_handoff(ReasonCode.RETRIEVAL_UNAVAILABLE), stages=(SEARCH_FAILED,)),
            "Searching the articles: no answer in time (TimeoutError)",
            id="a stage failed",
        ),
        pytest.param(
            a_turn(a_handoff(ReasonCode.MODEL_ABSTAINED), stages=(SEARCHED, ABSTAINING)),
            "The model says that the articles do not answer it",
            id="a stage found something",
        ),
        pytest.param(a_turn(a_handoff(ReasonCode.CUSTOMER_ASKED), stages=(ASKED,)), "", id="the reason says it all"),
        pytest.param(
            a_turn(a_handoff(ReasonCode.ESCALATION_RULE, rule="legal"), stages=(ASKED,)), "rule “legal”", id="a rule"
        ),
        pytest.param(
            a_turn(
                a_handoff(triage=Triage.NEAR_MISS),
                ranked=(a_ranked_passage(0.61),), best_cosine=0.61, threshold=0.7,
            ),
            "An article came close, but not close enough; nearest article “How to Reschedule a Lesson”, 0.61 of the 0.70 that it takes",
            id="near",
        ),
    ],
)  # fmt: skip
def test_the_evidence_is_one_line(turn, line):
    assert evidence_line(turn, REPLIES) == line


async def test_a_customers_turn_from_the_bot_has_no_reason_but_who_took_it(slack):
    sending = await a_sending(slack)
    await sending.customer_says("Hello")
    await sending.desk.claim(ANNA)

    await sending.told()

    assert "Taken over by an agent" in sending.cards()[0]


@pytest.mark.parametrize(
    ("lease_ms", "is_told"), [(120_000, False), (900_000, True)], ids=["console", "Slack"]
)
async def test_only_a_lease_that_nobody_renews_by_itself_is_told(slack, lease_ms, is_told):
    sending = await a_sending(slack)
    await sending.desk.hand_over()

    await sending.desk.service.claim(sending.id, ANNA, lease_ms=lease_ms)
    await sending.told()

    assert ("Claimed until" in sending.cards()[0]) is is_told


async def test_a_settled_card_stays_as_it_was_when_the_conversation_goes_on(slack):
    sending = await a_sending(slack)
    await sending.claimed()
    sending.rig.clock.advance(1_000)
    await sending.desk.service.resolve(sending.id, ANNA, Resolution.DONE_FOR_CUSTOMER, seen=99)
    await sending.told()
    (settled,) = sending.cards()

    await sending.customer_says("Thanks!")
    await sending.customer_says(f"{UNCOVERED} Again.")
    await sending.told()

    assert sending.cards()[0] == settled
    assert len(sending.server.posted(DESK)) >= 2
