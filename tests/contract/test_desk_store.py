"""What agents keep beside a conversation: marks, unsent replies, how far was read, canned replies."""

import asyncio

import pytest

from bot.core.conversation import AgentId, ConversationId
from bot.core.desk import CannedReply, Mark, MarkKind, ReadMarks
from bot.errors import ConversationUnknown
from tests.builders import CONVERSATION, NOON_MS
from tests.contract.scene import ANNA, Scene

BEN = AgentId("ben")
NOBODY = ConversationId("nobody")
GAP, WRONG = MarkKind.KNOWLEDGE_GAP, MarkKind.WRONG_ANSWER


def a_mark(kind=GAP, seq=0, **fields):
    return Mark(
        **{"conversation": CONVERSATION, "kind": kind, "seq": seq, "agent": ANNA, "at_ms": NOON_MS, **fields}
    )


@pytest.fixture(autouse=True)
async def scene(store):
    return await Scene.open(store)


async def test_marks_come_back_oldest_first(desk):
    later, earlier = a_mark(at_ms=NOON_MS + 9, remark="no article"), a_mark(WRONG, 2, agent=BEN)

    assert [await desk.add_mark(mark) for mark in (later, earlier)] == [later, earlier]

    assert await desk.marks(CONVERSATION) == (earlier, later)


async def test_of_equal_marks_the_first_is_kept_however_many_set_it_at_once(desk):
    marks = [a_mark(WRONG, 2, agent=AgentId(f"a{n}"), remark=str(n)) for n in range(9)]

    kept = await asyncio.gather(*map(desk.add_mark, marks))

    assert len(set(kept)) == 1
    assert await desk.marks(CONVERSATION) == (kept[0],)


async def test_marks_of_another_message_kind_or_conversation_stand_beside_each_other(desk, store):
    other = (await Scene.open(store, ConversationId("c2"))).id
    marks = (a_mark(WRONG, 2), a_mark(WRONG, 4), a_mark(GAP), a_mark(GAP, conversation=other))

    for mark in marks:
        await desk.add_mark(mark)

    assert await desk.marks(CONVERSATION) == marks[:3]
    assert await desk.marks(other) == marks[3:]


async def test_a_mark_that_is_taken_back_can_be_set_again(desk):
    await desk.add_mark(a_mark(WRONG, 2))
    await desk.add_mark(a_mark(WRONG, 4))

    for _ in range(2):
        await desk.remove_mark(CONVERSATION, WRONG, 2)

    assert await desk.marks(CONVERSATION) == (a_mark(WRONG, 4),)
    assert await desk.add_mark(a_mark(WRONG, 2, agent=BEN)) == a_mark(WRONG, 2, agent=BEN)


async def test_marks_of_a_kind_are_listed_over_all_conversations(desk, store):
    other = (await Scene.open(store, ConversationId("c2"))).id
    old, first, second = (a_mark(WRONG, seq, at_ms=NOON_MS + seq) for seq in (1, 2, 4))
    between = a_mark(WRONG, 2, conversation=other, at_ms=NOON_MS + 3)
    for mark in (second, between, first, old, a_mark(GAP, at_ms=NOON_MS + 5)):
        await desk.add_mark(mark)

    assert await desk.marked(WRONG, since_ms=NOON_MS + 2) == (first, between, second)


async def test_an_unsent_reply_is_kept_for_its_agent_until_it_is_dropped(desk):
    for text in ("I will", "I will look\n"):
        await desk.keep_draft(CONVERSATION, ANNA, text, at_ms=NOON_MS)
    await desk.keep_draft(CONVERSATION, BEN, "Mine", at_ms=NOON_MS)

    assert await desk.draft(CONVERSATION, ANNA) == "I will look\n"
    await desk.keep_draft(CONVERSATION, ANNA, "", at_ms=NOON_MS)
    assert await desk.draft(CONVERSATION, ANNA) == ""
    assert await desk.draft(CONVERSATION, BEN) == "Mine"


async def test_read_marks_move_forward_and_never_back(desk, scene):
    for n in range(5):
        await scene.customer_writes(f"message {n}")

    assert await desk.read_marks(CONVERSATION) == ReadMarks()
    assert await desk.mark_read(CONVERSATION, agent=3) == ReadMarks(agent=3)
    assert await desk.mark_read(CONVERSATION, customer=2, agent=1) == ReadMarks(customer=2, agent=3)
    assert await desk.mark_read(CONVERSATION) == ReadMarks(customer=2, agent=3)
    assert await desk.read_marks(CONVERSATION) == ReadMarks(customer=2, agent=3)


async def test_nobody_has_read_what_is_not_written_yet(desk, scene):
    await scene.customer_writes()

    assert await desk.mark_read(CONVERSATION, customer=2**53, agent=9) == ReadMarks(customer=1, agent=1)


async def test_canned_replies_are_listed_by_title_whatever_its_case(desk):
    replies = [CannedReply(id=id_, title=title, text="…") for id_, title in zip("cab", "Bab", strict=True)]
    for reply in replies:
        await desk.save_canned_reply(reply)

    assert [reply.id for reply in await desk.canned_replies()] == ["a", "b", "c"]


async def test_a_canned_reply_takes_the_place_of_the_one_with_its_id(desk):
    hello = CannedReply(id="1", title="Hello", text="Hello!")
    hallo = CannedReply(id="1", title="Hallo", text="Hallo!", locale="de")
    for reply in (hello, CannedReply(id="2", title="Bye", text="Bye!"), hallo):
        await desk.save_canned_reply(reply)
    for _ in range(2):
        await desk.remove_canned_reply("2")

    assert await desk.canned_replies() == (hallo,)


ABOUT_NOBODY = {
    "add_mark": lambda desk: desk.add_mark(a_mark(conversation=NOBODY)),
    "remove_mark": lambda desk: desk.remove_mark(NOBODY, GAP, 0),
    "marks": lambda desk: desk.marks(NOBODY),
    "keep_draft": lambda desk: desk.keep_draft(NOBODY, ANNA, "text", at_ms=NOON_MS),
    "draft": lambda desk: desk.draft(NOBODY, ANNA),
    "mark_read": lambda desk: desk.mark_read(NOBODY, agent=1),
    "read_marks": lambda desk: desk.read_marks(NOBODY),
}


@pytest.mark.parametrize("name", ABOUT_NOBODY)
async def test_a_conversation_that_is_not_there_has_nothing_beside_it(desk, name):
    with pytest.raises(ConversationUnknown):
        await ABOUT_NOBODY[name](desk)
