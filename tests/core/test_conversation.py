"""Moves between a conversation's states: which are allowed, what they change, and what must hold after any of them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.audit import owner
from bot.core.conversation import (
    CLAIM_LEASE_MS,
    AgentId,
    Conversation,
    Kind,
    Role,
    Status,
    customer_visible,
)
from bot.errors import ClaimLost, ClaimRefused, MoveRefused, Refused
from tests.builders import NOON_MS, a_conversation, a_message

ADA = AgentId("Ada")
BEN = AgentId("Ben")
LATER_MS = NOON_MS + CLAIM_LEASE_MS

MOVES: dict[str, Callable[[Conversation], Conversation]] = {
    "queue": lambda c: c.queued(since_ms=NOON_MS, now_ms=NOON_MS),
    "claim": lambda c: c.claimed_by(ADA, now_ms=NOON_MS),
    "take over": lambda c: c.taken_over_by(ADA, now_ms=NOON_MS),
    "transfer": lambda c: c.transferred_by(ADA, to=BEN, now_ms=NOON_MS),
    "release": lambda c: c.released_by(ADA, now_ms=NOON_MS),
    "expire": lambda c: c.lease_expired(now_ms=LATER_MS),
    "return to the bot": lambda c: c.returned_to_bot(ADA, now_ms=NOON_MS),
    "resolve": lambda c: c.resolved_by(ADA, now_ms=NOON_MS),
    "reopen": lambda c: c.reopened(now_ms=NOON_MS),
}
ALLOWED = {
    (Status.BOT, "queue"): Status.QUEUED,
    (Status.BOT, "take over"): Status.CLAIMED,
    (Status.QUEUED, "claim"): Status.CLAIMED,
    (Status.CLAIMED, "transfer"): Status.CLAIMED,
    (Status.CLAIMED, "release"): Status.QUEUED,
    (Status.CLAIMED, "expire"): Status.QUEUED,
    (Status.CLAIMED, "return to the bot"): Status.BOT,
    (Status.CLAIMED, "resolve"): Status.RESOLVED,
    (Status.RESOLVED, "reopen"): Status.BOT,
}
ALLOWED_MOVES = sorted({move for _, move in ALLOWED})
REFUSED = [(s, m) for s in Status for m in MOVES if (s, m) not in ALLOWED]
HOLDERS_MOVES = {name: MOVES[name] for name in ("transfer", "release", "return to the bot", "resolve")} | {
    "renew": lambda c: c.renewed_by(ADA, now_ms=NOON_MS),
    "reply": lambda c: c.replied_by(ADA, now_ms=NOON_MS),
}


def conversation_in(status, **fields):
    held = {"agent": ADA, "lease_until_ms": LATER_MS} if status is Status.CLAIMED else {}
    return a_conversation(status=status, epoch=7, last_seq=5, last_customer_seq=4, **(held | fields))


@pytest.mark.parametrize(("status", "move"), ALLOWED, ids=str)
def test_an_allowed_move_leads_to_its_state_in_the_next_epoch(status, move):
    moved = MOVES[move](conversation_in(status))

    assert (moved.status, moved.epoch) == (ALLOWED[status, move], 8)


@pytest.mark.parametrize(("status", "move"), REFUSED, ids=str)
def test_a_state_refuses_every_other_move(status, move):
    with pytest.raises((MoveRefused, ClaimRefused)):
        MOVES[move](conversation_in(status))


@pytest.mark.parametrize("move", ["claim", "take over"])
def test_a_second_claim_is_refused_with_the_holders_name(move):
    held = conversation_in(Status.CLAIMED, agent=BEN)

    with pytest.raises(ClaimRefused, match="already claimed by Ben") as refused:
        MOVES[move](held)

    assert refused.value.holder == BEN


@pytest.mark.parametrize("status", [Status.BOT, Status.RESOLVED], ids=str)
def test_a_claim_where_nobody_waits_names_no_holder(status):
    with pytest.raises(ClaimRefused, match="not waiting for an agent") as refused:
        conversation_in(status).claimed_by(ADA, now_ms=NOON_MS)

    assert refused.value.holder is None


def test_a_take_over_that_comes_after_the_handoff_says_that_the_conversation_is_queued():
    with pytest.raises(MoveRefused, match="cannot take over a conversation that is queued"):
        conversation_in(Status.QUEUED).taken_over_by(ADA, now_ms=NOON_MS)


@pytest.mark.parametrize("move", HOLDERS_MOVES)
def test_only_the_holder_moves_a_claimed_conversation(move):
    with pytest.raises(ClaimLost, match="only the agent who has claimed it may") as refused:
        HOLDERS_MOVES[move](conversation_in(Status.CLAIMED, agent=BEN))

    assert refused.value.holder == BEN


@pytest.mark.parametrize("move", HOLDERS_MOVES)
def test_a_claim_whose_lease_has_passed_is_void_before_it_is_queued(move):
    """FAULTS H6, R-H6: the late agent is refused, whether or not the sweep was there first."""
    with pytest.raises(ClaimLost):
        HOLDERS_MOVES[move](conversation_in(Status.CLAIMED, lease_until_ms=NOON_MS))


@pytest.mark.parametrize(("status", "move"), [(Status.QUEUED, "claim"), (Status.BOT, "take over")], ids=str)
def test_a_claim_has_an_agent_and_a_lease(status, move):
    held = MOVES[move](conversation_in(status))

    assert (held.agent, held.lease_until_ms) == (ADA, NOON_MS + CLAIM_LEASE_MS)


def test_a_claim_does_not_expire_before_its_time():
    with pytest.raises(MoveRefused, match="still alive"):
        conversation_in(Status.CLAIMED).lease_expired(now_ms=LATER_MS - 1)


def test_a_claim_without_a_lease_has_run_out():
    expired = conversation_in(Status.CLAIMED, lease_until_ms=None).lease_expired(now_ms=NOON_MS)

    assert expired.status is Status.QUEUED


def test_a_transferred_conversation_has_the_new_agent_and_a_lease_of_its_own():
    held = conversation_in(Status.CLAIMED, lease_until_ms=NOON_MS + 1, waiting_since_ms=NOON_MS - 5_000)

    moved = MOVES["transfer"](held)

    assert (moved.agent, moved.lease_until_ms) == (BEN, NOON_MS + CLAIM_LEASE_MS)
    assert moved.waiting_since_ms == NOON_MS - 5_000


def test_a_transfer_to_oneself_is_no_change_of_owner():
    with pytest.raises(MoveRefused, match="has this conversation already"):
        conversation_in(Status.CLAIMED).transferred_by(ADA, to=ADA, now_ms=NOON_MS)


@pytest.mark.parametrize("move", ["renew", "reply"])
def test_a_sign_of_life_renews_the_claim_and_changes_no_owner(move):
    held = conversation_in(Status.CLAIMED, lease_until_ms=NOON_MS + 1)

    moved = HOLDERS_MOVES[move](held)

    assert owner(moved) == owner(held)
    assert moved.lease_until_ms == NOON_MS + CLAIM_LEASE_MS


def test_a_reply_ends_the_wait_and_answers_what_the_customer_wrote():
    held = conversation_in(Status.CLAIMED, answered_seq=2, waiting_since_ms=NOON_MS - 5_000)

    replied = HOLDERS_MOVES["reply"](held)

    assert (replied.answered_seq, replied.waiting_since_ms) == (4, None)


@pytest.mark.parametrize("move", ALLOWED_MOVES)
def test_whoever_has_it_now_has_had_it_since_the_move(move):
    status = next(status for status, name in ALLOWED if name == move)

    moved = MOVES[move](conversation_in(status, owned_since_ms=1))

    assert moved.owned_since_ms == (LATER_MS if move == "expire" else NOON_MS)


@pytest.mark.parametrize("move", ["release", "expire", "return to the bot", "resolve"])
def test_a_conversation_that_is_let_go_has_neither_agent_nor_lease(move):
    moved = MOVES[move](conversation_in(Status.CLAIMED))

    assert (moved.agent, moved.lease_until_ms) == (None, None)


@pytest.mark.parametrize("move", ["release", "expire"])
def test_the_wait_goes_on_when_a_claim_ends_without_a_reply(move):
    held = conversation_in(Status.CLAIMED, waiting_since_ms=NOON_MS - 5_000)

    assert MOVES[move](held).waiting_since_ms == NOON_MS - 5_000


@pytest.mark.parametrize(("move", "now_ms"), [("release", NOON_MS), ("expire", LATER_MS)])
def test_the_wait_begins_with_the_release_when_nobody_waited(move, now_ms):
    assert MOVES[move](conversation_in(Status.CLAIMED)).waiting_since_ms == now_ms


@pytest.mark.parametrize("move", ["return to the bot", "resolve"])
def test_nobody_waits_for_a_person_who_is_done(move):
    held = conversation_in(Status.CLAIMED, waiting_since_ms=NOON_MS)

    assert MOVES[move](held).waiting_since_ms is None


def test_a_handoff_answers_what_the_customer_wrote_and_starts_the_wait():
    moved = conversation_in(Status.BOT).queued(since_ms=NOON_MS - 9_000, now_ms=NOON_MS)

    assert (moved.answered_seq, moved.waiting_since_ms) == (4, NOON_MS - 9_000)


@pytest.mark.parametrize(
    ("status", "move", "answered"),
    [(Status.QUEUED, "claim", 2), (Status.BOT, "take over", 2), (Status.CLAIMED, "resolve", 4)],
    ids=str,
)
def test_a_claim_answers_nothing_and_the_end_of_a_conversation_everything(status, move, answered):
    """H4: what was written before a claim is the bot's to answer if the agent gives it back without a word."""
    assert MOVES[move](conversation_in(status, answered_seq=2)).answered_seq == answered


