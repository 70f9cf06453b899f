"""What every conversation store keeps for later: turn records, audit, outbox, and what is still unanswered."""

import math
from dataclasses import replace

import pytest

from bot.core.conversation import AgentId, ConversationId
from bot.core.knowledge import IndexState
from bot.core.outcome import Ask, Courtesy, CourtesyKind, ReasonCode, Triage
from bot.core.prompt import Usage
from bot.core.records import RecordsSeen, Route, Statement
from bot.core.turn import DroppedMessage, IndexSeen, RetrievalQuery, Stage, StageRecord, StageStatus
from tests.builders import NOON_MS, a_handoff, a_ranked_passage, a_turn, an_answer
from tests.contract.scene import assert_rebuilds

FULL = {
    "stages": (
        StageRecord(name=Stage.ROUTE, status=StageStatus.OK, ms=0.25),
        StageRecord(name=Stage.SEARCH, status=StageStatus.FAILED, ms=3, error="OSError", finding="x"),
    ),
    "query": RetrievalQuery(
        text="How…?\nWhich one?\nmore",
        bare="more",
        own="How…?\nmore",
        told="Which one?",
        used=(1, 3, 4),
        dropped=(DroppedMessage(seq=2, why="refusal"),),
        window_weight=0.45,
        is_bare_reply=True,
    ),
    "ranked": (a_ranked_passage(0.1 + 0.2), replace(a_ranked_passage(1 / 3), freshness=0.5, rival=True)),
    "index": IndexSeen(state=IndexState.READY, fingerprint="f", generation="g", calibrated=True),
    "best_cosine": 2 / 3,
    "threshold": 0.42,
    "prompt_digest": "abc",
    "model": "extractive",
    "usage": Usage(input_tokens=3_000, output_tokens=200, cost_usd=0.1 + 0.2),
    "records": RecordsSeen(
        statements=(
            Statement(sql="SELECT “x”", ms=1 / 3, error="operator does not exist: date >= text"),
            Statement(sql="SELECT 1", ms=2, rows=1),
        ),
        route=Route.BOTH,
        model="claude",
        prompt_digest="def",
    ),
}
OUTCOMES = [
    an_answer(options=("a", "b")),
    an_answer(unchecked=True),
    Ask(text="Which one?"),
    Ask(text="Nothing found.", options=("person",), offer=True, sources=an_answer().sources),
    Courtesy(kind=CourtesyKind.THANKS),
    Courtesy(kind=CourtesyKind.SIGN_IN),
    a_handoff(ReasonCode.ESCALATION_RULE, rule="refund", detail="“matched”", triage=Triage.NEAR_MISS),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: type(outcome).__name__)
async def test_a_turn_record_comes_back_equal(scene, outcome):
    await scene.customer_writes()
    start = await scene.turn_begins()

    await scene.bot_settles(start, outcome, **FULL)

    assert await scene.store.turns(scene.id) == (a_turn(outcome, on=start.conversation, **FULL),)


async def test_a_record_of_a_broken_score_can_still_be_read(scene):
    await scene.customer_writes()

    await scene.bot_settles(await scene.turn_begins(), best_cosine=math.nan, threshold=-math.inf)

    (turn,) = await scene.store.turns(scene.id)
    assert math.isnan(turn.best_cosine)
    assert turn.threshold == -math.inf


async def test_turns_come_oldest_first_and_a_turn_counts_those_since_a_time(scene):
    for n in range(3):
        await scene.customer_writes(f"message {n}")
        await scene.bot_settles(await scene.turn_begins(), turn=f"t{n}", settled_ms=NOON_MS + n)
    await scene.customer_writes("message 3")

    assert [turn.id for turn in await scene.store.turns(scene.id)] == ["t0", "t1", "t2"]
    starts = [await scene.turn_begins(turns_since_ms=NOON_MS + n) for n in range(4)]
    assert [start.recent_turns for start in starts] == [3, 2, 1, 0]


async def test_conversations_are_listed_by_their_first_turn_since_a_time(scene):
    other = await type(scene).open(scene.store, ConversationId("another"))
    await type(scene).open(scene.store, ConversationId("without a turn"))
    for one, turn, at_ms in ((scene, "t1", 10), (other, "t2", 20), (scene, "t3", 30)):
        await one.customer_writes(f"for {turn}")
        await one.bot_settles(await one.turn_begins(), turn=turn, settled_ms=at_ms)

    found = [await scene.store.conversations_with_turns(since_ms=since) for since in (0, 11, 30, 31)]

    assert found == [(scene.id, other.id), (other.id, scene.id), (scene.id,), ()]


