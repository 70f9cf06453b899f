"""Edits and deletions on every conversation store: one effect each, whatever comes first, twice or never."""

from contextlib import suppress
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.conversation import ConversationId, Kind, Status
from bot.core.revisions import agents_revision, current, revised
from bot.errors import ConversationChanged, MessageConflict
from tests.builders import NOON_MS, a_customer_message, a_handoff, a_revision
from tests.contract.scene import ANNA, Scene, assert_rebuilds

ASKED = "How do I move it?"
NUMBERS = count(1)


async def asks(scene, text=ASKED, *, id="m1"):
    return await scene.customer_writes(text, channel_message_id=id)


async def edits(scene, text, *, id="m1", revision="1", at_ms=NOON_MS + 1):
    return await scene.store.receive(a_revision(id, text, revision=revision), at_ms=at_ms)


async def deletes(scene, *, id="m1", at_ms=NOON_MS + 2):
    return await scene.store.receive(a_revision(id, None), at_ms=at_ms)


async def standing(scene):
    return [m.text for m in current((await scene.seen()).messages)]


async def whats(scene):
    return [(row.what, row.detail) for row in await scene.store.audit(scene.id)]


async def test_an_edit_is_a_message_that_names_its_original_and_is_to_be_answered(scene):
    await asks(scene)

    received = await edits(scene, "How do I move a class?")

    assert (received.duplicate, received.message.seq, received.message.revises) == (False, 2, 1)
    assert (received.conversation.last_seq, received.conversation.last_customer_seq) == (2, 2)
    start = await scene.turn_begins()
    assert [m.text for m in start.unanswered] == [m.text for m in start.history] == ["How do I move a class?"]
    assert await whats(scene) == [("opened", ""), ("edited", "1")]


async def test_an_edit_ends_the_turn_that_runs_and_keeps_what_it_had_shown(scene):
    await asks(scene)
    start = await scene.turn_begins()
    await scene.bot_shows(start, "Open it.")

    await edits(scene, "How do I move a class?")

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start)
    assert await scene.texts() == [ASKED, "Open it.", "How do I move a class?"]


async def test_an_edit_of_what_was_answered_is_asked_anew_in_its_later_place(scene):
    await asks(scene)
    await scene.bot_settles(await scene.turn_begins())

    await edits(scene, "How do I move a class?")

    start = await scene.turn_begins()
    assert [m.seq for m in start.unanswered] == [3]
    assert [m.seq for m in start.history] == [2, 3]


async def test_of_several_edits_the_newest_stands_in_whatever_order_they_come(scene):
    await asks(scene)
    await edits(scene, "second", revision="2")

    late = await edits(scene, "first", revision="1")
    await edits(scene, "third", revision="3")

    assert (late.duplicate, late.message.text) == (True, "second")
    assert await standing(scene) == ["third"]


async def test_an_edit_that_changes_nothing_is_stored_nowhere(scene):
    await asks(scene)
    before = await scene.seen()

    received = await edits(scene, ASKED)

    assert (received.duplicate, received.message.seq) == (True, 1)
    assert await scene.seen() == before
    assert await whats(scene) == [("opened", "")]


async def test_an_edit_before_its_original_stands_for_it(scene):
    await edits(scene, "second", revision="2")
    assert (await edits(scene, "first", revision="1")).duplicate

    with pytest.raises(MessageConflict):
        await asks(scene)

    assert (await edits(scene, "second", revision="2")).duplicate
    assert await standing(scene) == ["second"]
    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["second"]


async def test_a_deletion_before_its_original_leaves_nothing_to_answer(scene):
    await deletes(scene)

    with pytest.raises(MessageConflict):
        await asks(scene)
    assert (await edits(scene, "later", revision="9")).duplicate

    assert await standing(scene) == []
    assert not (await scene.state()).owes_a_turn


async def test_the_deletion_of_all_that_was_asked_drops_the_owed_turn(scene):
    await asks(scene)
    start = await scene.turn_begins()

    received = await deletes(scene)

    assert (received.message.kind, received.message.revises) == (Kind.TOMBSTONE, 1)
    assert await scene.begun_turn() is None
    assert await scene.store.unanswered(received_before_ms=NOON_MS + 9) == ()
    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start)
    assert await whats(scene) == [("opened", ""), ("deleted", "1")]


