"""The attachment store in dictionaries, over the in-memory conversations. No method waits for anything but those."""

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.core.attachments import Attachment, AttachmentHead
from bot.core.conversation import ConversationId
from bot.errors import MessageConflict, NoRoom


class MemoryAttachmentStore:
    """Attachments, as long as the process lives."""

    def __init__(self, conversations: MemoryConversationStore) -> None:
        self._conversations = conversations
        self._kept: dict[ConversationId, dict[str, Attachment]] = {}

    async def keep(self, conversation: ConversationId, attachment: Attachment, *, most_bytes: int) -> None:
        await self._conversations.conversation(conversation)
        kept = self._kept.setdefault(conversation, {})
        stored = kept.get(attachment.message_id)
        if stored is not None:
            if stored.content != attachment.content:
                raise MessageConflict(f"attachment {attachment.message_id} came before with other bytes")
            return
        if sum(len(one.content) for one in (*kept.values(), attachment)) > most_bytes:
            raise NoRoom(f"conversation {conversation} holds as many attachments as it may")
        kept[attachment.message_id] = attachment

    async def attachment(self, conversation: ConversationId, message_id: str) -> Attachment | None:
        await self._conversations.conversation(conversation)
        return self._kept.get(conversation, {}).get(message_id)

    async def attachments(self, conversation: ConversationId) -> tuple[AttachmentHead, ...]:
        await self._conversations.conversation(conversation)
        return tuple(one.head for one in self._kept.get(conversation, {}).values())
