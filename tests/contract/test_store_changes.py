"""What a move by a person or the sweep writes with it on every conversation store: messages, times of the handoff, audit."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.audit import RETRIED, owner, rebuilt
from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Kind, Role, Status
from bot.core.outcome import ReasonCode
from bot.errors import ConversationChanged
from tests.builders import NOON_MS, a_bot_message, a_conversation, a_handoff, an_agent_message
from tests.contract.scene import ANNA

BEN = AgentId("ben")


async def everything(scene):
    """All that a call that is refused, or repeated, must leave as it was."""
    store = scene.store
    return (
        await scene.seen(),
        await store.audit(scene.id),
        await store.handoffs(scene.id),
        await store.outbox(limit=99),
    )


async def test_a_reply_takes_the_next_seq_and_names_its_author(scene):
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()

    written = await scene.agent_replies("I have found it.", at_ms=NOON_MS + 5)

    said = an_agent_message("I have found it.", seq=held.last_seq + 1, at_ms=NOON_MS + 5)
    assert written.messages == (said,)
    assert (await scene.seen()).messages[-1] == said
    assert written.conversation == await scene.state() == replace(
        held,
        last_seq=held.last_seq + 1,
        waiting_since_ms=None,
        lease_until_ms=NOON_MS + 5 + CLAIM_LEASE_MS,
    )  # fmt: skip


async def test_what_is_said_with_a_move_follows_what_the_customer_was_shown(scene):
    await scene.customer_writes()
    await scene.bot_shows(await scene.turn_begins(), "Open My Lessons")
    read = await scene.state()
    hello = an_agent_message("Hello, I am Anna.")

    written = await scene.changes(read, read.taken_over_by(ANNA, now_ms=NOON_MS), hello)

    assert [m.text for m in written.messages] == ["Open My Lessons", "Hello, I am Anna."]
    assert [m.seq for m in written.messages] == [2, 3]
    assert (await scene.seen()).draft == ()


async def test_a_reply_that_comes_twice_is_said_once(scene):
    """R-S20: the button was pressed twice, or the answer to the first press was lost."""
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    first = await scene.agent_replies("I have found it.")
    before = await everything(scene)

    again = await scene.agent_replies("I have found it.", at_ms=NOON_MS + 9)

    assert again.messages == first.messages
    assert await everything(scene) == before


async def test_a_repeat_is_recognised_after_the_conversation_moved_on(scene):
    """R-S20: an old button; what was said stays said, and nothing else happens."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    first = await scene.agent_replies("I have found it.", read=held)
    await scene.agent_resolves()
    before = await everything(scene)

    again = await scene.agent_replies("I have found it.", read=held)

    assert (again.messages, again.conversation.status) == (first.messages, Status.RESOLVED)
    assert await everything(scene) == before


async def test_fifty_parallel_presses_say_a_reply_once(scene):
    """R-S20."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()

    ends = await asyncio.gather(*(scene.agent_replies("I have found it.", read=held) for _ in range(50)))

    assert len({message for end in ends for message in end.messages}) == 1
    assert (await scene.texts()).count("I have found it.") == 1


@pytest.mark.parametrize("late", ["released", "transferred", "resolved"])
async def test_a_reply_after_the_claim_ended_is_refused_and_leaves_no_trace(scene, late):
    """FAULTS H6, R-H11: one rule: the agent's late reply is refused."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    ends = {
        "released": held.released_by(ANNA, now_ms=NOON_MS),
        "transferred": held.transferred_by(ANNA, to=BEN, now_ms=NOON_MS),
        "resolved": held.resolved_by(ANNA, now_ms=NOON_MS),
    }
    await scene.moves(held, ends[late])
    before = await everything(scene)

    with pytest.raises(ConversationChanged):
        await scene.agent_replies("Sorry, I was away.", read=held)

    assert await everything(scene) == before