async def test_the_deletion_of_one_question_leaves_the_other_to_a_new_turn(scene):
    await asks(scene)
    await asks(scene, "And what does it cost?", id="m2")
    start = await scene.turn_begins()

    await deletes(scene)

    with pytest.raises(ConversationChanged):
        await scene.bot_settles(start)
    assert [m.text for m in (await scene.turn_begins()).unanswered] == ["And what does it cost?"]


async def test_what_came_after_a_deletion_is_owed_from_its_own_time_on(scene):
    await asks(scene)
    await deletes(scene, at_ms=NOON_MS + 2)
    await scene.customer_writes("Another", channel_message_id="m2", at_ms=NOON_MS + 50)

    assert await scene.store.unanswered(received_before_ms=NOON_MS + 50) == ()
    assert await scene.store.unanswered(received_before_ms=NOON_MS + 51) == (scene.id,)


async def test_an_edit_while_an_agent_has_it_waits_and_cannot_be_closed_over(scene):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    await scene.agent_replies()
    read = await scene.state()

    await edits(scene, "help with my card", id="id of help, for turn t1")

    assert (await scene.state()).waiting_since_ms == NOON_MS + 1
    with pytest.raises(ConversationChanged):
        await scene.moves(read, read.resolved_by(ANNA, now_ms=NOON_MS + 2))


async def test_who_deletes_what_an_agent_was_asked_waits_no_longer(scene):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    await scene.agent_replies()
    await asks(scene)

    await deletes(scene)

    state = await scene.state()
    assert (state.waiting_since_ms, state.answered_seq) == (None, state.last_customer_seq)


async def resolved(scene):
    await asks(scene)
    await scene.agent_takes_over()
    await scene.agent_resolves()


async def test_an_edit_opens_what_was_resolved_and_a_deletion_does_not(scene):
    await resolved(scene)

    await deletes(scene)
    assert (await scene.state()).status is Status.RESOLVED
    assert not (await edits(scene, "How do I move a class?", id="m0")).duplicate

    state = await scene.state()
    assert (state.status, state.episode, state.owes_a_turn) == (Status.BOT, 2, True)
    assert_rebuilds(await scene.store.audit(scene.id), state)


async def test_an_agents_edit_is_said_in_place_and_stands_in_the_audit(scene):
    await scene.bot_hands_over(a_handoff())
    await scene.agent_claims()
    (sent,) = (await scene.agent_replies("Troot?")).messages
    read = await scene.state()
    edit = agents_revision(sent, "Trout?", revision="1")

    for _ in range(2):
        await scene.changes(read, read, edit, what="edited", detail=str(sent.seq))

    assert revised((await scene.seen()).messages)[-1].text == "Trout?"
    assert (await whats(scene))[-1] == ("edited", str(sent.seq))
    assert [what for what, _ in await whats(scene)].count("edited") == 1
    assert_rebuilds(await scene.store.audit(scene.id), await scene.state())


DELIVERIES = st.lists(st.sampled_from(["said", "1", "2", "3", "deleted"]), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(deliveries=DELIVERIES)
async def test_each_delivery_has_one_effect_in_any_order(store, deliveries):
    """SL3: the same event is delivered one to four times, in any order, and its original perhaps last."""
    scene = await Scene.open(store, ConversationId(f"c{next(NUMBERS)}"))
    revisions = {"deleted": a_revision("m", None, conversation=scene.id)} | {
        n: a_revision("m", f"edit {n}", revision=n, conversation=scene.id) for n in "123"
    }
    said = a_customer_message(ASKED, channel_message_id="m", conversation=scene.id)
    for delivery in deliveries:
        with suppress(MessageConflict):
            await store.receive(revisions.get(delivery, said), at_ms=NOON_MS)

    last = max(deliveries, key=["said", "1", "2", "3", "deleted"].index)
    expected = [] if last == "deleted" else [revisions.get(last, said).text]
    start = await scene.begun_turn()
    assert await standing(scene) == expected
    assert [m.text for m in (start.unanswered if start else ())] == expected
    assert_rebuilds(await store.audit(scene.id), await scene.state())
