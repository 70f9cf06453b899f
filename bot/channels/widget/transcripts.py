"""The conversation as a file that its customer may keep."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web

from bot.channels.widget.access import Access, token_refused
from bot.channels.widget.standing import Names
from bot.core.plain_transcript import plain_transcript
from bot.core.replies import Replies
from bot.errors import ConversationUnknown
from bot.service.customer import CustomerService


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcripts:
    """The route for transcripts."""

    access: Access
    customers: CustomerService
    names: Callable[[], Awaitable[Names]]
    replies: Replies

    async def read(self, request: web.Request) -> web.Response:
        """Answer with all that the customer has seen, as plain text to download."""
        conversation = await self.access.conversation_of(request)
        try:
            snapshot = await self.customers.snapshot(conversation, after=0)
        except ConversationUnknown as exc:
            raise token_refused() from exc
        text = plain_transcript(
            snapshot.messages, await self.names(), self.replies, snapshot.conversation.locale
        )
        return web.Response(
            text=text,
            content_type="text/plain",
            charset="utf-8",
            headers={"Content-Disposition": f'attachment; filename="{_file_name(self._now_ms())}"'},
        )

    def _now_ms(self) -> int:
        return self.customers.clock.now_ms()


def _file_name(now_ms: int) -> str:
    return f"conversation-{datetime.fromtimestamp(now_ms / 1000, UTC):%Y-%m-%d}.txt"