async def test_a_conversation_is_not_resolved_over_a_message_its_agent_has_not_read(scene):
    """R-H11: one rule: the customer's message counts."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    await scene.customer_writes("One more thing!")
    before = await everything(scene)
    goodbye = a_bot_message("Goodbye.", kind=Kind.NOTICE)

    with pytest.raises(ConversationChanged):
        await scene.changes(held, held.resolved_by(ANNA, now_ms=NOON_MS), goodbye)

    assert await everything(scene) == before


async def test_a_message_after_the_end_reopens_the_conversation_for_the_bot(scene):
    """R-H11: the customer's message is never refused."""
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    resolved = await scene.agent_resolves()

    reopened = (await scene.customer_writes("One more thing!", at_ms=NOON_MS + 9)).conversation

    assert (reopened.status, reopened.episode, reopened.epoch) == (Status.BOT, 2, resolved.epoch + 1)
    assert (reopened.owned_since_ms, reopened.waiting_since_ms) == (NOON_MS + 9, None)
    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["One more thing!"]


async def test_the_wait_ends_with_the_reply(scene):
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()

    replied = (await scene.agent_replies()).conversation

    assert held.waiting_since_ms is not None
    assert replied.waiting_since_ms is None


async def test_who_wrote_while_the_agent_did_waits_on(scene):
    """R-H10: the reply answers what the agent had read, the newer message waits from the reply on."""
    await scene.bot_hands_over(a_handoff())
    read = await scene.agent_claims()
    await scene.customer_writes("And another thing", at_ms=NOON_MS + 5)

    replied = (await scene.agent_replies(read=read, at_ms=NOON_MS + 7)).conversation

    assert replied.waiting_since_ms == NOON_MS + 7
    assert (replied.answered_seq, replied.last_customer_seq) == (read.last_customer_seq, read.last_seq + 1)


async def test_who_wrote_before_a_release_that_was_read_earlier_waits_since_then(scene):
    read = await scene.agent_takes_over()
    await scene.customer_writes("Hello?", at_ms=NOON_MS + 5)

    released = await scene.moves(read, read.released_by(ANNA, now_ms=NOON_MS + 9))

    assert released.waiting_since_ms == NOON_MS + 5


async def test_a_release_that_was_decided_before_a_reply_lets_the_wait_begin_with_it(scene):
    await scene.agent_takes_over()
    await scene.customer_writes("Hello?", at_ms=NOON_MS + 5)
    read = await scene.state()
    await scene.agent_replies(at_ms=NOON_MS + 7)

    released = await scene.moves(read, read.released_by(ANNA, now_ms=NOON_MS + 9), at_ms=NOON_MS + 9)

    assert (read.waiting_since_ms, released.waiting_since_ms) == (NOON_MS + 5, NOON_MS + 9)


async def test_nobody_waits_when_of_two_replies_the_later_had_seen_less(scene):
    await scene.agent_takes_over()
    await scene.customer_writes("one")
    read = await scene.state()
    await scene.customer_writes("two")
    await scene.agent_replies(id="r1")

    replied = (await scene.agent_replies(id="r2", read=read)).conversation

    assert (replied.waiting_since_ms, replied.answered_seq) == (None, replied.last_customer_seq)


async def test_nobody_waits_for_a_person_once_the_bot_has_it_again(scene):
    read = await scene.agent_takes_over()
    await scene.customer_writes("Hello?", at_ms=NOON_MS + 5)

    returned = await scene.moves(read, read.returned_to_bot(ANNA, now_ms=NOON_MS + 9))

    assert (returned.waiting_since_ms, returned.owes_a_turn) == (None, True)


async def test_messages_of_both_sides_at_once_have_one_order_for_all(scene):
    """R-H10."""
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    replies = [scene.agent_replies(f"reply {n}", id=f"r{n}", read=held) for n in range(20)]
    questions = [scene.customer_writes(f"question {n}") for n in range(20)]

    await asyncio.gather(*(one for pair in zip(replies, questions, strict=True) for one in pair))

    everyone = (await scene.seen()).messages
    later = (await scene.store.snapshot(scene.id, after=17)).messages
    assert [m.seq for m in everyone] == list(range(1, held.last_seq + 41))
    assert later == everyone[17:]


