"""Words as the lexical search compares them, and how well a text matches them: BM25.

Vectors blur names, part numbers and error texts; words do not. A score means something within one search only.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.core.quantities import REMEMBERED, folded

STEM = 5  # letters: "reschedule" and "rescheduling" share them, "reschedule" and "research" do not
K1, B = 1.2, 0.75  # the constants of SQLite's FTS5 (sqlite.org/fts5.html, section 5.1.1)
LEAST_RARITY = 1e-6  # FTS5's too: a word that stands in most texts counts next to nothing, never against

_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[^\W_]+(?:-[^\W_]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words to look for, as `terms` gives them, and how much a match of theirs counts."""

    terms: frozenset[str]
    weight: float = 1.0


@lru_cache(maxsize=REMEMBERED)
def terms(text: str, without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the beginnings of a text's words but those *without*, in order and with repetitions; "Wi-Fi" is also "wifi"."""
    plain = folded(text).replace("'", "")
    joined = (match.replace("-", "") for match in _JOINED.findall(plain))
    return tuple(word[:STEM] for word in (*_WORD.findall(plain), *joined) if word not in without)


def bm25(wanted: Iterable[str], texts: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """Return how well each of *texts* matches the terms *wanted*, as SQLite's FTS5 counts it; 0 without a match."""
    counted = [Counter(text) for text in texts]
    mean_length = sum(map(len, texts)) / len(texts) if texts else 0.0
    rarities = {term: _rarity(sum(term in text for text in counted), len(texts)) for term in set(wanted)}
    return tuple(
        _score(text, len(words), mean_length, rarities) for text, words in zip(counted, texts, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Texts counted once, to be asked often: where each term stands and how often, and how long each text is."""

    places: Mapping[str, Mapping[str, int]]
    lengths: Mapping[str, int]
    mean_length: float


def counted(texts: Mapping[str, Sequence[str]]) -> Counted:
    """Count the terms of texts by their ids."""
    places: dict[str, dict[str, int]] = {}
    for id_, words in texts.items():
        for term, count in Counter(words).items():
            places.setdefault(term, {})[id_] = count
    lengths = {id_: len(words) for id_, words in texts.items()}
    return Counted(
        places=places, lengths=lengths, mean_length=sum(lengths.values()) / len(lengths) if lengths else 0.0
    )


def bm25_counted(wanted: Iterable[str], texts: Counted) -> Mapping[str, float]:
    """Return what `bm25` says of each text that holds a term wanted, without reading the others."""
    scores: dict[str, float] = {}
    for term in sorted(set(wanted)):
        held = texts.places.get(term, {})
        rarity = _rarity(len(held), len(texts.lengths))
        for id_, count in held.items():
            norm = _norm(texts.lengths[id_], texts.mean_length)
            scores[id_] = scores.get(id_, 0.0) + rarity * count * (K1 + 1) / (count + norm)
    return scores


def rarity_of(terms_of: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return how much each term tells the sets apart: the less, the more of them hold it."""
    held = Counter(term for one in terms_of for term in one)
    return {term: math.log(1 + (len(terms_of) - count + 0.5) / (count + 0.5)) for term, count in held.items()}


def _rarity(count: int, texts: int) -> float:
    return max(LEAST_RARITY, math.log((texts - count + 0.5) / (count + 0.5)))


def _score(text: Counter[str], length: int, mean_length: float, rarities: Mapping[str, float]) -> float:
    norm = _norm(length, mean_length)
    return sum(
        rarity * text[term] * (K1 + 1) / (text[term] + norm)
        for term, rarity in rarities.items()
        if text[term]
    )


def _norm(length: int, mean_length: float) -> float:
    return K1 * (1 - B + B * length / mean_length) if mean_length else K1
