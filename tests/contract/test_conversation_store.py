"""What every conversation store promises about messages, the customer's view and shown drafts."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.conversation import ConversationId, Kind, Role, Source, Status, TurnId
from bot.errors import ConversationChanged, ConversationUnknown, MessageConflict
from tests.builders import (
    NOON_MS,
    a_bot_message,
    a_conversation,
    a_customer_message,
    a_fence,
    a_handoff,
    a_message,
)

NOBODY = ConversationId("nobody")


async def test_an_opened_conversation_can_be_read(store):
    opened = await store.open_conversation(a_conversation(locale="de", created_ms=7))

    assert opened == await store.conversation(opened.id) == a_conversation(locale="de", created_ms=7)


async def test_opening_again_returns_the_stored_conversation(scene):
    received = await scene.customer_writes()

    again = await scene.store.open_conversation(a_conversation(locale="fr"))

    assert again == received.conversation
    assert len(await scene.store.audit(scene.id)) == 1


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda s: s.conversation(NOBODY), id="conversation"),
        pytest.param(lambda s: s.receive(a_customer_message(conversation=NOBODY), at_ms=1), id="receive"),
        pytest.param(lambda s: s.begin_turn(NOBODY, history=1, turns_since_ms=0), id="begin_turn"),
        pytest.param(lambda s: s.snapshot(NOBODY, after=0), id="snapshot"),
        pytest.param(lambda s: s.turns(NOBODY), id="turns"),
        pytest.param(lambda s: s.handoffs(NOBODY), id="handoffs"),
        pytest.param(lambda s: s.audit(NOBODY), id="audit"),
        pytest.param(
            lambda s: s.show_blocks(a_fence(a_conversation(id=NOBODY)), turn="t1", texts=["x"]),
            id="show_blocks",
        ),
    ],
)
async def test_an_unknown_conversation_is_refused(store, use):
    with pytest.raises(ConversationUnknown):
        await use(store)


async def test_a_received_message_is_stored_as_it_came(scene):
    received = await scene.customer_writes("Refunds", kind=Kind.CATEGORY, channel_message_id="m9", at_ms=5)

    assert received.message == a_message(
        "Refunds", kind=Kind.CATEGORY, channel_message_id="m9", at_ms=5, seq=1
    )
    assert (received.duplicate, received.conversation.last_customer_seq) == (False, 1)
    assert (await scene.seen()).messages == (received.message,)


async def test_a_hundred_deliveries_of_one_message_store_it_once(scene):
    deliveries = await asyncio.gather(*(scene.customer_writes() for _ in range(100)))

    assert [d.duplicate for d in deliveries].count(False) == 1
    assert {d.message.seq for d in deliveries} == {1}
    assert len((await scene.seen()).messages) == 1


@pytest.mark.parametrize("fields", [{"text": "Other words"}, {"text": "Hello", "kind": Kind.FEEDBACK}])
async def test_the_same_message_id_with_another_body_is_refused(scene, fields):
    await scene.customer_writes("Hello", channel_message_id="m1")

    with pytest.raises(MessageConflict):
        await scene.customer_writes(**fields, channel_message_id="m1")


async def test_message_ids_of_two_conversations_do_not_meet(scene):
    other = await type(scene).open(scene.store, ConversationId("c2"))
    await scene.customer_writes("Hello", channel_message_id="m1")

    received = await other.customer_writes("Good morning", channel_message_id="m1")

    assert not received.duplicate
    assert received.message.seq == 1


async def test_seqs_have_no_gap_under_concurrent_messages(scene):
    await asyncio.gather(*(scene.customer_writes(f"message {n}") for n in range(60)))

    assert [m.seq for m in (await scene.seen()).messages] == list(range(1, 61))
    assert (await scene.state()).last_seq == 60


async def test_a_snapshot_holds_only_what_came_after_the_cursor(scene):
    for text in ("one", "two", "three"):
        await scene.customer_writes(text)

    snapshot = await scene.store.snapshot(scene.id, after=2)

    assert [m.text for m in snapshot.messages] == ["three"]
    assert snapshot.conversation == await scene.state()


async def test_the_customer_never_sees_an_internal_note(scene):
    await scene.customer_writes()
    note = a_message("Check the ledger", role=Role.AGENT, kind=Kind.NOTE)

    written = await scene.bot_settles(await scene.turn_begins(), messages=[note, a_bot_message("Done.")])

    assert [m.seq for m in written.messages] == [2, 3]
    assert await scene.texts() == ["How do I reschedule a class?", "Done."]


async def test_a_bot_message_keeps_every_field(scene):
    await scene.customer_writes()
    said = a_bot_message(
        "Größe\u00a0\N{WAVING HAND SIGN}",
        refusal=True,
        reason="no_evidence",
        sources=(Source(id="KB1", title="“Quotes”", url="https://help.example/1"),),
        options=("less", "more"),
        turn=TurnId("t1"),
    )

    await scene.bot_settles(await scene.turn_begins(), messages=[said])

    assert (await scene.seen()).messages[-1] == replace(said, seq=2)


async def test_a_turn_begins_with_the_latest_messages_and_all_unanswered_ones(scene):
    for text in ("one", "two", "three", "four"):
        await scene.customer_writes(text)

    start = await scene.turn_begins(history=2)

    assert [m.text for m in start.history] == ["three", "four"]
    assert [m.text for m in start.unanswered] == ["one", "two", "three", "four"]
    assert start.conversation == await scene.state()


async def test_no_turn_is_owed_before_the_customer_writes_and_after_an_answer(scene):
    assert await scene.begun_turn() is None
    await scene.customer_writes()
    await scene.bot_settles(await scene.turn_begins())

    assert await scene.begun_turn() is None


async def test_shown_blocks_are_in_the_snapshot_until_the_answer_replaces_them(scene):
    await scene.customer_writes()
    start = await scene.turn_begins()
    await scene.bot_shows(start, "First.")
    await scene.bot_shows(start, "Second.")
    assert (await scene.seen()).draft == ("First.", "Second.")

    await scene.bot_settles(start)

    assert (await scene.seen()).draft == ()
    assert await scene.texts() == ["How do I reschedule a class?", "Open My Lessons."]


async def test_blocks_shown_together_follow_those_before_them_in_their_order(scene):
    await scene.customer_writes()
    start = await scene.turn_begins()

    await scene.bot_shows(start, "First.", "Second.")
    await scene.bot_shows(start, "Third.", "Fourth.")

    assert (await scene.seen()).draft == ("First.", "Second.", "Third.", "Fourth.")


async def test_a_new_customer_message_turns_shown_blocks_into_an_interrupted_message(scene):
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.bot_shows(start, "First.")
    await scene.bot_shows(start, "Second.")

    received = await scene.customer_writes("two", at_ms=NOON_MS + 9)

    kept = a_bot_message("First.\n\nSecond.", seq=2, interrupted=True, turn="t1", at_ms=NOON_MS + 9)
    assert (await scene.seen()).messages[1:] == (kept, received.message)
    assert (received.message.seq, (await scene.seen()).draft) == (3, ())


async def test_a_handoff_keeps_what_was_shown_before_its_own_sentence(scene):
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.bot_shows(start, "First.")

    written = await scene.bot_settles(start, a_handoff())

    assert [(m.text, m.interrupted) for m in written.messages] == [
        ("First.", True),
        ("A person will help you.", False),
    ]


async def test_an_agent_who_takes_over_leaves_what_was_shown_in_the_transcript(scene):
    await scene.customer_writes("one")
    await scene.bot_shows(await scene.turn_begins(), "First.")

    await scene.agent_takes_over()

    assert [(m.text, m.interrupted) for m in (await scene.seen()).messages] == [
        ("one", False),
        ("First.", True),
    ]


@pytest.mark.parametrize("shows_again", [True, False])
async def test_blocks_shown_before_a_crash_stay_when_another_turn_answers(scene, shows_again):
    """R-H5's sibling: the process died after showing a block; the resumed turn has another id."""
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.bot_shows(start, "Before the crash.", turn="t1")

    if shows_again:
        await scene.bot_shows(start, "After it.", turn="t2")
        assert (await scene.seen()).draft == ("After it.",)
    await scene.bot_settles(start, turn="t2")

    assert await scene.texts() == ["one", "Before the crash.", "Open My Lessons."]
    assert [m.seq for m in (await scene.seen()).messages] == [1, 2, 3]