async def test_a_handoff_keeps_its_first_claim_its_first_reply_and_its_end(scene):
    await scene.bot_hands_over(a_handoff())
    read = await scene.state()
    held = await scene.moves(read, read.claimed_by(ANNA, now_ms=NOON_MS), at_ms=NOON_MS + 1)
    queued = await scene.moves(held, held.released_by(ANNA, now_ms=NOON_MS), at_ms=NOON_MS + 2)
    await scene.moves(queued, queued.claimed_by(BEN, now_ms=NOON_MS), at_ms=NOON_MS + 3)
    for n in (4, 5):
        await scene.agent_replies(id=f"r{n}", agent=BEN, at_ms=NOON_MS + n)
    held = await scene.state()
    await scene.moves(held, held.resolved_by(BEN, now_ms=NOON_MS), at_ms=NOON_MS + 6)

    (row,) = await scene.store.handoffs(scene.id)

    times = (row.claimed_ms, row.replied_ms, row.closed_ms)
    assert times == (NOON_MS + 1, NOON_MS + 4, NOON_MS + 6)


async def test_a_notice_to_who_waits_is_no_reply(scene):
    """FAULTS H7: the bot says that nobody has come yet, and the wait goes on."""
    await scene.bot_hands_over(a_handoff())
    read = await scene.state()
    notice = a_bot_message("Still waiting.", kind=Kind.NOTICE, channel_message_id="wait:1:2m")

    written = [await scene.changes(read, read, notice, who="sweep", what="told") for _ in range(2)]

    (row,) = await scene.store.handoffs(scene.id)
    assert (row.claimed_ms, row.replied_ms, row.closed_ms) == (None, None, None)
    assert [end.conversation for end in written] == [replace(read, last_seq=read.last_seq + 1)] * 2
    assert (await scene.texts()).count("Still waiting.") == 1


async def test_a_closed_handoff_knows_nothing_of_a_later_claim(scene):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    await scene.agent_returns_to_bot()
    closed = await scene.store.handoffs(scene.id)

    await scene.agent_takes_over(BEN)
    await scene.agent_replies(agent=BEN)

    assert await scene.store.handoffs(scene.id) == closed


async def test_the_audit_names_the_holder_and_the_detail(scene):
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    moved = held.transferred_by(ANNA, to=BEN, now_ms=NOON_MS)
    held = await scene.moves(held, moved, what="transferred", detail=BEN)
    await scene.moves(
        held, held.resolved_by(BEN, now_ms=NOON_MS), who=BEN, what="resolved", detail="answered"
    )

    rows = await scene.store.audit(scene.id)

    assert [(row.who, row.what, row.agent, row.detail) for row in rows] == [
        ("customer", "opened", None, ""),
        ("bot", "handoff", None, ""),
        ("anna", "claimed", "anna", ""),
        ("anna", "transferred", "ben", "ben"),
        ("ben", "resolved", None, "answered"),
    ]


async def test_a_reply_is_no_change_of_owner_and_stands_in_no_audit(scene):
    await scene.bot_hands_over(a_handoff())
    held = await scene.agent_claims()
    before = await scene.store.audit(scene.id)

    replied = (await scene.agent_replies()).conversation

    assert owner(replied) == owner(held)
    assert await scene.store.audit(scene.id) == before


