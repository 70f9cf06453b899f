"""The attachment store on MongoDB. The bytes are in the database of the conversations, so that backup and erasure are one thing."""

from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.keeping import Keeping
from bot.core.attachments import Attachment, AttachmentHead, MediaType
from bot.core.conversation import ConversationId
from bot.errors import MessageConflict, NoRoom

_OLDEST = [("order", 1)]


class MongoAttachmentStore:
    """The attachments in the database that the conversations are in; what is weighed and what is shown are documents of their own."""

    def __init__(self, database: MongoDatabase) -> None:
        self._database = database
        self._keeping = Keeping(database=database)

    async def keep(self, conversation: ConversationId, attachment: Attachment, *, most_bytes: int) -> None:
        stored = await self.attachment(conversation, attachment.message_id)
        if stored is not None:
            _require_same(stored, attachment)
            return
        size = len(attachment.content)
        document = {
            "_id": f"{conversation}:{attachment.message_id}",
            "conversation": conversation,
            "message_id": attachment.message_id,
            "media_type": str(attachment.media_type),
            "size": size,
            "at_ms": attachment.at_ms,
            "content": attachment.content,
            "order": await self._database.counted("attachments"),
        }
        if not await self._database.insert("attachments", document):
            await self.keep(conversation, attachment, most_bytes=most_bytes)
            return
        await self._keeping.require_there(conversation, wrote="attachments")
        # Weighed once it is there: of two that are too much together, the later one sees both.
        before = [one for one in await self._heads(conversation) if one["order"] <= document["order"]]
        held = sum(int(one["size"]) for one in before) - size
        if held + size > most_bytes:
            await self._database.delete("attachments", {"_id": document["_id"]})
            raise NoRoom(f"conversation {conversation} holds {held:,} bytes of attachments")

    async def attachment(self, conversation: ConversationId, message_id: str) -> Attachment | None:
        await self._keeping.read(conversation)
        found: Any = await self._database.find_one("attachments", {"_id": f"{conversation}:{message_id}"})
        return None if found is None else to_attachment(found)

    async def attachments(self, conversation: ConversationId) -> tuple[AttachmentHead, ...]:
        await self._keeping.read(conversation)
        return tuple(
            AttachmentHead(
                message_id=one["message_id"], media_type=MediaType(one["media_type"]), size=one["size"]
            )
            for one in await self._heads(conversation)
        )

    async def _heads(self, conversation: ConversationId) -> list[Any]:
        query = {"conversation": conversation}
        return await self._database.find("attachments", query, order=_OLDEST, fields={"content": 0})


def to_attachment(kept: Any) -> Attachment:
    """Read an attachment."""
    return Attachment(
        message_id=kept["message_id"],
        media_type=MediaType(kept["media_type"]),
        content=bytes(kept["content"]),
        at_ms=kept["at_ms"],
    )


def _require_same(stored: Attachment, given: Attachment) -> None:
    if stored.content != given.content:
        raise MessageConflict(f"attachment {given.message_id} came before with other bytes")