async def test_a_block_is_refused_once_the_fence_no_longer_holds(scene):
    await scene.customer_writes("one")
    start = await scene.turn_begins()
    await scene.bot_settles(start)

    with pytest.raises(ConversationChanged):
        await scene.bot_shows(start, "Too late.", "And this.")

    assert (await scene.seen()).draft == ()


async def test_a_refused_block_does_not_disturb_what_is_shown(scene):
    await scene.customer_writes("one")
    late = await scene.turn_begins()
    await scene.customer_writes("two")
    await scene.bot_shows(await scene.turn_begins(), "Current.", turn="t2")

    with pytest.raises(ConversationChanged):
        await scene.bot_shows(late, "Stale.", turn="t1")

    assert (await scene.seen()).draft == ("Current.",)
    assert await scene.texts() == ["one", "two"]


async def test_a_resolved_conversation_reopens_as_a_new_episode_when_the_customer_writes(scene):
    await scene.agent_takes_over()
    resolved = await scene.agent_resolves()

    received = await scene.customer_writes("It broke again")

    reopened = received.conversation
    assert (reopened.status, reopened.episode, reopened.epoch) == (Status.BOT, 2, resolved.epoch + 1)
    assert (await scene.store.audit(scene.id))[-1].what == "reopened"
    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["It broke again"]


async def test_the_store_answers_a_ping(store):
    await store.ping()
