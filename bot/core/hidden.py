"""What a draft may hide or give away: images and tags, signs that turn or hide letters, and secrets in plain or in code. Pure."""

import base64
import re
import unicodedata
from collections.abc import Iterator, Sequence

from bot.core.outcome import ReasonCode

IMAGE = re.compile(r"!\[[^\]]*\]\s*[(\[]|!\[[^\]]*\]")
TAG = re.compile(
    r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>|<!--|<!\w|&#?\w{2,8};|<[a-z]+[\s/][^<>]*=", re.IGNORECASE
)
FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.MULTILINE)
# Directions and letters without width; the joiner between emoji is none of them.
HIDING = frozenset("\u200b\u200e\u200f\u2060\ufeff\u00ad\u061c\u180e") | frozenset(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)))
)
# Words of the machinery, which no customer is told. A code of one word may be an article's own word.
INTERNAL = (*(str(reason) for reason in ReasonCode if "_" in reason), "hand_over", "ask_customer")
SHORTEST_SECRET = 6  # letters and digits; a shorter one would stand in ordinary words


def internal_in(text: str) -> str:
    """Return a word of the machinery that a text holds; empty when there is none."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return next((word for word in INTERNAL if word in folded), "")


def markup_in(text: str) -> str:
    """Return the first image, tag, entity or code fence; empty when there is none."""
    found = IMAGE.search(text) or TAG.search(text) or FENCE.search(text)
    return found[0] if found else ""


def hidden_in(text: str) -> bool:
    """Whether a text holds signs that a reader cannot see, but that change what is read."""
    return any(char in HIDING or (unicodedata.category(char) == "Cc" and char not in "\n\t") for char in text)


def reveals(text: str, secrets: Sequence[str]) -> bool:
    """Whether a text holds a secret, whatever stands between its letters, backwards or in a simple code."""
    squeezed = _squeezed(text)
    return any(form in squeezed for secret in secrets for form in _forms(secret))


def _forms(secret: str) -> Iterator[str]:
    plain = _squeezed(secret)
    if len(plain) < SHORTEST_SECRET:
        return
    yield from (plain, plain[::-1], secret.encode().hex())
    for shift in range(3):
        # What stands before a secret moves its letters in base64; the ends depend on their neighbours.
        coded = base64.b64encode(b"\0" * shift + secret.encode()).decode().rstrip("=")
        yield _squeezed(coded[4 if shift else 0 : -1])


def _squeezed(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())
