"""What a log line must not hold: addresses, numbers and secrets of people, and characters that move a terminal's cursor. Pure.

Logs carry ids and not text; this is what remains when a text gets into one all the same, in an exception's message for
example. Ids, times, counts and scores of ours stay readable.
"""

import re
import unicodedata
from collections.abc import Iterable

from bot.core.check_digits import CARD_FIRST, CARD_LENGTHS, iban_length, is_card, is_iban

SECRET, EMAIL, IBAN, CARD, PHONE, BYTES = "[secret]", "[e-mail]", "[IBAN]", "[card]", "[phone]", "[bytes]"
LONGEST = 10_000  # characters; no line of ours is as long
SHORTEST_SECRET = 12  # a shorter one is a placeholder, and may be part of ordinary words

_GAP = r"[ .\-\u00a0\u2009\u202f]"
_SECRETS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        # What a peer sent, as aiohttp quotes it in its errors: an over-long line may be the one with the cookie.
        (r"(when reading: ?|Invalid HTTP header: ?)[^\n]*", rf"\1{BYTES}"),
        (r"""(?s)\bb(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")""", BYTES),
        # What pydantic refuses, it quotes.
        (r"(?s)(input_value=).{0,500}?(, input_type=)", rf"\1{SECRET}\2"),
        (r"(?i)\b((?:set-)?cookie['\"]?\s*[:=,]\s*['\"]?)[^\r\n']+", rf"\1{SECRET}"),
        (r"(?i)\b(bearer|basic|authorization['\"]?\s*[:=])\s+[\w.~+/=\-]{8,}", rf"\1 {SECRET}"),
        (r"\beyJ[\w\-]+\.[\w\-]+\.[\w\-]*", SECRET),
        (r"(://)[^/\s@]+@", rf"\1{SECRET}@"),
        (
            r"(?i)\b(pass(?:word|wd|phrase|wort)?|pwd|secret|token|api[_\-]?key|secret[_\-]?key|csrf|pin|cvc|cvv)"
            r"(['\"]?\s*[:=]\s*['\"]?)[^\s'\",;&]{3,}",
            rf"\1\2{SECRET}",
        ),
        (
            r"\b(?:sk|pk|rk|pa|pat|gh[a-z]|github_pat|glpat|xox[a-z]|xapp|whsec)[\-_](?=[\w\-]*\d)[\w\-]{10,}",
            SECRET,
        ),
        (r"\b(?:A[KS]IA[A-Z0-9]{12,}|AIza[\w\-]{20,})", SECRET),
        # Cookies, invitations and CSRF tokens of ours are 43 such characters; our ids are hexadecimal, in small letters.
        (r"(?<![\w\-])(?=[\w\-]*[a-z])(?=[\w\-]*[A-Z])(?=[\w\-]*\d)[A-Za-z0-9_\-]{24,}", SECRET),
        (r"""[^\s@<>"'(),;:=\[\]{}/]{1,64}(?:@|%40)[^\s@<>"'(),;:\[\]{}/]+\.[^\W\d_]{2,}""", EMAIL),
    )
)
_IBANS = re.compile(rf"(?<![^\W_])[A-Za-z]{{2}}\d{{2}}(?:{_GAP}?[A-Za-z0-9]){{11,29}}")
_KEPT = r"""
    (?P<kept>
        \b(?=[0-9]*[a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{12})\b  # ids and digests
        | \b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b
        | \b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b  # times
        | (?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])  # network addresses
        | (?<![\w.])(?:0|[1-9]\d*)\.\d+(?:e[+-]?\d+)?(?!\w|\.\d)  # scores
    )
"""
_CARDS = re.compile(
    rf"{_KEPT} | (?<!\d)(?P<number>\d{{13,}} | \d+(?P<gap>{_GAP})\d+(?:(?P=gap)\d+)+)(?!\d)",
    re.VERBOSE,
)
_SEP = r"[ .\-/\u00a0\u2009\u202f]"
_PHONES = re.compile(
    rf"""{_KEPT} | (?P<number>
        (?<!\d)[+\uff0b][ ]?\(?\d(?:{_SEP}?[()]?{_SEP}?\d){{6,14}}
        | (?<![\w.\-])00[1-9](?:{_SEP}?\d){{7,13}}
        | (?<![\w.\-])(?<!\d[:/])(?:\(0\d{{1,5}}\)|0[1-9])(?:{_SEP}{{0,2}}\d){{6,12}}
        | (?<![\w.\-])(?:1{_SEP})?(?:\([2-9]\d{{2}}\)|[2-9]\d{{2}}){_SEP}?\d{{3}}{_SEP}?\d{{4}}
        | (?<![\w.\-])\(\d{{2,4}}\){_SEP}?\d{{3,5}}{_SEP}?\d{{3,5}}
        | (?<![\w.\-])[2-9]\d{{2}}(?P<gap>[ \-])\d{{3}}(?P=gap)\d{{3}}
    )(?!\w)""",
    re.VERBOSE,
)


def redacted(text: str, *, secrets: Iterable[str] = ()) -> str:
    """Return *text* without what identifies a person or opens a door; *secrets* are those that are known word for word."""
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"
    for secret in secrets:
        text = text.replace(secret, SECRET)
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    text = _IBANS.sub(_without_iban, text)
    text = _CARDS.sub(_without_card, text)
    return _PHONES.sub(lambda found: found[0] if found["kept"] else PHONE, text)


def escaped(text: str, *, kept: str = "") -> str:
    """Return *text* with every character that does not print written as its code, but for those in *kept*."""
    return "".join(c if c in kept or c.isprintable() else _code(c) for c in text)


def _code(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _without_iban(found: re.Match[str]) -> str:
    """What follows a number may look as if it went on, so its country says where it ends."""
    text, length = found[0], iban_length(found[0])
    places = [place for place, character in enumerate(text) if character.isalnum()]
    if not 0 < length <= len(places):
        return text
    end = places[length - 1] + 1
    goes_on = found.string[found.start() + end :][:1].isalnum()
    if goes_on or not is_iban("".join(text[place] for place in places[:length])):
        return text
    return IBAN + text[end:]


def _without_card(found: re.Match[str]) -> str:
    """A card's number may stand between others, so every span of the groups is looked at."""
    if found["kept"]:
        return found[0]
    gap = found["gap"]
    groups = found[0].split(gap) if gap else [found[0]]
    span = _card_in(groups) if gap or len(found[0]) <= max(CARD_LENGTHS) else None
    if span is None:
        return found[0]
    start, end = span
    before, after = groups[:start], groups[end:]
    return (gap or "").join([*before, CARD, *after])


def _card_in(groups: list[str]) -> tuple[int, int] | None:
    longest = max(CARD_LENGTHS)
    spans = (
        (start, end)
        for start in range(len(groups))
        if unicodedata.digit(groups[start][0]) in CARD_FIRST
        for end in range(min(len(groups), start + longest), start, -1)
        if sum(map(len, groups[start:end])) in CARD_LENGTHS
    )
    return next(((start, end) for start, end in spans if is_card("".join(groups[start:end]))), None)
