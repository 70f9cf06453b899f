"""An article's fields, as a front matter or a record holds them, to an Article; unknown fields are no error."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from bot.core.knowledge import Article, ArticleId, ArticleStatus
from bot.core.markdown import BlockKind, blocks_of, plain_text
from bot.errors import InputRejected
from kb_sync.sources.cleaning import cleaned, cleaned_html, is_html, normal_form

Fields = Mapping[str, object]

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_YES = frozenset({"true", "yes", "on", "1"})
_NO = frozenset({"false", "no", "off", "0", ""})


def to_article(fields: Fields, text: str | None = None) -> Article:
    """Return the clean article; *text* is its body unless a field holds it. InputRejected names the field and the remedy."""
    return cleaned_article(as_delivered(fields, text))


def cleaned_article(article: Article) -> Article:
    """Return the article with its body as it is stored; one that is clean already stays as it is."""
    return replace(article, body=_cleaned(article.body, article.url))


def as_delivered(fields: Fields, text: str | None = None) -> Article:
    """Return the article with its body as the author wrote it; InputRejected names the field and the remedy."""
    body = text if text is not None else _body(fields)
    return Article(
        id=_id(fields.get("id")),
        title=_title(fields, body),
        body=body,
        url=_line(fields, "url"),
        category=_line(fields, "category"),
        tags=_names(fields.get("tags"), "tags"),
        locale=_locale(fields.get("locale")),
        status=_status(fields),
        supersedes=tuple(_id(one, "supersedes") for one in _names(fields.get("supersedes"), "supersedes")),
        last_modified_ms=_moment_ms(fields.get("last_modified")),
        evergreen=_flag(fields, "evergreen"),
    )


def _cleaned(text: str, url: str) -> str:
    return cleaned_html(text, base_url=url) if is_html(text) else cleaned(text)


def is_locale(text: str) -> bool:
    """Tell whether *text* is a language code such as en or pt-BR."""
    return _LOCALE.fullmatch(text) is not None


def _body(fields: Fields) -> str:
    for name in ("body", "text"):
        value = fields.get(name)
        if isinstance(value, str):
            return value
        if value is not None:
            raise InputRejected(name, f"is {_shown(value)}", "make it text")
    return ""


def _id(value: object, field: str = "id") -> ArticleId:
    text = _scalar(value, field)
    if not text:
        raise InputRejected(field, "is missing", "add one such as KB000123")
    if not _ID.fullmatch(text):
        raise InputRejected(
            field, f"is {_shown(text)}", "use up to 128 letters a-z, digits and the signs . _ : -"
        )
    return ArticleId(text)


def _title(fields: Fields, body: str) -> str:
    title = " ".join(cleaned(_scalar(fields.get("title"), "title")).split())
    title = title or _first_heading(_cleaned(body, _line(fields, "url")))
    if not title:
        raise InputRejected("title", "is missing", "add one such as How to Reschedule a Lesson")
    return title


def _first_heading(body: str) -> str:
    headings = (plain_text(block.text) for block in blocks_of(body) if block.kind is BlockKind.HEADING)
    return next(headings, "")


def _line(fields: Fields, name: str) -> str:
    return " ".join(_scalar(fields.get(name), name).split())


def _names(value: object, field: str) -> tuple[str, ...]:
    """Read a list, or the parts of a text that are separated by commas."""
    if value is None:
        return ()
    parts = value if isinstance(value, Sequence) and not isinstance(value, str) else str(value).split(",")
    names = (" ".join(_scalar(part, field).split()) for part in parts)
    return tuple(dict.fromkeys(name for name in names if name))


def _locale(value: object) -> str:
    text = _scalar(value, "locale") or "en"
    if not is_locale(text):
        raise InputRejected("locale", f"is {_shown(text)}", "use a language code such as en or pt-BR")
    return text.replace("_", "-")


def _status(fields: Fields) -> ArticleStatus:
    if _flag(fields, "draft"):
        return ArticleStatus.DRAFT
    text = _scalar(fields.get("status"), "status").lower() or ArticleStatus.ACTIVE.value
    try:
        return ArticleStatus(text)
    except ValueError as exc:
        raise InputRejected("status", f"is {_shown(text)}", f"use one of {', '.join(ArticleStatus)}") from exc


def _flag(fields: Fields, name: str) -> bool:
    text = _scalar(fields.get(name), name).lower()
    if text not in _YES | _NO:
        raise InputRejected(name, f"is {_shown(text)}", "use true or false")
    return text in _YES


def _moment_ms(value: object) -> int | None:
    """Read a date, a date with time, or ISO 8601 text; what names no zone is UTC."""
    if value is None or value == "":
        return None
    moment = value if isinstance(value, date) else _parsed(_scalar(value, "last_modified"))
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _parsed(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as exc:
        remedy = "write a date such as 2026-09-14 or 2026-09-14T08:30:00Z"
        raise InputRejected("last_modified", f"is {_shown(text)}", remedy) from exc


def _scalar(value: object, field: str) -> str:
    """Return a single value as text, so that a numeric id is the text of its digits; nothing is the empty text."""
    if value is None:
        return ""
    if isinstance(value, str | int | float | date):
        return normal_form(str(value)).strip()
    raise InputRejected(field, f"is {_shown(value)}", "write a single value")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
