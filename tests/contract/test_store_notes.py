"""Internal notes: a sequence of their own, once per key, and out of the customer's and the bot's sight."""

import asyncio

import pytest

from bot.core.conversation import ConversationId
from bot.core.notes import BOT, Note, summary_key
from bot.errors import ConversationUnknown
from tests.builders import NOON_MS, a_handoff

CANARY = "canary-7f3a"


def a_note(text="She has called twice.", **fields) -> Note:
    return Note(**{"seq": 0, "author": "anna", "text": text, "at_ms": NOON_MS, **fields})


async def test_notes_come_back_in_order_under_a_sequence_of_their_own(scene):
    await scene.customer_writes()

    written = [await scene.store.add_note(scene.id, a_note(text)) for text in ("one", "two", "one")]

    assert [(note.seq, note.text) for note in written] == [(1, "one"), (2, "two"), (3, "one")]
    assert await scene.store.notes(scene.id) == tuple(written)
    assert (await scene.state()).last_seq == 1


async def test_a_key_is_used_once_however_many_write_at_the_same_time(scene):
    notes = [a_note(f"by process {n}", author=BOT, key=summary_key(1)) for n in range(5)]

    kept = await asyncio.gather(*(scene.store.add_note(scene.id, note) for note in notes))

    assert len(set(kept)) == 1
    assert await scene.store.notes(scene.id) == (kept[0],)


async def test_conversations_do_not_share_notes_or_keys(scene):
    other = await type(scene).open(scene.store, ConversationId("another"))
    for one in (scene, other):
        await one.store.add_note(one.id, a_note(one.id, key="k"))

    assert [note.text for note in await scene.store.notes(scene.id)] == [scene.id]
    assert [note.text for note in await scene.store.notes(other.id)] == [other.id]


async def test_a_conversation_that_is_not_there_takes_no_note(scene):
    with pytest.raises(ConversationUnknown):
        await scene.store.add_note(ConversationId("nobody"), a_note())
    with pytest.raises(ConversationUnknown):
        await scene.store.notes(ConversationId("nobody"))


async def test_no_note_is_among_what_the_customer_or_a_turn_reads(scene):
    await scene.customer_writes()
    await scene.store.add_note(scene.id, a_note(CANARY))

    start, seen = await scene.turn_begins(), await scene.seen()

    assert CANARY not in repr(start)
    assert CANARY not in repr(seen)


async def test_open_handoffs_without_a_summary_are_listed_by_their_time(scene):
    for number, at_ms in ((1, 30), (2, 10), (3, 20)):
        one = await type(scene).open(scene.store, ConversationId(f"c{number}"))
        await one.bot_hands_over(a_handoff(), turn=f"t{number}", settled_ms=at_ms)
    await scene.store.add_note(ConversationId("c3"), a_note(key=summary_key(1)))

    found = await scene.store.unsummarised(opened_before_ms=31, limit=9)

    assert [(row.conversation, row.epoch) for row in found] == [("c2", 1), ("c1", 1)]
    assert await scene.store.unsummarised(opened_before_ms=31, limit=1) == found[:1]
    assert await scene.store.unsummarised(opened_before_ms=30, limit=9) == found[:1]


async def test_a_closed_handoff_needs_no_summary_and_the_next_one_needs_its_own(scene):
    await scene.bot_hands_over(a_handoff(), turn="t1")
    await scene.store.add_note(scene.id, a_note(key=summary_key(1)))
    await scene.agent_claims()
    await scene.agent_resolves()
    closed = await scene.store.unsummarised(opened_before_ms=NOON_MS * 2, limit=9)
    await scene.bot_hands_over(a_handoff(), turn="t2")

    (row,) = await scene.store.unsummarised(opened_before_ms=NOON_MS * 2, limit=9)

    assert closed == ()
    assert (row.turn, row.epoch) == ("t2", (await scene.state()).epoch)
