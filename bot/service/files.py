"""Takes the files that customers send: the image is kept where that is wanted, and its message is received like any other."""

from dataclasses import dataclass

from bot.core.attachments import MOST_BYTES, Attachment
from bot.core.inbound import CustomerMessage
from bot.customer_ports import AttachmentStore
from bot.ports import Received
from bot.service.customer import CustomerService


@dataclass(frozen=True, slots=True, kw_only=True)
class FileService:
    """The customers' files; `attachments` is None where none are kept. Methods may raise StoreUnavailable."""

    customers: CustomerService
    attachments: AttachmentStore | None = None

    @property
    def keeps_images(self) -> bool:
        """Return whether images are kept, for agents to look at."""
        return self.attachments is not None

    async def receive(self, message: CustomerMessage, attachment: Attachment | None) -> Received:
        """Keep the image, then receive its message; ConversationUnknown, MessageConflict, NoRoom.

        In this order, so that no agent sees a message whose image is not there, and a repeat completes what a crash has cut.
        """
        if self.attachments is not None and attachment is not None:
            await self.attachments.keep(message.conversation, attachment, most_bytes=MOST_BYTES)
        return await self.customers.receive(message)
