"""Reads text the way the phrase tables need it: plain words, one line per sentence, small slips mended; and matches patterns.

A pattern is a sentence in a small notation, explained at the top of `prompts/rules.toml`. Pure and total: any text
can be read, and no pattern can take more than linear time over a message's words.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.errors import Misconfigured

_MARKS = re.compile(r"[\u0300-\u036f\u200b-\u200d\u2060\ufeff\u00ad]+")
_CONTRACTION = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc`\u00b4](s|t|m|re|ll|d|ve)\b")
_LONG_RUN = re.compile(r"([^\W\d_])\1{2,}")
_SENTENCE_END = re.compile(r"[?!;\n\u00bf\u00a1]|[.:](?!\d)")
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_MENDED = 5
_LONGEST_MENDED = 24


def normalise(text: str) -> str:
    """Return the words of *text* in lower case without accents, one line per sentence; normalising twice changes nothing."""
    plain = text.lower() if text.isascii() else _folded(text)
    squeezed = _LONG_RUN.sub(r"\1", _CONTRACTION.sub(r"\1", plain))
    lines = (" ".join(_WORD.findall(line)) for line in _SENTENCE_END.split(squeezed))
    return "\n".join(line for line in lines if line)


def _folded(text: str) -> str:
    # Folding case can undo compatibility folding and the reverse, so both run until they agree (Unicode, section 3.13).
    for _ in range(2):
        text = _MARKS.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()))
    return text


def is_one_slip(left: str, right: str) -> bool:
    """Tell whether one letter was added, lost, replaced, or swapped with its neighbour (optimal string alignment distance at most 1)."""
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    left, right = left[start:], right[start:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return max(len(left), len(right)) <= 1 or (len(left) == len(right) == 2 and left == right[::-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, each word followed by a space, and its set of words."""

    text: str
    words: frozenset[str]

    @classmethod
    def empty(cls) -> "Sentence":
        return cls(text="", words=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """What is read as what: fixed spellings, emoji that stand for words, and words that may carry one slip.

    A word is mended when it and the intended word have at least five letters, share the first letter, and differ by one
    slip; the first in the table wins. `known` words are never touched, so real neighbours ("cours" beside "court") stay what they are.
    """

    fixed: Mapping[str, str]
    emoji: Mapping[str, str]
    known: frozenset[str]
    mendable: tuple[str, ...]
    nearby: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls, *, fixed: Mapping[str, str], emoji: Mapping[str, str], mendable: Sequence[str], known: Iterable[str]
    ) -> "Spelling":
        """Index the mendable words by what remains of them when one letter is left out."""
        nearby: dict[str, tuple[str, ...]] = {}
        for word in mendable:
            for key in _shortened(word):
                nearby[key] = (*nearby.get(key, ()), word)
        known = frozenset(known) | frozenset(mendable)
        return cls(fixed=fixed, emoji=emoji, known=known, mendable=tuple(mendable), nearby=nearby)

    def read(self, text: str) -> tuple[Sentence, ...]:
        """Return the sentences of *text*, mended."""
        if not text.isascii():
            for emoji, word in self.emoji.items():
                text = text.replace(emoji, f" {word} ")
        lines = [line.split(" ") for line in normalise(text).split("\n") if line]
        mended = {word: self.mended(word) for line in lines for word in line}
        return tuple(_sentence([mended[word] for word in line]) for line in lines)

    def mended(self, word: str) -> str:
        """Return the word that *word* stands for; itself when nothing in the table is one slip away."""
        if word in self.fixed:
            return self.fixed[word]
        if word in self.known or not _SHORTEST_MENDED <= len(word) <= _LONGEST_MENDED:
            return word
        near = {candidate for key in _shortened(word) for candidate in self.nearby.get(key, ())}
        meant = (other for other in near if other[0] == word[0] and is_one_slip(word, other))
        return min(meant, key=self.mendable.index, default=word)


def _shortened(word: str) -> tuple[str, ...]:
    return (word, *(word[:at] + word[at + 1 :] for at in range(1, len(word))))


def _sentence(words: Iterable[str]) -> Sentence:
    text = "".join(f"{word} " for word in words)
    return Sentence(text=text, words=frozenset(text.split(" ")) - {""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Patterns compiled into one expression; `needed` holds a word of each pattern without which it cannot match."""

    expression: re.Pattern[str]
    needed: frozenset[str]

    def match(self, sentence: Sentence) -> bool:
        return not self.needed.isdisjoint(sentence.words) and bool(self.expression.search(sentence.text))

    def without(self, sentence: Sentence) -> Sentence:
        """Cut every match out, leaving a mark that no pattern matches across."""
        if self.needed.isdisjoint(sentence.words):
            return sentence
        return _sentence(self.expression.sub("~ ", sentence.text).split())


_ELEMENT = re.compile(
    r"(?P<never>!)?(?:(?P<list>\{\w+\})|\((?P<options>[^()]*)\)|(?P<gap>\.\.)|(?P<edge>[\^$])|(?P<word>[\w'\u2019-]+))(?P<often>[?*]?)"
)
_GAP = r"(?:(?!~)[^ ]+ ){0,3}?"
_EDGES = {"^": r"\A", "$": r"\Z"}
_OFTEN = {"": "", "?": "?", "*": "{0,6}"}


def compiled(patterns: Sequence[str], words: Mapping[str, tuple[str, ...]]) -> Phrases:
    """Compile *patterns*, whose `{name}`s stand for the lists in *words*; raise `Misconfigured` for one that cannot be read."""
    parts = [_pattern(pattern, words) for pattern in patterns]
    expression = re.compile(r"(?<![^ ])(?:" + "|".join(expression for expression, _ in parts) + ")")
    return Phrases(expression=expression, needed=frozenset[str]().union(*(needed for _, needed in parts)))


def _pattern(pattern: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, frozenset[str]]:
    if rest := _ELEMENT.sub("", pattern).strip():
        raise Misconfigured(f'the pattern "{pattern}" has "{rest}", which the notation does not know')
    expression, needed = "", []
    for element in _ELEMENT.finditer(pattern):
        options = _options(element, words)
        expression += _fragment(element, options)
        if options and not element["never"] and not element["often"]:
            needed.append(frozenset(option.split(" ")[-1] for option in options))
    if not needed:
        raise Misconfigured(f'the pattern "{pattern}" would match anything; give it a word that must be there')
    return expression, min(needed, key=len)


def _options(element: re.Match[str], words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if element["gap"] or element["edge"]:
        return ()
    written = element["options"].split("|") if element["options"] is not None else [element["list"] or element["word"]]
    return tuple(plain for option in written for plain in _phrases(option.strip(), words) if plain)


def _phrases(option: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if not option.startswith("{"):
        return (plain_phrase(option),)
    if (name := option.strip("{}")) not in words:
        raise Misconfigured(f'the list "{option}" is not under [words]; add it or correct the name')
    return words[name]


def _fragment(element: re.Match[str], options: tuple[str, ...]) -> str:
    if element["gap"]:
        return _GAP
    if element["edge"]:
        return _EDGES[element["edge"]]
    # Longer phrases first, so that a cut takes "good morning" and not only "good".
    ordered = sorted(options, key=lambda option: (-len(option), option))
    choice = f"(?:{'|'.join(re.escape(option) + ' ' for option in ordered)})"
    return f"(?!{choice})" if element["never"] else choice + _OFTEN[element["often"]]


def plain_phrase(text: str) -> str:
    """Return *text* as one line of normalised words."""
    return normalise(text).replace("\n", " ")
