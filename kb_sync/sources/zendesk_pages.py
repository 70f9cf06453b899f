"""What Zendesk answers, as pages of articles, translations and sections; and where the next page is. Pure.

An answer of another form rejects the source: what cannot be read must never look like an article that was withdrawn.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError, model_validator

from bot.errors import SourceRejected

FULL = 1_000  # articles in a page of the export, at most
CIRCLE = "its pages lead in a circle and never end; try again later"


class _Untrusted(BaseModel):
    model_config = ConfigDict(frozen=True)


class Translation(_Untrusted):
    """An article in one language."""

    locale: str
    title: str = ""
    body: str | None = None
    html_url: str | None = None
    draft: bool = False
    hidden: bool = False
    outdated: bool = False
    updated_at: AwareDatetime | None = None


class ExportedArticle(_Untrusted):
    """An article as the export has it; `translations` is None when they were not sent along.

    `user_segment_id` and `user_segment_ids` say who may read it, everybody when they are empty.
    """

    id: int
    source_locale: str
    section_id: int | None = None
    label_names: tuple[str, ...] | None = None
    user_segment_id: int | None = None
    user_segment_ids: tuple[int, ...] | None = None
    edited_at: AwareDatetime | None = None
    updated_at: AwareDatetime
    translations: tuple[Translation, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _says_who_may_read_it(cls, fields: object) -> object:
        """An article that does not say so may be for employees alone."""
        if isinstance(fields, Mapping) and not {"user_segment_id", "user_segment_ids"} & fields.keys():
            raise ValueError("it does not say who may read it")
        return fields

    @property
    def is_restricted(self) -> bool:
        """Whether only some people may read the article."""
        return self.user_segment_id is not None or bool(self.user_segment_ids)


class Section(_Untrusted):
    """What articles are grouped under."""

    id: int
    name: str


class Page(_Untrusted):
    """A page of the export; `count` is how many articles Zendesk says there are, when it says so."""

    articles: tuple[ExportedArticle, ...]
    sections: tuple[Section, ...] = ()
    next_page: str | None = None
    count: int | None = None


class Sections(_Untrusted):
    """A page of the list of sections."""

    sections: tuple[Section, ...]
    next_page: str | None = None


class Translations(_Untrusted):
    """A page of one article's translations."""

    translations: tuple[Translation, ...]
    next_page: str | None = None


Form = TypeVar("Form", Page, Sections, Translations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A page that was read: the second it was asked from, and whether it held anything new."""

    page: Page
    asked_s: int
    is_new: bool


def read_as(form: type[Form], answer: object) -> Form:
    """Return *answer* in its form; SourceRejected names the first field that is wrong."""
    try:
        return form.model_validate(answer)
    except ValidationError as wrong:  # its message quotes the answer
        first = wrong.errors(include_input=False, include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "it"
        raise SourceRejected(
            f"an answer has not the form of Zendesk's ({field}: {first['msg']}); check the address"
        ) from wrong


def next_start(step: Step) -> int | None:
    """Return the second from which the next page goes on, None after the last; SourceRejected when there is no end.

    A page begins with the second in which the one before ended. The last names no next page or, as other exports of
    Zendesk do, itself.
    """
    page = step.page
    if page.next_page is None or not page.articles:
        return None
    start_s = _start_of(page.next_page)
    if start_s == step.asked_s and _is_of_one_second(page):
        _require_not_full(page)
        return None
    if start_s <= step.asked_s or not step.is_new:
        raise SourceRejected(CIRCLE)
    return start_s


def next_number(next_page: str | None, asked: int) -> int | None:
    """Return the number of a list's next page, None after the last; SourceRejected when there is no end."""
    if next_page is None:
        return None
    if _query(next_page, "page") != str(asked + 1):
        raise SourceRejected(CIRCLE)
    return asked + 1


def require_host(next_page: str | None, address: str) -> None:
    """SourceRejected when the next page is said to be elsewhere: nobody else is to be shown the token."""
    if next_page is not None and _origin(next_page) != _origin(address):
        raise SourceRejected("its next page is on another host; name the address that answers by itself")


def _is_of_one_second(page: Page) -> bool:
    return len({int(one.updated_at.timestamp()) for one in page.articles}) == 1


def _require_not_full(page: Page) -> None:
    if len(page.articles) >= FULL:
        raise SourceRejected(
            f"{len(page.articles):,} or more articles were changed within one second, and the export goes no further;"
            " change some of them again"
        )


def _start_of(next_page: str) -> int:
    start = _query(next_page, "start_time")
    if not (start.isascii() and start.isdigit()):
        raise SourceRejected("its next page does not say where it begins; try again later")
    return int(start)


def _query(url: str, name: str) -> str:
    """Return what an address says last for *name*; empty when it says nothing."""
    return parse_qs(urlsplit(url).query).get(name, [""])[-1]


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower()
