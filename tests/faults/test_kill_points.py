"""Kill -9 at each named point of a turn, and a restart: nothing acknowledged is lost (FAULTS H10, R-S7, R-W13).

Each process but the first repairs what the kill before it left, and is killed at the next point itself.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
import pytest

from bot.core.outcome import Answer, Handoff, Outcome, ReasonCode
from tests.faults.customers import Customer
from tests.faults.knowledge import FOR_A_PERSON, QUESTION, UNCOVERED
from tests.faults.moments import Moment
from tests.faults.processes import Machine
from tests.faults.soundness import assert_sound, interruptions, shown_at_death

KILLED = -9
A_MINUTE_S = 61


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """A customer whose bot died."""

    customer: Customer
    moment: Moment
    shown: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class CrashLoop:
    """Kills one process after another; each time its customer tries again with the next."""

    machine: Machine
    http: aiohttp.ClientSession
    rests_s: int = 0
    streams: bool = False
    _now_s: int = 0
    _number: int = 0
    _crash: Crash | None = None

    async def run(self, text: str, moments: Sequence[Moment]) -> list[Outcome]:
        """Crash once at each moment; return what the messages came to, in their order."""
        outcomes: list[Outcome] = []
        for moment in (*moments, None):
            try:
                outcomes += await self._next(text, moment)
            except AssertionError as failed:
                failed.add_note(f"killed at {self._crash and self._crash.moment}, then at {moment}")
                raise
        return outcomes

    async def _next(self, text: str, moment: Moment | None) -> list[Outcome]:
        self._number += 1
        message_id = f"message-{self._number}"
        service = self.machine.start(
            dies_at=moment, armed_by=message_id, ahead_s=self._now_s, streams=self.streams
        )
        address = await service.address()
        repaired = await self._repaired(address)
        if moment is not None:
            customer = await Customer.open(self.http, address)
            await asyncio.gather(customer.say(address, text, message_id=message_id), customer.watch(address))
            assert await service.exit_code() == KILLED
            shown = shown_at_death(self.machine.data_dir, customer.conversation)
            self._crash = Crash(customer=customer, moment=moment, shown=shown)
        self._now_s += self.rests_s
        return repaired

    async def _repaired(self, address: str) -> list[Outcome]:
        if self._crash is None:
            return []
        customer = self._crash.customer
        await customer.say_again(address)
        await customer.is_told(address)
        await customer.say_again(address, all_of_it=True)
        (turn,) = await assert_sound(self.machine.data_dir, customer)
        kept = await interruptions(self.machine.data_dir, customer.conversation)
        assert kept == (["\n\n".join(self._crash.shown)] if self._crash.shown else [])
        return [turn.outcome]


@pytest.fixture
def loop(machine: Machine, http: aiohttp.ClientSession) -> CrashLoop:
    return CrashLoop(machine=machine, http=http)


def around(*calls: str) -> list[Moment]:
    return [Moment(name=f"{side} {call}") for call in calls for side in ("before", "after")]


def inside(call: str, *statements: str, nth: int = 1) -> list[Moment]:
    return [Moment(name=f"{call}: {statement}", nth=nth) for statement in statements]


RECEIVING = [
    *around("receive"),
    *inside("receive", "BEGIN", "SELECT * FROM conversations", "INSERT INTO messages"),
    *inside("receive", "UPDATE conversations SET last_seq", "UPDATE conversations SET locale", "COMMIT"),
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
    *inside("commit_turn", "INSERT INTO messages", "UPDATE conversations SET last_seq", "INSERT INTO turns"),
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

    shown = [shown_at_death(machine.data_dir, customer.conversation)]
    for moment in (Moment(name="after show_blocks", nth=2), *inside("commit_turn", "COMMIT")):
        assert await machine.start(dies_at=moment, streams=True).exit_code() == KILLED
        shown.append(shown_at_death(machine.data_dir, customer.conversation))
    (while_losing,) = inside("commit_turn", "INSERT INTO outbox")
    assert await machine.start(dies_at=while_losing, ahead_s=A_MINUTE_S).exit_code() == KILLED

    address = await machine.start(ahead_s=A_MINUTE_S).address()
    await customer.say_again(address, all_of_it=True)
    await customer.is_told(address)
    (turn,) = await assert_sound(machine.data_dir, customer)
    assert reason(turn.outcome) is ReasonCode.TURN_LOST
    kept = await interruptions(machine.data_dir, customer.conversation)
    assert kept == ["\n\n".join(blocks) for blocks in shown]