@pytest.mark.parametrize(("answered", "since"), [(2, NOON_MS), (4, None)], ids=["unanswered", "answered"])
def test_who_was_to_be_answered_by_the_bot_waits_for_the_agent_who_takes_over(answered, since):
    assert MOVES["take over"](conversation_in(Status.BOT, answered_seq=answered)).waiting_since_ms == since


@pytest.mark.parametrize(("answered", "owes"), [(2, True), (4, False)], ids=["unanswered", "answered"])
def test_the_bot_answers_after_its_return_what_no_agent_has_answered(answered, owes):
    """R-H9: exactly one party answers."""
    moved = MOVES["return to the bot"](conversation_in(Status.CLAIMED, answered_seq=answered))

    assert (moved.answered_seq, moved.owes_a_turn) == (answered, owes)


def test_a_reopened_conversation_is_a_new_episode_with_its_history():
    reopened = conversation_in(Status.RESOLVED, episode=2, answered_seq=4).reopened(now_ms=NOON_MS)

    assert (reopened.episode, reopened.last_seq, reopened.answered_seq) == (3, 5, 4)


@pytest.mark.parametrize(
    ("status", "answered", "owes"),
    [
        (Status.BOT, 3, True),
        (Status.BOT, 4, False),
        (Status.QUEUED, 3, False),
        (Status.CLAIMED, 3, False),
        (Status.RESOLVED, 3, False),
    ],
    ids=str,
)
def test_the_bot_owes_a_turn_only_while_it_has_the_conversation(status, answered, owes):
    assert conversation_in(status, answered_seq=answered).owes_a_turn is owes


