"""An article's passages to a page, and the sentences that stand in its place when there is none to show."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import takewhile, zip_longest

from bot.channels.rendering import render, safe_url
from bot.core.article_pages import anchor_of
from bot.core.knowledge import ArticleText, Passage
from bot.core.markdown import BlockKind
from bot.core.sections import Piece, without_overlap

STATIC = "/articles/static"
BOLD_LINE = re.compile(r"\*\*[^*\n]+\*\*")
LEAD = re.compile(r"\*\*([^*\n]+)\*\*\n\n")

Headings = tuple[str, ...]


def article_page(article: ArticleText, *, release: str) -> str:
    """Return the whole page of *article*; *release* names the files that it loads."""
    lang = escape(article.locale)
    content = (
        f'<h1 lang="{lang}" dir="auto">{escape(article.title)}</h1>\n{_changed(article.last_modified_ms)}'
        f'<div class="text" lang="{lang}" dir="auto">\n{"".join(_text(article))}</div>\n{_elsewhere(article.url)}'
    )
    return _page(article.title, f"<article>\n{content}</article>", release=release)


def no_such_article(*, release: str) -> str:
    """Return the page for an address that leads to no article that customers may read."""
    return _notice(
        "We have no such article",
        "It may have been withdrawn, or replaced by a newer one. The assistant on our start page can look for an answer.",
        release=release,
    )


def not_readable_now(*, release: str) -> str:
    """Return the page for an article that may exist but cannot be read."""
    return _notice(
        "We cannot show our articles right now",
        "The article you asked for may be there all the same. Please try again in a moment.",
        release=release,
    )


def _notice(title: str, text: str, *, release: str) -> str:
    return _page(title, f"<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>", release=release)


def _page(title: str, content: str, *, release: str) -> str:
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="{STATIC}/{release}/article.svg" type="image/svg+xml">
<link rel="stylesheet" href="{STATIC}/{release}/article.css">
</head>
<body>
<header><a href="/"><span aria-hidden="true">←</span> Back to the start page</a></header>
<main>
{content}
</main>
</body>
</html>
"""


def _changed(last_modified_ms: int | None) -> str:
    if last_modified_ms is None:
        return ""
    day = datetime.fromtimestamp(last_modified_ms / 1000, tz=UTC)
    written = f"{day.day} {day:%B %Y}"
    return f'<p class="changed">Last changed on <time datetime="{day:%Y-%m-%d}">{written}</time></p>\n'


def _elsewhere(url: str) -> str:
    """Name the article's own address, for one that has a page here all the same."""
    link = safe_url(url)
    if link is None:
        return ""
    return f'<p class="elsewhere">You find this article also at <a href="{escape(link)}">{escape(link)}</a>.</p>\n'


def _text(article: ArticleText) -> Iterator[str]:
    shown: Headings = ()
    named: set[str] = {""}
    for path, piece in _under_headings(article.passages):
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, shown, strict=False)))
        for level, heading in enumerate(path[kept:], start=kept):
            anchor = anchor_of(heading)
            yield _heading(heading, level=level, anchor=None if anchor in named else anchor)
            named.add(anchor)
        shown = path
        yield _piece(piece)


def _under_headings(passages: Sequence[Passage]) -> Iterator[tuple[Headings, Piece]]:
    """Yield what the passages say, once, with the headings above it.

    Small sections stand joined in one passage, with their headings as bold lines.
    """
    path: Headings = ()
    before = ""
    for passage in passages:
        lead = LEAD.match(passage.text)
        begun = (*passage.headings, lead[1]) if lead else passage.headings
        if begun == path:
            pieces = without_overlap(passage.text[lead.end() :] if lead else passage.text, before)
        else:
            path, pieces = passage.headings, without_overlap(passage.text, "")
        for piece, following in zip_longest(pieces, pieces[1:]):
            if following and _is_bold(piece) and not _is_bold(following):
                path = (*passage.headings, piece.text.strip("*"))
            else:
                yield path, piece
        before = passage.text


def _is_bold(piece: Piece) -> bool:
    return BOLD_LINE.fullmatch(piece.text) is not None


def _piece(piece: Piece) -> str:
    shown = render(piece.text)
    if piece.kind is BlockKind.TABLE:  # it scrolls by itself where the page is narrower, by keyboard too
        return f'<div class="scroll" role="group" aria-label="Table" tabindex="0">\n{shown}</div>\n'
    return shown


def _heading(text: str, *, level: int, anchor: str | None) -> str:
    name = f"h{min(level + 2, 6)}"
    opening = f"<{name}>" if anchor is None else f'<{name} id="{escape(anchor)}">'
    return f"{opening}{escape(text)}</{name}>\n"
