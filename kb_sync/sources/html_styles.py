"""What an element's style says about whether its text can be seen: the translation of CSS.

Sizes and places are judged in pixels, roughly: what hides a text does so by a wide margin.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tinycss2 import parse_declaration_list
from tinycss2.color4 import Color
from tinycss2.color5 import parse_color

Rgb = tuple[float, float, float]

WHITE: Rgb = (1.0, 1.0, 1.0)
BLACK: Rgb = (0.0, 0.0, 0.0)

_FAINT = 0.05  # of opacity: paler than this, nobody reads it
_TINY_PX = 2.0
_AWAY_PX = 500.0  # to the left or above
_FAR_PX = 5_000.0  # to the right or below
_PX = {
    "px": 1.0,
    "pt": 1.33,
    "pc": 16.0,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "cm": 38.0,
    "mm": 3.8,
    "in": 96.0,
    "vw": 10.0,
    "vh": 10.0,
}
_PERCENT_OF_PLACE_PX = 10.0
_PERCENT_OF_FONT_PX = 0.16
_KEYWORDS = {
    "display": {"none"},
    "visibility": {"hidden", "collapse"},
    "content-visibility": {"hidden"},
    "mso-hide": {"all"},
}
_PLACES = {"left", "right", "top", "bottom", "inset", "text-indent", "margin", "margin-left", "margin-top"}
_MOVES = {"transform", "translate"}
_SIDES = {"width", "height", "max-width", "max-height"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Whether it hides everything within, and the colours it sets; None when it sets none."""

    hides: bool = False
    color: Rgb | None = None
    is_transparent: bool = False
    background: Rgb | None = None


@lru_cache(maxsize=1_024)
def style_from(text: str) -> Style:
    """Return what the text of a `style` attribute says; what is no CSS says nothing."""
    values = dict(_declarations(text))
    ink = _first_color(values.get("-webkit-text-fill-color", values.get("color", ())))
    return Style(
        hides=any(_hides(name, tokens) for name, tokens in values.items()) or _is_clipped(values),
        color=_rgb(ink) if ink is not None and ink.alpha > _FAINT else None,
        is_transparent=ink is not None and ink.alpha <= _FAINT,
        background=_background((*values.get("background", ()), *values.get("background-color", ()))),
    )


def _declarations(text: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield names and values; what is important comes last, because the last one counts."""
    found = [one for one in parse_declaration_list(text) if one.type == "declaration"]
    for one in sorted(found, key=lambda one: bool(one.important)):
        yield (
            one.lower_name,
            tuple(token for token in one.value if token.type not in {"whitespace", "comment"}),
        )


def _hides(name: str, tokens: tuple[Any, ...]) -> bool:
    if name in _KEYWORDS:
        return any(token.type == "ident" and token.lower_value in _KEYWORDS[name] for token in tokens)
    if name in _PLACES | _MOVES:
        return any(_is_away(px) for px in _pixels(tokens, percent=_PERCENT_OF_PLACE_PX)) or _shrinks(tokens)
    if name in {"font-size", "font"}:
        sizes = list(_pixels(tokens, percent=_PERCENT_OF_FONT_PX))
        return bool(sizes) and max(sizes) < _TINY_PX
    if name in {"clip", "clip-path"}:
        return _cuts_all(tokens)
    return any(_share(token) <= _FAINT for token in _shares(name, tokens))


def _shares(name: str, tokens: tuple[Any, ...]) -> Iterable[Any]:
    """Return what says how much of an element is left: of its colour, or of its size."""
    match name:
        case "opacity":
            return _flat(tokens)
        case "filter":
            return _arguments(tokens, {"opacity"})
        case "scale" | "zoom":
            return tokens
        case _:
            return ()


def _is_clipped(values: dict[str, tuple[Any, ...]]) -> bool:
    """Return whether a box of no size shows nothing of what it holds."""
    overflow = (*values.get("overflow", ()), *values.get("overflow-x", ()), *values.get("overflow-y", ()))
    if not any(token.type == "ident" and token.lower_value in {"hidden", "clip"} for token in overflow):
        return False
    sizes = (list(_pixels(values.get(name, ()), percent=1.0)) for name in _SIDES)
    return any(side and max(side) < _TINY_PX for side in sizes)


def _is_away(px: float) -> bool:
    return px <= -_AWAY_PX or px >= _FAR_PX


def _shrinks(tokens: tuple[Any, ...]) -> bool:
    scales = {"scale", "scalex", "scaley", "scale3d"}
    return any(_share(token) <= _FAINT for token in _arguments(tokens, scales))


def _cuts_all(tokens: tuple[Any, ...]) -> bool:
    """Return whether a clipping shape leaves nothing: no corner apart, no radius, or half cut off from every side."""
    corners = list(_pixels(_arguments(tokens, {"rect", "circle", "ellipse", "polygon"}), percent=1.0))
    inset = [token.value for token in _arguments(tokens, {"inset"}) if token.type == "percentage"]
    return (bool(corners) and max(corners) < _TINY_PX) or (bool(inset) and min(inset) >= 50)


def _arguments(tokens: Iterable[Any], names: set[str]) -> tuple[Any, ...]:
    return tuple(
        argument
        for token in tokens
        if token.type == "function" and token.lower_name in names
        for argument in token.arguments
    )


def _flat(tokens: Iterable[Any]) -> Iterator[Any]:
    """Yield values and those within functions such as calc(); what is nested deeper says too little."""
    for token in tokens:
        yield token
        if token.type == "function":
            yield from token.arguments


def _pixels(tokens: Iterable[Any], *, percent: float) -> Iterator[float]:
    for token in _flat(tokens):
        if token.type == "dimension":
            yield token.value * _PX.get(token.lower_unit, 1.0)
        elif token.type == "percentage":
            yield token.value * percent
        elif token.type == "number" and token.value == 0:
            yield 0.0


def _share(token: Any) -> float:
    """Return the share that a number or percentage is, 1 for anything else."""
    if token.type == "percentage":
        return float(token.value) / 100
    return float(token.value) if token.type == "number" else 1.0


def _first_color(tokens: Iterable[Any]) -> Color | None:
    return next((color for token in tokens if isinstance(color := parse_color(token), Color)), None)


def _background(tokens: tuple[Any, ...]) -> Rgb | None:
    color = _first_color(reversed(tokens))
    return _rgb(color) if color is not None and color.alpha > 0.5 else None


def _rgb(color: Color) -> Rgb:
    """Return red, green and blue from 0 to 1; of a space without a way there, the grey of its lightness."""
    try:
        red, green, blue = color.to("srgb").coordinates
    except NotImplementedError:
        lightness = color.coordinates[0] / (100 if color.space in {"lab", "lch"} else 1)
        return (lightness, lightness, lightness)
    return (red, green, blue)