@pytest.mark.parametrize("kind", Kind, ids=str)
def test_customers_see_everything_but_internal_notes(kind):
    assert customer_visible(a_message(role=Role.AGENT, kind=kind)) is (kind is not Kind.NOTE)


@given(st.lists(st.tuples(st.sampled_from(sorted(MOVES)), st.booleans()), max_size=30))
def test_no_sequence_of_moves_breaks_the_state(steps):
    conversation = a_conversation()
    for move, wrote in steps:
        before = conversation if not wrote else customer_wrote_in(conversation)
        conversation = attempted(move, before)

        assert (conversation.epoch - before.epoch == 1) is (owner(conversation) != owner(before))
        assert_is_sound(conversation)
        assert conversation.last_customer_seq == before.last_customer_seq


def customer_wrote_in(conversation: Conversation) -> Conversation:
    return replace(
        conversation, last_seq=conversation.last_seq + 1, last_customer_seq=conversation.last_seq + 1
    )


def attempted(move, conversation):
    try:
        return MOVES[move](conversation)
    except Refused:
        return conversation


def assert_is_sound(conversation: Conversation) -> None:
    claimed = conversation.status is Status.CLAIMED
    assert (conversation.agent is not None) is claimed
    assert (conversation.lease_until_ms is not None) is claimed
    assert conversation.answered_seq <= conversation.last_customer_seq <= conversation.last_seq
    if conversation.status is Status.QUEUED:
        assert conversation.waiting_since_ms is not None
    if conversation.status in (Status.BOT, Status.RESOLVED):
        assert conversation.waiting_since_ms is None
