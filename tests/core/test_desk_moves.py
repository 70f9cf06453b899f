"""What agents may do to a conversation, decided on the state as it was read."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.prompt_files import load_replies
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Conversation, Kind, Role, Status
from bot.core.desk import Resolution
from bot.core.desk_moves import (
    SWEEP,
    DeskMove,
    agent_message,
    claiming,
    expiring,
    releasing,
    renewing,
    replying,
    resolving,
    returning,
    transferring,
)
from bot.errors import ClaimLost, ClaimRefused, CustomerWrote, MoveRefused
from tests.builders import NOON_MS, a_conversation

ANNA, BEN = AgentId("anna"), AgentId("ben")
REPLIES = load_replies(Path(__file__).parents[2] / "prompts")
NOW = NOON_MS + 1_000


def held(by: AgentId = ANNA, *, until_ms: int = NOW + 1, **fields) -> Conversation:
    """Return a conversation that an agent has, with three messages of the customer, of which one is answered."""
    state = {"status": Status.CLAIMED, "agent": by, "lease_until_ms": until_ms, "waiting_since_ms": NOON_MS}
    return a_conversation(
        **state | {"epoch": 4, "last_seq": 5, "last_customer_seq": 5, "answered_seq": 1} | fields
    )


def a_reply(read: Conversation, *, seen: int, agent: AgentId = ANNA):
    return replying(read, NOW, agent=agent, said=agent_message(agent, "Hello", message_id="r1"), seen=seen)


CLAIMS = {
    "queued": (a_conversation(status=Status.QUEUED), "anna", DeskMove.CLAIMED, "anna"),
    "the bot's": (a_conversation(), "anna", DeskMove.TOOK_OVER, "anna"),
    "her own": (held(), "anna", DeskMove.RENEWED, "anna"),
    "her own, run out": (held(until_ms=NOW), SWEEP, DeskMove.LEASE_EXPIRED, None),
    "another's, run out": (held(BEN, until_ms=NOW), SWEEP, DeskMove.LEASE_EXPIRED, None),
}


@pytest.mark.parametrize(("read", "who", "what", "holder"), CLAIMS.values(), ids=CLAIMS)
def test_the_next_step_toward_a_claim_depends_on_who_has_the_conversation(read, who, what, holder):
    move = claiming(read, NOW, agent=ANNA)

    assert (move.who, move.what, move.moved.agent) == (who, what, holder)


def test_a_claim_of_what_another_has_is_refused():
    with pytest.raises(ClaimRefused) as refused:
        claiming(held(BEN), NOW, agent=ANNA)

    assert refused.value.holder == "ben"


def test_a_claim_of_what_is_resolved_says_how_it_opens_again():
    with pytest.raises(MoveRefused, match="opens again when the customer writes"):
        claiming(a_conversation(status=Status.RESOLVED), NOW, agent=ANNA)


HOLDERS_MOVES = {
    "renew": renewing,
    "release": releasing,
    "transfer": lambda read, now, *, agent: transferring(read, now, agent=agent, to=AgentId("cleo")),
    "return": lambda read, now, *, agent: returning(read, now, agent=agent, replies=REPLIES),
    "resolve": lambda read, now, *, agent: resolving(
        read, now, agent=agent, code=Resolution.SPAM, seen=9, replies=REPLIES
    ),
    "reply": lambda read, _now, *, agent: a_reply(read, seen=9, agent=agent),
}
NOT_HELD = {
    "another's": held(BEN),
    "run out": held(until_ms=NOW),
    "queued": a_conversation(status=Status.QUEUED),
    "the bot's": a_conversation(),
    "resolved": a_conversation(status=Status.RESOLVED),
}


@pytest.mark.parametrize("move", HOLDERS_MOVES.values(), ids=HOLDERS_MOVES)
@pytest.mark.parametrize("read", NOT_HELD.values(), ids=NOT_HELD)
def test_whoever_does_not_have_the_conversation_has_lost_it(move, read: Conversation):
    with pytest.raises(ClaimLost) as lost:
        move(read, NOW, agent=ANNA)

    assert lost.value.holder == read.agent


@pytest.mark.parametrize("move", HOLDERS_MOVES.values(), ids=HOLDERS_MOVES)
def test_each_move_of_the_holder_is_its_own(move):
    assert move(held(), NOW, agent=ANNA).who == "anna"


def test_a_transfer_says_to_whom():
    move = transferring(held(), NOW, agent=ANNA, to=BEN)

    assert (move.moved.agent, move.detail) == ("ben", "ben")


@pytest.mark.parametrize(("locale", "word"), [("en", "assistant"), ("de-AT", "Assistent")])
def test_the_customer_reads_in_their_language_that_the_bot_answers_again(locale: str, word: str):
    (notice,) = returning(held(locale=locale), NOW, agent=ANNA, replies=REPLIES).messages

    assert (notice.role, notice.kind, notice.at_ms) == (Role.BOT, Kind.NOTICE, NOW)
    assert word in notice.text


def test_a_resolution_keeps_its_code_and_tells_the_customer():
    move = resolving(held(), NOW, agent=ANNA, code=Resolution.SPAM, seen=5, replies=REPLIES)

    assert (move.moved.status, move.detail) == (Status.RESOLVED, "spam")
    assert [m.text for m in move.messages] == [REPLIES.text("resolved", "en")]


def test_nothing_is_resolved_over_a_message_that_was_not_seen():
    with pytest.raises(CustomerWrote):
        resolving(held(), NOW, agent=ANNA, code=Resolution.SPAM, seen=4, replies=REPLIES)


def test_a_claim_is_ended_for_an_agent_who_went_silent_and_not_before():
    assert expiring(held(until_ms=NOW), NOW).moved.status is Status.QUEUED
    with pytest.raises(MoveRefused):
        expiring(held(until_ms=NOW + 1), NOW)


@pytest.mark.parametrize(
    ("seen", "answered_seq"), [(9, 5), (5, 5), (4, 4), (0, 1)], ids=["more", "all", "not the last", "none"]
)
def test_a_reply_answers_what_its_agent_had_seen(seen: int, answered_seq: int):
    move = a_reply(held(), seen=seen)

    assert (move.read.last_customer_seq, move.moved.answered_seq) == (answered_seq, answered_seq)
    assert (move.moved.waiting_since_ms, move.moved.lease_until_ms) == (None, NOW + CLAIM_LEASE_MS)


def test_a_reply_is_its_agents_and_bears_the_id_that_the_console_gave_it():
    (said,) = a_reply(held(), seen=5).messages

    expected = agent_message(ANNA, "Hello", message_id="r1")
    assert said == replace(expected, at_ms=NOW)
    assert (said.role, said.author, said.channel_message_id) == (Role.AGENT, "anna", "agent:anna:r1")