async def test_a_handoff_is_listed_with_its_reason_turn_and_epoch(scene):
    moved = (await scene.bot_hands_over(a_handoff(ReasonCode.OUT_OF_TIME))).conversation

    (row,) = await scene.store.handoffs(scene.id)

    assert (row.conversation, row.turn, row.reason) == (scene.id, "t1", "out_of_time")
    assert (row.epoch, row.opened_ms, row.closed_ms) == (moved.epoch, NOON_MS + 1_000, None)


async def test_a_handoff_is_told_outside_once(scene):
    moved = (await scene.bot_hands_over(a_handoff())).conversation

    (row,) = await scene.store.outbox(limit=10)
    await scene.store.delivered(row.key, at_ms=NOON_MS)
    await scene.store.delivered(row.key, at_ms=NOON_MS)

    assert (row.key, row.kind, row.conversation) == (f"handoff:c1:{moved.epoch}", "handoff", "c1")
    assert await scene.store.outbox(limit=10) == ()


async def test_an_answer_tells_nobody_outside(scene):
    await scene.customer_writes()
    await scene.bot_settles(await scene.turn_begins())

    assert await scene.store.outbox(limit=10) == await scene.store.handoffs(scene.id) == ()


async def test_the_outbox_is_read_oldest_first_up_to_its_limit(scene):
    for n in range(3):
        other = await type(scene).open(scene.store, ConversationId(f"other {n}"))
        await other.bot_hands_over(a_handoff(), turn=f"t{n}")

    rows = await scene.store.outbox(limit=2)

    assert [row.conversation for row in rows] == ["other 0", "other 1"]


async def test_delivering_an_unknown_key_changes_nothing(scene):
    await scene.store.delivered("handoff:nobody:1", at_ms=NOON_MS)
    await scene.bot_hands_over(a_handoff())

    assert len(await scene.store.outbox(limit=10)) == 1


async def test_unanswered_lists_who_waits_longest_first(scene):
    """FAULTS H4: the watchdog's question."""
    for name, at_ms in (("late", 30), ("early", 10), ("middle", 20)):
        other = await type(scene).open(scene.store, ConversationId(name))
        await other.customer_writes(at_ms=at_ms)

    assert await scene.store.unanswered(received_before_ms=30) == ("early", "middle")
    assert await scene.store.unanswered(received_before_ms=10) == ()


async def test_a_later_message_does_not_hide_an_earlier_unanswered_one(scene):
    await scene.customer_writes("one", at_ms=10)
    await scene.customer_writes("two", at_ms=1_000)

    assert await scene.store.unanswered(received_before_ms=11) == (scene.id,)


async def test_what_was_answered_or_handed_over_is_not_unanswered(scene):
    await scene.customer_writes("one", at_ms=10)
    await scene.bot_settles(await scene.turn_begins())
    other = await type(scene).open(scene.store, ConversationId("c2"))
    await other.bot_hands_over(a_handoff(), turn="t2")
    await other.customer_writes("still there?", at_ms=10)

    assert await scene.store.unanswered(received_before_ms=NOON_MS * 2) == ()


async def test_status_and_epoch_can_be_rebuilt_from_the_audit(scene):
    """FAULTS H9."""
    await scene.bot_hands_over(a_handoff(), turn="t1")
    await scene.agent_claims()
    read = await scene.state()
    await scene.moves(read, read.released_by("anna", now_ms=NOON_MS), what="released")
    await scene.agent_claims(AgentId("ben"))
    await scene.agent_resolves(AgentId("ben"))
    await scene.customer_writes("again")
    await scene.bot_settles(await scene.turn_begins(), turn="t2")

    rows = await scene.store.audit(scene.id)
    assert [row.what for row in rows] == [
        "opened", "handoff", "claimed", "released", "claimed", "resolved", "reopened", "answer",
    ]  # fmt: skip
    assert [row.who for row in rows][1:6] == ["bot", "anna", "anna", "ben", "ben"]
    assert_rebuilds(rows, await scene.state())
