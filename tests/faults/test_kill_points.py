"""Kill -9 at each named point of a turn, and a restart: nothing acknowledged is lost (FAULTS H10, R-S7, R-W13).

Each process but the first repairs what the kill before it left, and is killed at the next point itself.
"""

import aiohttp
import pytest

from bot.core.outcome import Answer, Handoff, Outcome, ReasonCode
from tests.faults.crash_loop import KILLED, CrashLoop
from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON, QUESTION, UNCOVERED
from tests.faults.moments import Moment, around, inside
from tests.faults.processes import Machine
from tests.faults.soundness import assert_sound, interruptions

A_MINUTE_S = 61


@pytest.fixture
def loop(machine: Machine, http: aiohttp.ClientSession) -> CrashLoop:
    return CrashLoop(machine=machine, http=http)


RECEIVING = [
    *around("receive"),
    *inside("receive", "BEGIN", "SELECT * FROM conversations", "INSERT INTO messages"),
    *inside("receive", "UPDATE conversations SET locale", "COMMIT"),
]
RETRIEVING = around("begin_turn", "status", "embed_queries", "search")
DRAFTING = [
    Moment(name="before draft"),
    *[Moment(name="after draft", nth=piece) for piece in (1, 2, 3)],
    *around("show_blocks"),
    *inside("show_blocks", "BEGIN", "INSERT INTO draft_blocks", "COMMIT"),
    *inside("show_blocks", "INSERT INTO draft_blocks", nth=2),
]
STREAMING = [
    *around("show_blocks"),
    *[Moment(name="after draft", nth=piece) for piece in (2, 3)],
    *inside("show_blocks", "BEGIN", "INSERT INTO draft_blocks", "COMMIT", nth=2),
    Moment(name="after show_blocks", nth=2),
]
COMMITTING = [
    *around("commit_turn"),
    *inside("commit_turn", "BEGIN", "UPDATE conversations SET locale", "DELETE FROM draft_blocks"),
    *inside("commit_turn", "INSERT INTO messages", "INSERT INTO turns"),
    *inside("commit_turn", "INSERT INTO audit", "COMMIT"),
]
HANDING_OVER = [
    *around("commit_turn"),
    *inside("commit_turn", "INSERT INTO audit", "INSERT INTO handoffs", "INSERT INTO outbox", "COMMIT"),
]


def reason(outcome: Outcome) -> ReasonCode | None:
    return outcome.reason if isinstance(outcome, Handoff) else None


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "moments",
    [
        pytest.param(RECEIVING, id="receiving"),
        pytest.param(RETRIEVING, id="retrieving"),
        pytest.param(DRAFTING, id="drafting"),
        pytest.param(COMMITTING, id="committing"),
    ],
)
async def test_a_question_is_answered_once_whenever_the_process_was_killed(loop, moments):
    outcomes = await loop.run(QUESTION, moments)

    assert [type(outcome) for outcome in outcomes] == [Answer] * len(moments)


@pytest.mark.timeout(600)
async def test_a_question_is_answered_once_whenever_the_process_was_killed_between_two_blocks(loop):
    loop.streams = True

    outcomes = await loop.run(QUESTION, STREAMING)

    assert [type(outcome) for outcome in outcomes] == [Answer] * len(STREAMING)


@pytest.mark.timeout(600)
async def test_who_asks_for_a_person_is_handed_over_once_whenever_the_process_was_killed(loop):
    outcomes = await loop.run(FOR_A_PERSON, HANDING_OVER)

    assert [reason(outcome) for outcome in outcomes] == [ReasonCode.CUSTOMER_ASKED] * len(HANDING_OVER)


@pytest.mark.timeout(600)
async def test_what_no_article_covers_is_still_handed_over_for_that_reason(loop):
    outcomes = await loop.run(UNCOVERED, around("search", "commit_turn"))

    assert [reason(outcome) for outcome in outcomes] == [ReasonCode.NO_EVIDENCE] * 4


LOST_AFTER = [
    Moment(name="after receive"),
    Moment(name="after begin_turn"),
    Moment(name="after show_blocks"),
    Moment(name="commit_turn: COMMIT"),
]


@pytest.mark.timeout(600)
async def test_a_turn_that_was_left_for_a_minute_is_handed_over_as_lost(loop):
    loop.rests_s = A_MINUTE_S

    outcomes = await loop.run(QUESTION, LOST_AFTER)

    assert [reason(outcome) for outcome in outcomes] == [ReasonCode.TURN_LOST] * len(LOST_AFTER)


@pytest.mark.timeout(600)
async def test_a_message_that_was_never_stored_is_no_lost_turn(loop):
    loop.rests_s = A_MINUTE_S

    outcomes = await loop.run(QUESTION, inside("receive", "COMMIT"))

    assert [type(outcome) for outcome in outcomes] == [Answer]


def test_there_are_at_least_thirty_points():
    points = {
        str(moment) for group in (RECEIVING, RETRIEVING, DRAFTING, STREAMING, COMMITTING) for moment in group
    }

    assert len(points | {str(moment) for moment in HANDING_OVER}) >= 30


@pytest.mark.timeout(600)
async def test_a_kill_in_the_middle_of_the_repair_is_repaired_too(machine, http):
    first = machine.start(dies_at=Moment(name="after show_blocks"), armed_by="m1", streams=True)
    address = await first.address()
    customer = await Customer.open(http, address)
    await customer.say(address, QUESTION, message_id="m1")
    assert await first.exit_code() == KILLED

    shown = [machine.kept.shown(customer.conversation)]
    for moment in (Moment(name="after show_blocks", nth=2), *inside("commit_turn", "COMMIT")):
        assert await machine.start(dies_at=moment, streams=True).exit_code() == KILLED
        shown.append(machine.kept.shown(customer.conversation))
    (while_losing,) = inside("commit_turn", "INSERT INTO outbox")
    assert await machine.start(dies_at=while_losing, ahead_s=A_MINUTE_S).exit_code() == KILLED

    address = await machine.start(ahead_s=A_MINUTE_S).address()
    await customer.say_again(address, all_of_it=True)
    await customer.is_told(address)
    (turn,) = await assert_sound(machine.kept, customer)
    assert reason(turn.outcome) is ReasonCode.TURN_LOST
    kept = await interruptions(machine.kept, customer.conversation)
    assert kept == ["\n\n".join(blocks) for blocks in shown]
