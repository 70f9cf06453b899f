"""Which pages may talk to the widget's server: its own, and those on an exact list."""

import re
from collections.abc import Iterable

from bot.errors import Misconfigured

ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")


def to_origins(texts: Iterable[str]) -> frozenset[str]:
    """Check a list of origins; Misconfigured names the first that is not one."""
    origins = frozenset(text.strip() for text in texts)
    for origin in sorted(origins):
        if not ORIGIN.fullmatch(origin):
            raise Misconfigured(
                f"WIDGET_ORIGINS: {origin!r} is not an origin such as https://www.example.com"
            )
    return origins


def is_allowed(origin: str | None, *, own: str, listed: frozenset[str]) -> bool:
    """Whether a request with this Origin may be served; exact matches only, and never a missing one."""
    return origin is not None and (origin == own or origin in listed)
