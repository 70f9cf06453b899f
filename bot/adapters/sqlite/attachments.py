"""The attachment store on SQLite. The bytes are in the file of the conversations, so that backup and erasure are one thing."""

import sqlite3

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.database import SqliteDatabase
from bot.core.attachments import Attachment, AttachmentHead, MediaType
from bot.core.conversation import ConversationId
from bot.errors import MessageConflict, NoRoom


class SqliteAttachmentStore:
    """The attachments in the file that the conversations are in."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def keep(self, conversation: ConversationId, attachment: Attachment, *, most_bytes: int) -> None:
        await self._database.write(lambda c: _keep(c, conversation, attachment, most_bytes))

    async def attachment(self, conversation: ConversationId, message_id: str) -> Attachment | None:
        return await self._database.read(lambda c: _attachment(c, conversation, message_id))

    async def attachments(self, conversation: ConversationId) -> tuple[AttachmentHead, ...]:
        return await self._database.read(lambda c: _attachments(c, conversation))


def _keep(
    connection: sqlite3.Connection, conversation: ConversationId, attachment: Attachment, most_bytes: int
) -> None:
    stored = _attachment(connection, conversation, attachment.message_id)
    if stored is not None:
        if stored.content != attachment.content:
            raise MessageConflict(f"attachment {attachment.message_id} came before with other bytes")
        return
    held = connection.execute(
        "SELECT coalesce(sum(size), 0) FROM attachments WHERE conversation = ?", (conversation,)
    ).fetchone()[0]
    size = len(attachment.content)
    if held + size > most_bytes:
        raise NoRoom(f"conversation {conversation} holds {held:,} bytes of attachments")
    connection.execute(
        "INSERT INTO attachments (conversation, message_id, media_type, size, at_ms, content) VALUES (?, ?, ?, ?, ?, ?)",
        (
            conversation,
            attachment.message_id,
            attachment.media_type,
            size,
            attachment.at_ms,
            attachment.content,
        ),
    )


def _attachment(
    connection: sqlite3.Connection, conversation: ConversationId, message_id: str
) -> Attachment | None:
    conversation_state(connection, conversation)
    row = connection.execute(
        "SELECT * FROM attachments WHERE conversation = ? AND message_id = ?", (conversation, message_id)
    ).fetchone()
    if row is None:
        return None
    return Attachment(
        message_id=row["message_id"],
        media_type=MediaType(row["media_type"]),
        content=row["content"],
        at_ms=row["at_ms"],
    )


def _attachments(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[AttachmentHead, ...]:
    conversation_state(connection, conversation)
    rows = connection.execute(
        "SELECT message_id, media_type, size FROM attachments WHERE conversation = ? ORDER BY rowid",
        (conversation,),
    )
    return tuple(
        AttachmentHead(
            message_id=row["message_id"], media_type=MediaType(row["media_type"]), size=row["size"]
        )
        for row in rows
    )
