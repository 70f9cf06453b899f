"""What agents keep beside a conversation, and what they read of it at once."""

import pytest

from bot.core.conversation import AgentId, ConversationId, Role
from bot.core.desk import MarkKind
from bot.errors import ConversationUnknown, InputRejected, MessageConflict
from bot.service.live import Changed, CutOff, LiveEvent, ReadUpTo, Typed
from tests.service.desk_rig import ANNA, BEN, CLEO, Desk
from tests.service.rig import QUESTION


async def note(desk: Desk, text: str = "Knows wine.", *, agent: AgentId = ANNA, id: str = "n1"):
    return await desk.service.add_note(desk.rig.conversation, agent, text=text, message_id=id)


async def seen_by(desk: Desk, agent: AgentId = ANNA, *, after: int = 0, notes_after: int = 0):
    return await desk.service.view(desk.rig.conversation, agent, after=after, notes_after=notes_after)


async def heard(desk: Desk, doing) -> list[LiveEvent]:
    """Return what who watches the conversation is told while *doing* is done."""
    with desk.rig.live.watch(desk.rig.conversation) as watcher:
        await doing
        watcher.offer(CutOff(overloaded=False))
        return [event async for event in watcher.events()][:-1]


async def test_any_agent_notes_something_whoever_has_the_conversation_and_no_customer_reads_it(desk: Desk):
    await desk.claimed()

    kept = await note(desk, agent=CLEO)

    assert (kept.author, kept.text, kept.seq) == ("cleo", "Knows wine.", 1)
    assert "Knows wine." not in [m.text for m in await desk.rig.messages()]
    assert (await seen_by(desk, BEN)).notes == (kept,)


async def test_a_note_that_is_sent_again_is_kept_once(desk: Desk):
    assert await note(desk) == await note(desk)
    with pytest.raises(MessageConflict):
        await note(desk, "Knows beer.")
    with pytest.raises(InputRejected):
        await note(desk, " ", id="n2")


async def test_a_bots_message_is_marked_as_wrong_and_the_mark_taken_back(desk: Desk):
    await desk.rig.ask(QUESTION)
    wrong = {"kind": MarkKind.WRONG_ANSWER, "seq": 2}

    mark = await desk.service.mark(desk.rig.conversation, CLEO, **wrong, remark="Old prices")
    marked = await seen_by(desk)
    await desk.service.unmark(desk.rig.conversation, **wrong)

    assert (mark.agent, mark.remark, marked.marks) == (CLEO, "Old prices", (mark,))
    assert (await seen_by(desk)).marks == ()


async def test_a_gap_in_the_knowledge_is_marked_once_on_the_whole_conversation(desk: Desk):
    gap = {"kind": MarkKind.KNOWLEDGE_GAP, "seq": 0}
    first = await desk.service.mark(desk.rig.conversation, ANNA, **gap)

    assert await desk.service.mark(desk.rig.conversation, BEN, **gap) == first


@pytest.mark.parametrize(
    ("kind", "seq"),
    [(MarkKind.WRONG_ANSWER, 1), (MarkKind.WRONG_ANSWER, 99), (MarkKind.KNOWLEDGE_GAP, 2)],
    ids=["the customer's message", "no message", "a gap in one message"],
)
async def test_a_mark_that_is_about_nothing_is_refused(desk: Desk, kind: MarkKind, seq: int):
    await desk.rig.ask(QUESTION)

    with pytest.raises(InputRejected):
        await desk.service.mark(desk.rig.conversation, ANNA, kind=kind, seq=seq)


async def test_a_draft_is_its_agents_own(desk: Desk):
    await desk.service.keep_draft(desk.rig.conversation, ANNA, "Trou")

    assert ((await seen_by(desk, ANNA)).own_draft, (await seen_by(desk, BEN)).own_draft) == ("Trou", "")


async def test_both_sides_hear_up_to_where_the_other_has_read(desk: Desk):
    await desk.hand_over()

    told = await heard(desk, desk.service.read(desk.rig.conversation, ANNA, 99))
    told += await heard(desk, desk.rig.customers.read(desk.rig.conversation, 1))

    assert told == [ReadUpTo(by=Role.AGENT, seq=2), ReadUpTo(by=Role.CUSTOMER, seq=1)]
    reads = (await seen_by(desk)).reads
    assert (reads.customer, reads.agent) == (1, 2)


async def test_who_looks_over_the_shoulder_of_another_has_not_read_it_for_the_customer(desk: Desk):
    await desk.claimed()

    assert await heard(desk, desk.service.read(desk.rig.conversation, BEN, 2)) == []
    assert (await seen_by(desk)).reads.agent == 0


async def test_the_customer_sees_only_the_agent_write_who_has_the_conversation(desk: Desk):
    await desk.claimed()

    assert await heard(desk, desk.service.typing(desk.rig.conversation, ANNA)) == [Typed(by=Role.AGENT)]
    assert await heard(desk, desk.service.typing(desk.rig.conversation, BEN)) == []
    told = await heard(desk, desk.rig.customers.typing(desk.rig.conversation))
    assert told == [Typed(by=Role.CUSTOMER)]


async def test_who_watches_is_told_of_notes_and_marks(desk: Desk):
    gap = {"kind": MarkKind.KNOWLEDGE_GAP, "seq": 0}

    assert await heard(desk, note(desk)) == [Changed()]
    assert await heard(desk, desk.service.mark(desk.rig.conversation, ANNA, **gap)) == [Changed()]
    assert await heard(desk, desk.service.unmark(desk.rig.conversation, **gap)) == [Changed()]


async def test_a_view_holds_what_follows_the_cursors_and_everything_beside_it(desk: Desk):
    await desk.claimed()
    await desk.reply("Trout?")
    await note(desk, id="n1")
    second = await note(desk, id="n2")

    view = await seen_by(desk, after=2, notes_after=1)

    assert [m.text for m in view.messages] == ["Trout?"]
    assert (view.notes, view.handoffs) == ((second,), await desk.handoffs())
    assert (view.row, view.conversation) == (
        await desk.service.row(desk.rig.conversation),
        await desk.rig.state(),
    )
    assert await desk.service.queue() == (view.row,)


async def test_the_evidence_of_a_turn_is_found_by_its_id(desk: Desk):
    turn = await desk.rig.ask(QUESTION)

    assert await desk.service.turn(desk.rig.conversation, turn.id) == turn
    assert await desk.service.turn(desk.rig.conversation, "another") is None


async def test_past_conversations_are_found_by_their_words(desk: Desk):
    await desk.hand_over()

    assert [found.conversation.id for found in await desk.service.search(" wine\x00 ")] == ["c1"]
    assert await desk.service.search("  ") == ()


async def test_there_is_no_view_of_what_does_not_exist(desk: Desk):
    with pytest.raises(ConversationUnknown):
        await desk.service.view(ConversationId("nobody's"), ANNA, after=0, notes_after=0)
