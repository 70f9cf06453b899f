"""What of a text stands in its sources word for word, and which of their sentences a citation quotes."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from bot.core.knowledge import FoundPassage
from bot.core.limits import clauses_of
from bot.core.markdown import plain_text, sentences_of
from bot.core.prompt import Citation
from bot.core.quantities import REMEMBERED

NOT_WITHIN = frozenset(".,:/@%$\u20ac\u00a3-")
GOES_ON = frozenset(".,:/@-")


@lru_cache(maxsize=REMEMBERED)
def comparable(text: str) -> str:
    """Return *text* in one form for each way of composing letters and spacing words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_verbatim(quote: str, text: str) -> bool:
    """Whether *quote* stands in *text*, and is no empty one."""
    plain = comparable(quote)
    return bool(plain) and plain in comparable(text)


def own_lines(text: str, sources: Iterable[FoundPassage]) -> list[str]:
    """Return the lines that stand in no source."""
    texts = [comparable(found.passage.text) for found in sources]
    return [line for line in text.splitlines() if line.strip() and not _stands_whole(line, texts)]


def own_sentences(text: str, sources: Iterable[FoundPassage]) -> tuple[str, ...]:
    """Return the sentences, without Markdown's signs, that are no whole sentence or heading of a source.

    A part of a sentence is not enough: "you can cancel" stands in "it is not true that you can cancel".
    """
    whole = frozenset[str]().union(*(_whole_sentences(found) for found in sources))
    return tuple(plain for plain in _plain_sentences(text) if plain.casefold() not in whole)


def cited_clauses(citations: Iterable[Citation], found: Sequence[FoundPassage]) -> tuple[str, ...]:
    """Return each clause of the sentences that are quoted, even if only a part of one is."""
    texts = {passage.passage.id: passage.passage.text for passage in found}
    cited = (
        sentence
        for citation in citations
        if citation.passage in texts
        for sentence in _quoted_sentences(citation.quote, texts[citation.passage])
    )
    return tuple(dict.fromkeys(clause for sentence in cited for clause in clauses_of(plain_text(sentence))))


@lru_cache(maxsize=REMEMBERED)
def _quoted_sentences(quote: str, text: str) -> tuple[str, ...]:
    plain, whole = comparable(quote), comparable(text)
    quoted = [(at, at + len(plain)) for at in _occurrences(plain, whole)]
    sentences = []
    end = 0
    for sentence in sentences_of(text):
        start = whole.index(comparable(sentence), end)
        end = start + len(comparable(sentence))
        if any(first < end and start < last for first, last in quoted):
            sentences.append(sentence)
    return tuple(sentences)


def _whole_sentences(found: FoundPassage) -> frozenset[str]:
    texts = (found.passage.text, found.title, *found.passage.headings)
    return frozenset(sentence.casefold() for text in texts for sentence in _plain_sentences(text))


@lru_cache(maxsize=REMEMBERED)
def _plain_sentences(text: str) -> tuple[str, ...]:
    # Signs go after the sentences are told apart, else a heading would run on into what is below it.
    plain = (comparable(plain_text(sentence)) for sentence in sentences_of(text))
    return tuple(sentence for sentence in plain if any(map(str.isalpha, sentence)))


def _stands_whole(line: str, texts: Sequence[str]) -> bool:
    """Whether *line* occurs in one of the comparable *texts*, and not as "5 days" does in "15 days"."""
    plain = comparable(line)
    return any(
        not _begins_within(text, at) and not _goes_on(text, at + len(plain))
        for text in texts
        for at in _occurrences(plain, text)
    )


def _begins_within(text: str, at: int) -> bool:
    return at > 0 and (_is_word(text[at - 1]) or text[at - 1] in NOT_WITHIN)


def _goes_on(text: str, end: int) -> bool:
    after = text[end : end + 2]
    return (
        after[:1] == "%" or _is_word(after[:1]) or (after[:1] in GOES_ON and _is_word(after[1:]))
        if after
        else False
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _occurrences(plain: str, text: str) -> Iterator[int]:
    at = text.find(plain)
    while at >= 0 and plain:
        yield at
        at = text.find(plain, at + 1)
