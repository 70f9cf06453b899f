"""Which source a person means, told from what they typed. What fetches is imported only when it is chosen."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.errors import SourceRejected
from kb_sync.sources.export import EXPORT_SUFFIXES, ArticleExport
from kb_sync.sources.markdown_folder import MarkdownFolder
from kb_sync.sources.source import Source

_ZENDESK = "zendesk:"
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
    if text.startswith(_ZENDESK):
        from kb_sync.sources.zendesk import ZendeskHelpCenter  # noqa: PLC0415 - only who reads one needs it

        return ZendeskHelpCenter(
            text.removeprefix(_ZENDESK),
            email=access.zendesk_email,
            token=access.zendesk_token,
            wait=access.wait,
        )
    if text.lower().startswith(("http://", "https://")):
        from kb_sync.sources.website import Website  # noqa: PLC0415 - it loads large libraries

        return Website(text, wait=access.wait)
    return _on_disk(text)


def _on_disk(text: str) -> Source:
    try:
        place = Path(text).expanduser().resolve()
        if text and place.is_dir():
            return MarkdownFolder(place)
        if place.suffix.lower() in EXPORT_SUFFIXES:
            return ArticleExport(place)
        problem = "is of no kind that kb_sync reads" if text and place.exists() else "there is no such folder"
    except (
        OSError,
        RuntimeError,
        ValueError,
    ):  # longer than paths may be, of an unknown person, with a zero byte
        problem = "is no place on this machine"
    raise SourceRejected(f"{_shown(text)}: {problem}; name {FORMS}")


def _shown(text: str) -> str:
    return (text if len(text) <= 200 else f"{text[:200]}…") or "SOURCE"
