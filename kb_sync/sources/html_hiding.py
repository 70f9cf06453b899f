"""What of an article's HTML a reader cannot see is removed: no text may reach the bot that its author could not see.

What only screen readers skip (aria-hidden) can be seen, so it stays; what only they read out is hidden, so it goes.
"""

from dataclasses import dataclass, replace

from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from kb_sync.sources.html_elements import UNSEEN
from kb_sync.sources.html_styles import BLACK, WHITE, Rgb, Style, style_from

_DEEPEST = 60  # what is nested deeper becomes plain text: the converter calls itself for each level
_TELLABLE = 0.08  # how far a text's colour must be from the paper's, of 1, in red, green or blue


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ink:
    """The colours that an element's text has."""

    color: Rgb = BLACK
    background: Rgb = WHITE
    is_transparent: bool = False

    @property
    def shows(self) -> bool:
        apart = max(abs(one - other) for one, other in zip(self.color, self.background, strict=True))
        return not self.is_transparent and apart > _TELLABLE

    def with_style(self, style: Style) -> "_Ink":
        sets_color = style.color is not None or style.is_transparent
        return replace(
            self,
            color=style.color or self.color,
            background=style.background or self.background,
            is_transparent=style.is_transparent if sets_color else self.is_transparent,
        )


def remove_hidden(root: Tag) -> None:
    """Take out of *root* what nobody sees; elements far within it become their text."""
    open_ones = [(root, _Ink(), 0)]
    deep: list[Tag] = []
    while open_ones:
        tag, ink, depth = open_ones.pop()
        if depth == _DEEPEST:
            deep.append(tag)
        seen = [(child, inner) for child in tag.contents if (inner := _ink_of(child, ink)) is not None]
        open_ones.extend((child, inner, depth + 1) for child, inner in seen if isinstance(child, Tag))
        if len(seen) < len(tag.contents):  # at once: taking out one by one looks each up among all
            tag.clear()
            tag.extend([child for child, _ in seen])
    for tag in deep:
        tag.string = " ".join(tag.stripped_strings)


def _ink_of(part: PageElement, around: _Ink) -> _Ink | None:
    """Return the colours of an element's text, or of a text itself; None when it cannot be seen."""
    if isinstance(part, Tag):
        return _ink_within(part, around)
    is_seen = around.shows or not str(part).strip()
    return around if is_seen and not isinstance(part, PreformattedString) else None


def _ink_within(tag: Tag, around: _Ink) -> _Ink | None:
    if tag.name in UNSEEN or "hidden" in tag.attrs or (tag.name == "dialog" and "open" not in tag.attrs):
        return None
    css = "; ".join(part for part in (_old_colors(tag), _attribute(tag, "style")) if part)
    if not css:
        return around
    style = style_from(css)
    ink = around.with_style(style)
    is_all_text = bool(tag.contents) and all(isinstance(child, NavigableString) for child in tag.contents)
    return None if style.hides or (is_all_text and not ink.shows) else ink


def _old_colors(tag: Tag) -> str:
    """Return as CSS the colours of attributes from before there was CSS."""
    color = _attribute(tag, "color") if tag.name == "font" else ""
    background = _attribute(tag, "bgcolor")
    return f"{color and f'color:{color};'}{background and f'background:{background}'}"


def _attribute(tag: Tag, name: str) -> str:
    value = tag.attrs.get(name, "")
    return value if isinstance(value, str) else " ".join(value)
