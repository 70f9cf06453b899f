"""Which source a person means, told from what they typed. What fetches is imported only when it is chosen."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.errors import SourceRejected
from kb_sync.sources.export import EXPORT_SUFFIXES, ArticleExport
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.sources.source import Source

FORMS = (
    "a folder of Markdown files, a file that ends in .jsonl, .ndjson, .json, .csv or .tsv, "
    "zendesk:https://acme.zendesk.com, or the address of a website or its sitemap"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAccess:
    """What sources need besides their place: credentials, and a way to wait that tests own."""

    zendesk_email: str | None = None
    zendesk_token: str | None = None
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep


def source_of(text: str, access: SourceAccess) -> Source:
    """Return the source that *text* names; SourceRejected with the known forms when it names none."""
    place = Path(text).expanduser().resolve()
    if place.is_dir():
        return MarkdownFolder(place)
    if place.suffix.lower() in EXPORT_SUFFIXES:
        return ArticleExport(place)
    if place.exists():
        raise SourceRejected(f"{place}: is no such file as kb_sync reads; name {FORMS}")
    raise SourceRejected(f"{text}: there is no such folder; name {FORMS}")
