"""Images that customers send: which bytes are one, how large they may be, and what they are called. Pure."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from bot.core.hidden import HIDING
from bot.core.inbound import clean_text
from bot.errors import InputRejected

LARGEST_BYTES = 5 * 1024 * 1024
MOST_BYTES = 4 * LARGEST_BYTES  # of all the attachments of a conversation
LONGEST_NAME = 120  # characters

_LEADING = 12  # bytes that tell every type below


class MediaType(StrEnum):
    """The kinds of images that agents are shown."""

    PNG = "image/png"
    JPEG = "image/jpeg"
    WEBP = "image/webp"
    GIF = "image/gif"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentHead:
    """An attachment without its bytes; `message_id` is the id of the customer's message that it belongs to."""

    message_id: str
    media_type: MediaType
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An image that a customer sent with the message of this id."""

    message_id: str
    media_type: MediaType
    content: bytes
    at_ms: int = 0

    @property
    def head(self) -> AttachmentHead:
        """Return what it is, without its bytes."""
        return AttachmentHead(message_id=self.message_id, media_type=self.media_type, size=len(self.content))


def image_type(content: bytes) -> MediaType | None:
    """Return what the bytes are by how they begin, whatever their name says; None for anything that is no such image."""
    start = content[:_LEADING]
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return MediaType.PNG
    if start.startswith(b"\xff\xd8\xff"):
        return MediaType.JPEG
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return MediaType.WEBP
    return MediaType.GIF if start[:6] in (b"GIF87a", b"GIF89a") else None


def cleaned_file_name(raw: str) -> str:
    """Return a file's name on one line and without its folders; InputRejected when nothing of it can be seen."""
    shown = "".join(character for character in raw if character not in HIDING)
    line = " ".join(clean_text(shown, field="file name").replace("\\", "/").split())
    name = line.rpartition("/")[2][:LONGEST_NAME].strip()
    if not any(unicodedata.category(c)[0] not in "ZCM" for c in name):
        raise InputRejected("file name", "is empty", "name the file")
    return name
