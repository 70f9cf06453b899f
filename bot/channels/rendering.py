"""Markdown that the bot wrote to HTML that is safe to show: a few tags, checked links, never an image or raw HTML."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from urllib.parse import urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from bot.core.article_pages import is_article_page
from bot.core.conversation import ConversationId

SCHEMES = frozenset({"http", "https", "mailto"})
TAGS = frozenset(
    "p br strong em ul ol li a code pre blockquote hr table thead tbody tr th td".split()  # noqa: SIM905 - reads as the list it is
)
ATTRIBUTES = {
    "a": {"href"},
    "ol": {"start"},
    "*": set[str](),
}  # "*" too, else the library adds title and lang


@lru_cache(maxsize=2_048)
def render(markdown: str) -> str:
    """Return HTML of allowed tags only; what is not allowed stays visible as text."""
    return nh3.clean(
        _MARKDOWN.render(markdown),
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        url_schemes=set(SCHEMES),
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def forget_rendered(_conversation: ConversationId) -> None:
    """Drop what is remembered of rendering; which conversation a text was of, nobody knows any more."""
    render.cache_clear()


def safe_url(url: str) -> str | None:
    """Return *url* when a customer may follow it; None otherwise."""
    return url if _is_safe(url) else None


def _is_safe(url: str) -> bool:
    """An absolute link of a known scheme, or an article page; one with a user part is dressed up as another site.

    Any other link without a host would lead a reader somewhere on this server, which is not the article's own site.
    """
    if is_article_page(url):
        return True
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if any(character.isspace() or not character.isprintable() for character in url):
        return False
    if parts.scheme == "mailto":
        return bool(parts.path) and not parts.query
    return parts.scheme in SCHEMES and bool(parts.hostname) and "@" not in parts.netloc


class _ChatRenderer(RendererHTML):
    """Headings become bold lines, because a message is no page; images become their description."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return escape(self.renderInlineAsText(tokens[idx].children or [], options, env))

    def heading_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "<p><strong>"

    def heading_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return "</strong></p>\n"


def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_ChatRenderer).enable("table")
    parser.validateLink = _is_safe  # type: ignore[method-assign]  # the library's documented hook
    return parser


_MARKDOWN = _markdown()
