"""How a customer sends a file: an image where these are kept, elsewhere its name alone, which a person is asked to look at."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote

from aiohttp import web

from bot.channels.bodies import json_answer, parse
from bot.channels.problems import ProblemJson
from bot.channels.throttling import throttled
from bot.channels.widget.access import Access, token_refused
from bot.channels.widget.frames import FileHead, to_file_message, to_receipt
from bot.channels.widget.throttle import Throttle
from bot.core.attachments import LARGEST_BYTES, Attachment, MediaType, image_type
from bot.core.inbound import CustomerMessage
from bot.errors import ConversationUnknown, InputRejected, NoRoom
from bot.service.files import FileService

MESSAGE_ID_HEADER = "X-Candor-Message-Id"
FILE_NAME_HEADER = "X-Candor-File-Name"
AT_ONCE = 8  # bodies that are in memory at a time
UPLOAD_S = 60.0
BUSY_S = 5
PIECE_BYTES = 65_536
MEGABYTE = 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Uploads:
    """The route for files."""

    access: Access
    throttle: Throttle
    files: FileService
    upload_s: float = UPLOAD_S
    _reading: int = field(default=0)

    async def receive(self, request: web.Request) -> web.Response:
        """Keep an image, or where none are kept no more than the file's name; either is a message of kind `file`."""
        conversation = await self.access.conversation_of(request)
        message = to_file_message(_head(request), conversation)
        wait_s = self.throttle.admit_message(conversation, message.channel_message_id)
        if wait_s is not None:
            raise throttled(wait_s, "You are writing faster than we can read.")
        attachment = await self._attachment(request, message) if self.files.keeps_images else None
        try:
            received = await self.files.receive(message, attachment)
        except NoRoom as exc:
            said = "There is no room for more images in this conversation."
            raise ProblemJson(413, "no_room", said) from exc
        except ConversationUnknown as exc:
            raise token_refused() from exc
        return json_answer(to_receipt(received), status=200 if received.duplicate else 202)

    async def _attachment(self, request: web.Request, message: CustomerMessage) -> Attachment:
        if request.content_type not in frozenset(MediaType):
            raise _unsupported()
        with self._place():
            content = await self._content(request)
        media_type = image_type(content)
        if media_type is None:
            raise _unsupported()
        return Attachment(
            message_id=message.channel_message_id,
            media_type=media_type,
            content=content,
            at_ms=self.files.customers.clock.now_ms(),
        )

    @contextmanager
    def _place(self) -> Iterator[None]:
        if self._reading >= AT_ONCE:
            raise throttled(BUSY_S, "We are receiving other files.")
        self._reading += 1
        try:
            yield
        finally:
            self._reading -= 1

    async def _content(self, request: web.Request) -> bytes:
        """Read the body piece by piece: nothing beyond the limit is ever in memory, whatever its length was said to be."""
        if (request.content_length or 0) > LARGEST_BYTES:
            raise _too_large()
        content = bytearray()
        try:
            async with asyncio.timeout(self.upload_s):
                async for piece in request.content.iter_chunked(PIECE_BYTES):
                    content += piece
                    if len(content) > LARGEST_BYTES:
                        raise _too_large()
        except TimeoutError as exc:
            raise ProblemJson(408, "request_timeout", "The file took too long to arrive.") from exc
        return bytes(content)


def _head(request: web.Request) -> FileHead:
    given = {
        "client_message_id": request.headers.get(MESSAGE_ID_HEADER),
        "file_name": _decoded(request.headers.get(FILE_NAME_HEADER, "")),
    }
    return parse(FileHead, json.dumps(given))


def _decoded(raw: str) -> str:
    try:
        return unquote(raw, errors="strict")
    except UnicodeDecodeError:
        raise InputRejected(FILE_NAME_HEADER, "is not percent-encoded UTF-8", "encode it") from None


def _too_large() -> ProblemJson:
    return ProblemJson(413, "file_too_large", f"Images may have up to {LARGEST_BYTES // MEGABYTE} MB.")


def _unsupported() -> ProblemJson:
    return ProblemJson(415, "unsupported_file", "Only PNG, JPEG, WebP and GIF images can be sent here.")
