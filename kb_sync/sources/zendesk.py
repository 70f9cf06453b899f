"""A Zendesk help center, read through the incremental export of its articles, one article for each language.

The export is read from its beginning each time: it never says what was deleted, so only all of it tells what is gone.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import aiohttp

from bot.errors import SourceRejected, SourceUnavailable
from kb_sync.sources.source import (
    Delivery,
    LeftOut,
    Problem,
    Reading,
    SourcedArticle,
    duplicates,
    rejection,
)
from kb_sync.sources.zendesk_articles import articles_of, is_outdated
from kb_sync.sources.zendesk_client import Account, Wait, ZendeskClient
from kb_sync.sources.zendesk_pages import (
    CIRCLE,
    ExportedArticle,
    Page,
    Sections,
    Step,
    Translations,
    next_number,
    next_start,
    read_as,
    require_host,
)

READ_S = 1_800.0  # the whole help center, waits included
MOST_PAGES = 1_000
INCLUDED = "translations,sections"

_OUTDATED = (
    "{} articles have a translation marked as outdated, which customers are shown as the help center shows it"
)
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

Listed = TypeVar("Listed", Sections, Translations)


class ZendeskHelpCenter:
    """The articles of one help center that everybody may read, and its drafts.

    *address* is the account's own, such as https://acme.zendesk.com; SourceRejected when it is none, or nobody is named to read it.
    """

    def __init__(
        self,
        address: str,
        *,
        email: str | None,
        token: str | None,
        wait: Wait = asyncio.sleep,
        limit_s: float = READ_S,
    ) -> None:
        if not email or not token:
            raise SourceRejected(
                f"zendesk:{address}: only an agent may read the export; set ZENDESK_EMAIL and ZENDESK_API_TOKEN"
            )
        self._account = Account(address=_origin(address), email=email, token=token)
        self._wait = wait
        self._limit_s = limit_s

    @property
    def name(self) -> str:
        return str(self._account)

    async def read(self, progress: Reading) -> Delivery:
        try:
            async with asyncio.timeout(self._limit_s), aiohttp.ClientSession() as session:
                client = ZendeskClient(account=self._account, session=session, wait=self._wait)
                reader = _Reader(address=self._account.address, client=client, progress=progress)
                read = await reader.everything()
        except TimeoutError as exc:
            minutes = f"{self._limit_s / 60:g}"
            raise SourceUnavailable(
                f"{self.name}: was not read within {minutes} minutes; try again later"
            ) from exc
        except SourceRejected as exc:
            raise type(exc)(f"{self.name}: {exc}") from exc
        return _delivery(read, self._account.address)


def _origin(address: str) -> str:
    """Return the address without its path; to this machine alone the token may be sent unencrypted."""
    parts = urlsplit(address)
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not is_safe or not parts.hostname or "@" in parts.netloc:
        raise SourceRejected(
            f"zendesk:{address}: is no address of a help center; name one such as zendesk:https://acme.zendesk.com"
        )
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(slots=True, kw_only=True)
class _Read:
    """What the pages held so far: each article as it is now, by number, and the sections' names; `counted` is Zendesk's own count."""

    articles: dict[int, ExportedArticle] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    counted: int = 0

    def take(self, page: Page) -> int:
        """Add a page; return how many of its articles are new, or newer."""
        fresh = [one for one in page.articles if _is_newer(one, self.articles.get(one.id))]
        self.articles.update((one.id, one) for one in fresh)
        self.sections.update((one.id, one.name) for one in page.sections)
        self.counted = max(self.counted, page.count or 0)
        return len(fresh)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """One reading of everything."""

    address: str
    client: ZendeskClient
    progress: Reading

    async def everything(self) -> _Read:
        """Return each article in all its languages, under its section."""
        read = await self._export()
        if not read.articles:
            raise SourceRejected("its export has no articles; publish some, or name the right address")
        for number, one in read.articles.items():
            read.articles[number] = await self._with_translations(one)
        if {one.section_id for one in read.articles.values()} - read.sections.keys() - {None}:
            read.sections.update(await self._sections())
        return read

    async def _export(self) -> _Read:
        read, start_s = _Read(), 0
        for _ in range(MOST_PAGES):
            page = await self._page(start_s)
            fresh = read.take(page)
            self.progress.read(fresh)
            following_s = next_start(Step(page=page, asked_s=start_s, is_new=fresh > 0))
            if following_s is None:
                return read
            start_s = following_s
        raise SourceRejected(CIRCLE)

    async def _page(self, start_s: int) -> Page:
        answer = await self.client.json("incremental/articles.json", start_time=start_s, include=INCLUDED)
        page = read_as(Page, answer)
        require_host(page.next_page, self.address)
        return page

    async def _with_translations(self, one: ExportedArticle) -> ExportedArticle:
        """Ask for what did not come along; not of what nobody will be shown."""
        if one.translations is not None or one.is_restricted:
            return one
        pages = self._pages(f"articles/{one.id}/translations.json", Translations)
        found = [translation async for page in pages for translation in page.translations]
        return one.model_copy(update={"translations": tuple(found)})

    async def _sections(self) -> dict[int, str]:
        pages = self._pages("sections.json", Sections)
        return {one.id: one.name async for page in pages for one in page.sections}

    async def _pages(self, path: str, form: type[Listed]) -> AsyncIterator[Listed]:
        number: int | None = 1
        while number is not None:
            page = read_as(form, await self.client.json(path, page=number, per_page=100))
            require_host(page.next_page, self.address)
            yield page
            number = next_number(page.next_page, number)


def _is_newer(one: ExportedArticle, known: ExportedArticle | None) -> bool:
    return known is None or one.updated_at > known.updated_at


def _delivery(read: _Read, address: str) -> Delivery:
    exported = [read.articles[number] for number in sorted(read.articles)]
    found = [one for each in exported for one in articles_of(each, read.sections, address=address)]
    articles = tuple(one for one in found if isinstance(one, SourcedArticle))
    problems = [one for one in found if isinstance(one, Problem)]
    problems.extend(duplicates(articles))
    if problems:
        raise rejection(problems)
    return Delivery(
        articles=articles,
        left_out=tuple(one for one in found if isinstance(one, LeftOut)),
        remarks=tuple(_remarks(read)),
    )


def _remarks(read: _Read) -> Iterator[str]:
    held = len(read.articles)
    if read.counted > held:
        yield f"Zendesk counts {read.counted} articles and showed {held}; ZENDESK_EMAIL may not be allowed to see the others"
    if outdated := sum(map(is_outdated, read.articles.values())):
        yield f"articles with a translation that is marked as outdated, shown as the help center shows them: {outdated}"