async def test_the_audit_rebuilds_the_owner_after_each_move(scene):
    """FAULTS H9: status, epoch, episode and agent."""
    await scene.bot_hands_over(a_handoff())
    for agent, end in ((ANNA, "released_by"), (BEN, "returned_to_bot")):
        held = await scene.agent_claims(agent)
        assert rebuilt(await scene.store.audit(scene.id)) == owner(held)
        moved = await scene.moves(held, getattr(held, end)(agent, now_ms=NOON_MS), who=agent)
        assert rebuilt(await scene.store.audit(scene.id)) == owner(moved)
    await scene.agent_takes_over()
    await scene.agent_resolves()
    await scene.customer_writes("again")

    state = await scene.state()
    assert rebuilt(await scene.store.audit(scene.id)) == owner(state)
    assert (state.status, state.epoch, state.episode) == (Status.BOT, 8, 2)


async def test_a_returned_conversation_has_owed_its_turn_only_since_the_return(scene):
    """FAULTS H4: the watchdog must not hand over at once what the bot has only just got back."""
    await scene.bot_hands_over(a_handoff())
    read = await scene.agent_claims()
    await scene.customer_writes("Are you there?", at_ms=NOON_MS + 5)
    returned = read.returned_to_bot(ANNA, now_ms=NOON_MS + 60_000)
    await scene.moves(read, returned, at_ms=NOON_MS + 60_000)

    found = [await scene.store.unanswered(received_before_ms=NOON_MS + ms) for ms in (60_000, 60_001)]

    assert found == [(), (scene.id,)]


async def test_who_waits_longest_counts_from_the_return_as_well(scene):
    await scene.agent_takes_over()
    await scene.customer_writes("Are you there?", at_ms=NOON_MS + 5)
    read = await scene.state()
    await scene.moves(read, read.returned_to_bot(ANNA, now_ms=NOON_MS + 60_000))
    other = await type(scene).open(scene.store, a_conversation(id="another").id)
    await other.customer_writes(at_ms=NOON_MS + 50_000)

    assert await scene.store.unanswered(received_before_ms=NOON_MS * 2) == ("another", scene.id)


async def test_the_bot_says_nothing_after_a_claim(scene):
    """FAULTS H1, H8: neither the answer nor the handoff of a turn that began before."""
    await scene.customer_writes()
    start = await scene.turn_begins()
    taken = await scene.agent_takes_over()

    for outcome in (None, a_handoff()):
        with pytest.raises(ConversationChanged):
            await scene.bot_settles(start, outcome)
    with pytest.raises(ConversationChanged):
        await scene.bot_shows(start, "Open My Lessons")

    assert [m.role for m in (await scene.seen()).messages if m.seq > taken.last_seq] == []
    assert Role.BOT not in {m.role for m in (await scene.seen()).messages}


async def test_what_the_customer_has_tried_again_is_the_bots_and_owes_a_turn(scene):
    await scene.bot_hands_over(a_handoff(ReasonCode.RECORDS_UNAVAILABLE))
    pressed = await scene.customer_writes("Try again", kind=Kind.RETRY)
    moved = pressed.conversation.retried(now_ms=NOON_MS + 5)

    state = await scene.moves(pressed.conversation, moved, who="customer", what=RETRIED, at_ms=NOON_MS + 5)

    assert (state.status, state.waiting_since_ms, state.owes_a_turn) == (Status.BOT, None, True)
    start = await scene.turn_begins()
    assert [m.kind for m in start.unanswered] == [Kind.RETRY]
    (handoff,) = await scene.store.handoffs(scene.id)
    assert handoff.closed_ms == NOON_MS + 5
    assert rebuilt(await scene.store.audit(scene.id)) == owner(state)


async def test_an_agent_who_claims_first_keeps_what_the_customer_tries_again(scene):
    await scene.bot_hands_over(a_handoff(ReasonCode.RECORDS_UNAVAILABLE))
    pressed = await scene.customer_writes("Try again", kind=Kind.RETRY)
    await scene.agent_claims()

    with pytest.raises(ConversationChanged):
        await scene.moves(pressed.conversation, pressed.conversation.retried(now_ms=NOON_MS + 5))

    assert (await scene.state()).agent == ANNA
