"""Reads text the way the phrase tables need it: plain words, one line per sentence, small slips mended; and matches patterns.

A pattern is a sentence in a small notation, explained at the top of `prompts/rules.toml`. Pure and total: any text
can be read, and no pattern can take more than linear time over a message's words.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.errors import Misconfigured

_MARKS = re.compile(r"[\u0300-\u036f\u200b-\u200d\u2060\ufeff\u00ad]+")
_CONTRACTION = re.compile(r"(?<=[^\W\d_])['\u2019\u02bc`\u00b4](s|t|m|re|ll|d|ve)\b")
_LONG_RUN = re.compile(r"([^\W\d_])\1{2,}")
_SENTENCE_END = re.compile(r"[?!;\n\u00bf\u00a1]|[.:](?!\d)")
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_MENDED = 5


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
    """One sentence, each word after a space, and its set of words."""

    text: str
    words: frozenset[str]

    @classmethod
    def empty(cls) -> "Sentence":
        return cls(text="", words=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """What is read as what: fixed spellings, emoji that stand for words, and words that may carry one slip.

    A word is mended when it and the intended word have at least five letters, share the first letter, and differ by one
    slip; the first in the table wins. Two neighbours may be swapped anywhere, and in short words too.
    `known` words are never touched, so real neighbours ("cours" beside "court") stay what they are.
    """

    fixed: Mapping[str, str]
    emoji: Mapping[str, str]
    known: frozenset[str]
    swapped: Mapping[str, str]
    nearby: Mapping[tuple[str, int], tuple[str, ...]]

    @classmethod
    def of(
        cls,
        *,
        fixed: Mapping[str, str],
        emoji: Mapping[str, str],
        mendable: Sequence[str],
        swappable: Sequence[str],
        known: Iterable[str],
    ) -> "Spelling":
        """Index the mendable words by first letter and by the lengths that one slip may give them, and by their swaps."""
        nearby: dict[tuple[str, int], tuple[str, ...]] = {}
        for word in mendable:
            for length in (len(word) - 1, len(word), len(word) + 1):
                nearby[word[0], length] = (*nearby.get((word[0], length), ()), word)
        swapped = _swaps((*mendable, *swappable))
        known = frozenset(known).union(mendable, swappable)
        return cls(fixed=fixed, emoji=emoji, known=known, swapped=swapped, nearby=nearby)

    def read(self, text: str) -> tuple[Sentence, ...]:
        """Return the sentences of *text*, mended."""
        if not text.isascii():
            for emoji, word in self.emoji.items():
                text = text.replace(emoji, f" {word} ")
        lines = [line.split(" ") for line in normalise(text).split("\n") if line]
        mended = {word: self.mended(word) for word in set(chain.from_iterable(lines))}
        return tuple(_sentence([mended[word] for word in line]) for line in lines)

    def mended(self, word: str) -> str:
        """Return the word that *word* stands for; itself when nothing in the table is one slip away."""
        if word in self.fixed:
            return self.fixed[word]
        if word in self.known:
            return word
        if word in self.swapped:
            return self.swapped[word]
        if len(word) < _SHORTEST_MENDED:
            return word
        near = self.nearby.get((word[0], len(word)), ())
        return next((other for other in near if is_one_slip(word, other)), word)


def _swaps(words: Iterable[str]) -> dict[str, str]:
    """Return each word by every spelling of it with two neighbours swapped; the first letter is the last to be doubted."""
    found: dict[str, str] = {}
    swaps = [(place, word) for word in words for place in range(len(word) - 1)]
    for place, word in sorted(swaps, key=lambda swap: swap[0] == 0):
        found.setdefault(word[:place] + word[place + 1] + word[place] + word[place + 2 :], word)
    return found


def _sentence(words: Sequence[str]) -> Sentence:
    text = " " + " ".join(words) if words else ""
    return Sentence(text=text, words=frozenset(text.split()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One compiled pattern; a sentence without a word of each set in `needed` cannot match it."""

    expression: re.Pattern[str]
    needed: tuple[frozenset[str], ...]

    def may_match(self, sentence: Sentence) -> bool:
        return not any(words.isdisjoint(sentence.words) for words in self.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Patterns in the order of the table, and by a word that each needs, so that most sentences need no search."""

    patterns: tuple[Pattern, ...]
    by_word: Mapping[str, tuple[int, ...]]
    words: frozenset[str]

    @classmethod
    def of(cls, patterns: Sequence[Pattern]) -> "Phrases":
        by_word: dict[str, tuple[int, ...]] = {}
        for place, pattern in enumerate(patterns):
            for word in min(pattern.needed, key=len):
                by_word[word] = (*by_word.get(word, ()), place)
        return cls(patterns=tuple(patterns), by_word=by_word, words=frozenset(by_word))

    def match(self, sentence: Sentence) -> bool:
        return any(pattern.expression.search(sentence.text) for pattern in self._possible(sentence))

    def without(self, sentence: Sentence) -> Sentence:
        """Cut every match out, leaving a mark that no pattern matches across."""
        possible = self._possible(sentence)
        text = sentence.text
        for pattern in possible:
            text = pattern.expression.sub(" ~", text)
        return _sentence(text.split()) if possible else sentence

    def _possible(self, sentence: Sentence) -> tuple[Pattern, ...]:
        places = {place for word in self.words & sentence.words for place in self.by_word[word]}
        return tuple(
            self.patterns[place] for place in sorted(places) if self.patterns[place].may_match(sentence)
        )


_ELEMENT = re.compile(
    r"(?P<never>!)?(?:(?P<list>\{\w+\})|\((?P<options>[^()]*)\)|(?P<gap>\.\.)|(?P<edge>[\^$])|(?P<word>[\w'\u2019-]+))(?P<often>[?*]?)"
)
_GAP = r"(?: [^ ~]+){0,3}?"
_WORD_END = r"(?![^ ])"
_SENTENCE_ENDS = "$"
_EDGES = {"^": r"\A", "$": r"\Z"}
_OFTEN = {"": "", "?": "?", "*": "{0,6}"}


def compiled(patterns: Sequence[str], words: Mapping[str, tuple[str, ...]]) -> Phrases:
    """Compile *patterns*, whose `{name}`s stand for the lists in *words*; raise `Misconfigured` for one that cannot be read."""
    return Phrases.of([_pattern(pattern, words) for pattern in patterns])


def _pattern(pattern: str, words: Mapping[str, tuple[str, ...]]) -> Pattern:
    if rest := _ELEMENT.sub("", pattern).strip():
        raise Misconfigured(f'the pattern "{pattern}" has "{rest}", which the notation does not know')
    expression, needed = "", []
    for element in _ELEMENT.finditer(pattern):
        options = _options(element, words)
        expression += _fragment(element, options)
        if options and _SENTENCE_ENDS not in options and not element["never"] and not element["often"]:
            # The longest word of a phrase is its rarest: "talk" of "talk to".
            needed.append(frozenset(max(option.split(" "), key=len) for option in options))
    if not needed:
        raise Misconfigured(
            f'the pattern "{pattern}" would match anything; give it a word that must be there'
        )
    return Pattern(expression=re.compile(expression + _WORD_END), needed=tuple(needed))


def _options(element: re.Match[str], words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if element["gap"] or element["edge"]:
        return ()
    written = (
        element["options"].split("|")
        if element["options"] is not None
        else [element["list"] or element["word"]]
    )
    return tuple(plain for option in written for plain in _phrases(option.strip(), words))


def _phrases(option: str, words: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if option == _SENTENCE_ENDS:
        return (option,)
    if not option.startswith("{"):
        if not (plain := plain_phrase(option)):
            raise Misconfigured(f'"{option}" has no letter or digit that a message could have; remove it')
        return (plain,)
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
    choice = f"(?:{'|'.join(_EDGES.get(option) or re.escape(' ' + option) for option in ordered)})"
    return f"(?!{choice}{_WORD_END})" if element["never"] else choice + _OFTEN[element["often"]]


def plain_phrase(text: str) -> str:
    """Return *text* as one line of normalised words."""
    return normalise(text).replace("\n", " ")
