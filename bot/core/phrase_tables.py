"""Takes the parsed phrase tables apart and says which key is wrong, why, and what to do."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.core.phrases import Phrases, Spelling, compiled, normalise, plain_phrase
from bot.errors import Misconfigured

Words = Mapping[str, tuple[str, ...]]
_LIST_NAME = re.compile(r"\{\w+\}")
_LANGUAGES = ("en", "es", "de", "fr", "pt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of the file, its place in it, and the word lists its patterns may name."""

    data: Mapping[str, object]
    place: str
    words: Words

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Table":
        """Read the word lists first: every other table's patterns refer to them."""
        listed = _mapping(data, "words", "words")
        words = {name: tuple(map(plain_phrase, _texts(listed, name, f"words.{name}"))) for name in listed}
        return cls(data=data, place="", words=words)

    def spelling(self) -> Spelling:
        """Return how words are read; raise for a phrase that no message could match because its word is always respelled."""
        table = _mapping(self.data, "spelling", "spelling")
        fixed = _inverted(_mapping(table, "fixed", "spelling.fixed"), "spelling.fixed")
        emoji = _inverted(_mapping(table, "emoji", "spelling.emoji"), "spelling.emoji", plain=False)
        mendable = map(plain_phrase, _texts(table, "mended", "spelling.mended"))
        swappable = map(plain_phrase, _texts(table, "swapped", "spelling.swapped"))
        known = _words_in(self.data)
        if dead := sorted(_words_in({**self.data, "spelling": None}) & fixed.keys()):
            raise Misconfigured(
                f'spelling.fixed: "{dead[0]}" is always read as "{fixed[dead[0]]}", yet a phrase has it; write it that way there'
            )
        return Spelling.of(
            fixed=fixed, emoji=emoji, mendable=tuple(mendable), swappable=tuple(swappable), known=known
        )

    def phrases(self, key: str, part: str) -> Phrases:
        """Compile one list of patterns, or one list per language."""
        found = self.optional_phrases(key, part)
        if found is None:
            raise Misconfigured(f"{self._at(key, part)}: missing; add a list of patterns")
        return found

    def optional_phrases(self, key: str, part: str) -> Phrases | None:
        """Compile a list that may be left out; `None` when it is."""
        table = _mapping(self.data, key, self._at(key)) if key else self.data
        if part not in table:
            return None
        try:
            return compiled(_patterns(table, part, self._at(key, part)), self.words)
        except Misconfigured as error:
            raise Misconfigured(f"{self._at(key, part)}: {error}") from error

    def plain_words(self, key: str, part: str) -> frozenset[str]:
        """Return a list of single words, written as messages are read."""
        table = _mapping(self.data, key, self._at(key))
        return frozenset(map(plain_phrase, _texts(table, part, self._at(key, part))))

    def rows(self, key: str) -> tuple["Table", ...]:
        """Return an array of tables, each with a name or its number in its place."""
        rows = self.data.get(key)
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise Misconfigured(f"{key}: not an array of tables; write each as [[{key}]]")
        return tuple(
            Table(data=row, place=f"{key}.{row.get('name', number)}", words=self.words)
            for number, row in enumerate(rows, start=1)
        )

    def text(self, key: str) -> str:
        return _text(self.data, key, self._at(key))

    def number(self, key: str, part: str) -> int:
        value = _mapping(self.data, key, self._at(key)).get(part)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Misconfigured(f"{self._at(key, part)}: not a whole number above 0; write one")
        return value

    def _at(self, *keys: str) -> str:
        return ".".join(part for part in (self.place, *keys) if part)


def _words_in(value: object) -> frozenset[str]:
    return frozenset(
        word for text in _all_texts(value) for word in normalise(_LIST_NAME.sub(" ", text)).split()
    )


def _patterns(table: Mapping[str, object], part: str, place: str) -> tuple[str, ...]:
    if isinstance(table[part], list):
        return _texts(table, part, place)
    by_language = _mapping(table, part, place)
    if missing := [language for language in _LANGUAGES if language not in by_language]:
        raise Misconfigured(f'{place}: no patterns for "{missing[0]}"; add a list for it')
    return tuple(
        text for language in by_language for text in _texts(by_language, language, f"{place}.{language}")
    )


def _mapping(table: Mapping[str, object], key: str, place: str) -> Mapping[str, object]:
    value = table.get(key)
    if not isinstance(value, Mapping):
        raise Misconfigured(f"{place}: missing or not a table; add [{place}]")
    return value


def _texts(table: Mapping[str, object], key: str, place: str) -> tuple[str, ...]:
    value = table.get(key)
    if (
        not isinstance(value, list)
        or not value
        or not all(isinstance(item, str) and item.strip() for item in value)
    ):
        raise Misconfigured(f"{place}: not a list of phrases in quotes; write at least one")
    return tuple(value)


def _text(table: Mapping[str, object], key: str, place: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Misconfigured(f"{place}: missing or empty; write a text in quotes")
    return value


def _inverted(table: Mapping[str, object], place: str, *, plain: bool = True) -> dict[str, str]:
    return {
        plain_phrase(written) if plain else written: plain_phrase(meant)
        for meant in table
        for written in _texts(table, meant, f"{place}.{meant}")
    }


def _all_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _all_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _all_texts(item)
