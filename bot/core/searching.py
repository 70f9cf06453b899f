"""How agents search past conversations: the words of what they type, which texts hold them, and what is shown of a text.

Pure. Words are compared as SQLite's FTS5 does with its unicode61 tokenizer, without regard to case and the accents of Latin letters.
"""

import unicodedata
from collections.abc import Iterator, Sequence

MOST_WORDS = 16  # that are looked for; whoever pastes a page has said enough with its first words
EXCERPT = 160  # characters
_BEFORE = 60  # characters that stand before a match, if the text has them
_MARKS = range(0x300, 0x370)  # accents that are written after their letter

Token = tuple[int, int, str]  # where it begins and ends in its text, and how it is compared


def searched_words(text: str) -> tuple[str, ...]:
    """Return what to look for: what spaces part and holds a letter or a digit, each once."""
    printable = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)
    words = {_comparable(word): word for word in reversed(printable.split()) if _comparable(word)}
    return tuple(reversed(words.values()))[:MOST_WORDS]


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether *text* holds a beginning of each of *words*; "e-mail" is two words of which the second follows the first."""
    tokens = list(_tokens(text))
    return bool(words) and all(_matches(tokens, _comparable(word)) for word in words)


def indexed_words(text: str) -> tuple[str, ...]:
    """Return each word of a text once, as it is compared: what an index of texts holds of it."""
    return tuple(dict.fromkeys(token for _, _, token in _tokens(text)))


def excerpt(text: str, words: Sequence[str]) -> str:
    """Return one line of about EXCERPT characters around the first of *words* that *text* holds, else of its beginning."""
    tokens = list(_tokens(text))
    matches = [match for word in words for match in _matches(tokens, _comparable(word))]
    start = max(0, min(matches, default=0) - _BEFORE)
    if start:
        start = next((begin for begin, _, _ in tokens if begin >= start), start)
    end = start + EXCERPT
    shown = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{shown}{' …' if text[end:].strip() else ''}"


def _comparable(word: str) -> tuple[str, ...]:
    return tuple(token for _, _, token in _tokens(word))


def _matches(tokens: Sequence[Token], wanted: Sequence[str]) -> list[int]:
    """Return where in the text *wanted* begins; of the last word the beginning is enough."""
    *whole, last = wanted
    return [
        tokens[at][0]
        for at in range(len(tokens) - len(whole))
        if [token for _, _, token in tokens[at : at + len(whole)]] == whole
        and tokens[at + len(whole)][2].startswith(last)
    ]


def _tokens(text: str) -> Iterator[Token]:
    start, token = 0, ""
    for at, character in enumerate(f"{text} "):
        if _belongs_to_word(character, begun=bool(token)):
            start = start if token else at
            token += _plain(character)
        elif token:
            yield start, at, token
            token = ""


def _belongs_to_word(character: str, *, begun: bool) -> bool:
    return unicodedata.category(character)[0] in "LN" or (begun and ord(character) in _MARKS)


def _plain(character: str) -> str:
    """Take case and accent away; only letters that are Latin without their accent lose it."""
    if ord(character) in _MARKS:
        return ""
    letter = unicodedata.normalize("NFD", character)[0]
    return (letter if letter.isascii() else character).lower()
