"""An article's passages to a page, and the sentences that stand in its place when there is none to show."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from itertools import takewhile

from bot.channels.rendering import render, safe_url
from bot.core.article_pages import anchor_of
from bot.core.knowledge import ArticleText, Passage
from bot.core.markdown import BlockKind
from bot.core.sections import Piece, without_overlap

STATIC = "/articles/static"
BOLD_LINE = re.compile(r"\*\*([^*\n]+)\*\*")


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
    for before, passage in zip((None, *article.passages), article.passages, strict=False):
        yield from _passage(passage, before)


def _passage(passage: Passage, before: Passage | None) -> Iterator[str]:
    path = () if before is None else before.headings
    yield from _headings(passage.headings, path)
    overlap = before.text if before is not None and path == passage.headings else ""
    for piece in without_overlap(passage.text, overlap):
        yield _piece(piece, level=len(passage.headings))


def _headings(path: tuple[str, ...], shown: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings of *path* that are not above the text already."""
    kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, shown, strict=False)))
    for level, heading in enumerate(path[kept:], start=kept):
        yield _heading(heading, level=level)


def _piece(piece: Piece, *, level: int) -> str:
    # Small sections stand joined in one passage, with their headings as bold lines.
    if bold := BOLD_LINE.fullmatch(piece.text):
        return _heading(bold[1], level=level)
    shown = render(piece.text)
    if piece.kind is BlockKind.TABLE:  # it scrolls by itself where the page is narrower, by keyboard too
        return f'<div class="scroll" role="group" aria-label="Table" tabindex="0">\n{shown}</div>\n'
    return shown


def _heading(text: str, *, level: int) -> str:
    name, anchor = f"h{min(level + 2, 6)}", anchor_of(text)
    opening = f'<{name} id="{escape(anchor)}">' if anchor else f"<{name}>"
    return f"{opening}{escape(text)}</{name}>\n"
