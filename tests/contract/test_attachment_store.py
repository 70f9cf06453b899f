"""The images that customers send: kept once, byte for byte, and no more of them than a conversation may hold."""

import asyncio
from dataclasses import replace

import pytest

from bot.adapters.memory.attachments import MemoryAttachmentStore
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.mongo.attachments import MongoAttachmentStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.sqlite.attachments import SqliteAttachmentStore
from bot.core.attachments import LARGEST_BYTES, Attachment, MediaType
from bot.core.conversation import ConversationId
from bot.errors import ConversationUnknown, MessageConflict, NoRoom
from tests.builders import CONVERSATION, NOON_MS, a_conversation

PICTURE = Attachment(message_id="f1", media_type=MediaType.PNG, content=bytes(range(256)) * 4, at_ms=NOON_MS)
OTHER = ConversationId("c2")
ROOM = 3_000


@pytest.fixture
async def attachments(store, request):
    """The attachments of the same conversations, of which two are open."""
    for conversation in (CONVERSATION, OTHER):
        await store.open_conversation(a_conversation(id=conversation))
    if isinstance(store, MemoryConversationStore):
        return MemoryAttachmentStore(store)
    if isinstance(store, MongoConversationStore):
        return MongoAttachmentStore(store.database)
    return SqliteAttachmentStore(request.getfixturevalue("database"))


async def test_an_attachment_comes_back_byte_for_byte(attachments):
    await attachments.keep(CONVERSATION, PICTURE, most_bytes=ROOM)

    assert await attachments.attachment(CONVERSATION, "f1") == PICTURE
    assert await attachments.attachments(CONVERSATION) == (PICTURE.head,)
    assert PICTURE.head.size == 1_024


async def test_the_largest_attachment_is_kept_whole(attachments):
    largest = replace(PICTURE, content=b"\x00" * LARGEST_BYTES)

    await attachments.keep(CONVERSATION, largest, most_bytes=LARGEST_BYTES)

    assert await attachments.attachment(CONVERSATION, "f1") == largest


async def test_attachments_are_listed_oldest_first(attachments):
    for message_id in ("z", "a", "m"):
        await attachments.keep(CONVERSATION, replace(PICTURE, message_id=message_id), most_bytes=5_000)

    assert [head.message_id for head in await attachments.attachments(CONVERSATION)] == ["z", "a", "m"]


async def test_no_conversation_sees_another_ones_attachment(attachments):
    await attachments.keep(CONVERSATION, PICTURE, most_bytes=ROOM)

    assert await attachments.attachment(OTHER, "f1") is None
    assert await attachments.attachments(OTHER) == ()


async def test_a_hundred_repeats_are_one_attachment(attachments):
    await asyncio.gather(*(attachments.keep(CONVERSATION, PICTURE, most_bytes=ROOM) for _ in range(100)))

    assert await attachments.attachments(CONVERSATION) == (PICTURE.head,)


async def test_the_same_id_with_other_bytes_is_a_conflict(attachments):
    await attachments.keep(CONVERSATION, PICTURE, most_bytes=ROOM)

    with pytest.raises(MessageConflict):
        await attachments.keep(CONVERSATION, replace(PICTURE, content=b"other"), most_bytes=ROOM)
    assert await attachments.attachment(CONVERSATION, "f1") == PICTURE


async def test_a_conversation_holds_only_so_many_bytes_however_they_come(attachments):
    sent = [replace(PICTURE, message_id=f"f{n}") for n in range(5)]

    results = await asyncio.gather(
        *(attachments.keep(CONVERSATION, one, most_bytes=ROOM) for one in sent), return_exceptions=True
    )

    assert [type(result) for result in results].count(NoRoom) == 3
    assert len(await attachments.attachments(CONVERSATION)) == 2


async def test_a_repeat_needs_no_room_and_another_conversation_has_its_own(attachments):
    await attachments.keep(CONVERSATION, PICTURE, most_bytes=1_024)

    await attachments.keep(CONVERSATION, PICTURE, most_bytes=1_024)
    await attachments.keep(OTHER, PICTURE, most_bytes=1_024)
    with pytest.raises(NoRoom):
        await attachments.keep(CONVERSATION, replace(PICTURE, message_id="f2"), most_bytes=1_024)


async def test_an_unknown_conversation_has_no_attachments(attachments):
    nobody = ConversationId("nobody")

    with pytest.raises(ConversationUnknown):
        await attachments.keep(nobody, PICTURE, most_bytes=ROOM)
    with pytest.raises(ConversationUnknown):
        await attachments.attachments(nobody)
