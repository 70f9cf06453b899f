"""Which source a person means, told from what they typed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.sources.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAccess:
    """What sources need besides their place: credentials, and a way to wait that tests own."""

    zendesk_email: str | None = None
    zendesk_token: str | None = None
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep


def source_of(text: str, access: SourceAccess) -> Source:
    """Return the source that *text* names; SourceRejected with the forms that are known when it names none."""
    return MarkdownFolder(Path(text).expanduser().resolve())
