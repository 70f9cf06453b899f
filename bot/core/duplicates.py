"""Pairs of active articles that a person should look at: they say the same, or they cannot both be right. The most pressing first."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from bot.core.conditions import opposed, single_condition
from bot.core.content import ComparedPassage, NearPair, PairKey, pair_key
from bot.core.contradictions import Difference, Rarity, Text, aligned, differences, rarity_in, text_of
from bot.core.knowledge import ArticleId
from bot.core.markdown import plain_text
from bot.core.quantities import folded
from bot.core.topics import is_one_topic, stems

# Measured on two help centres: of 114 and 367 pairs of articles with near passages 4 and 21 are shown, and when a person reads them, 4 and 16
# ask for something to be done; of the rest all but one do repeat each other, word for word.
NEAR = 0.7  # raw cosine from which passages are compared at all
DUPLICATE = 0.85  # raw cosine, together with
SAME_WORDS = 0.5  # the share of both texts' words that stand in both
ONE_TOPIC = 0.4  # how alike statements must be whose amounts differ, in articles on one topic
OTHER_TOPIC = 0.75  # and in others
REWORDED = 0.5  # how alike two statements are of which one is the other in new words
MOST_DIFFERENCES = 5
MOST_WORDS = 12  # that are marked in a pair of reworded statements
WORD = re.compile(r"\w+(?:[-'\u2019.,]\w+)*")
YEAR = re.compile(r"(?:19|20)\d\d")
IDENTIFIER = re.compile(r"[\w.+-]*\d[\w.+-]*")


class PairKind(StrEnum):
    """Why two articles are shown together."""

    CONTRADICTION = "contradiction"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePair:
    """Two articles to compare, by their nearest passages, and the statements that differ, side by side.

    `coverage` is the share of the shorter article that the other one repeats. A pair is known by its articles and its kind: where two that were
    called distinct begin to contradict each other, they are shown again.
    """

    key: PairKey
    kind: PairKind
    left: ComparedPassage
    right: ComparedPassage
    cosine: float
    coverage: float
    one_topic: bool
    sentences: tuple[Difference, ...]

    @property
    def heading(self) -> str:
        """Return what the nearest passages stand under: a heading, or the article's title."""
        return subject_of(self.left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Two articles and their near passages, the nearest first; each side is read as a whole."""

    near: tuple[NearPair, ...]
    left: Text
    right: Text

    @property
    def one_topic(self) -> bool:
        """Whether the titles are on one topic."""
        return is_one_topic(self.left.title, self.right.title)


def candidates(near: Iterable[NearPair]) -> tuple[Candidate, ...]:
    """Group near passages by their articles; articles whose names or conditions set them apart complete each other."""
    together: dict[tuple[ArticleId, ArticleId], list[NearPair]] = {}
    for pair in near:
        together.setdefault(pair.articles, []).append(pair)
    pairs = (tuple(sorted(pairs, key=lambda pair: -pair.cosine)) for pairs in together.values())
    return tuple(
        Candidate(near=near, left=_whole(near[0].left), right=_whole(near[0].right))
        for near in pairs
        if not are_set_apart(near[0].left.title, near[0].right.title)
    )


def rarity_among(found: Sequence[Candidate]) -> Rarity:
    """Return how much each stem tells the statements of all candidates apart."""
    texts = {
        article: text
        for one in found
        for article, text in zip(one.near[0].articles, (one.left, one.right), strict=True)
    }
    return rarity_in(texts.values())


def pair_of(candidate: Candidate, rarity: Rarity) -> ArticlePair | None:
    """Return what a person should see of two articles; None when there is nothing."""
    differing = _contradictions(candidate, rarity)
    repeated = [pair for pair in candidate.near if _is_repeated(pair)]
    if not differing and not repeated:
        return None
    nearest = (repeated or candidate.near)[0]
    kind = PairKind.CONTRADICTION if differing else PairKind.DUPLICATE
    return ArticlePair(
        key=pair_key(*nearest.articles, kind),
        kind=kind,
        left=nearest.left,
        right=nearest.right,
        cosine=nearest.cosine,
        coverage=_coverage(repeated),
        one_topic=candidate.one_topic,
        sentences=differing or _rewordings(nearest, rarity),
    )


def ordered(pairs: Iterable[ArticlePair]) -> tuple[ArticlePair, ...]:
    """Return the pairs by how likely somebody must act: contradictions on one topic, then what is repeated, then the rest."""
    return tuple(sorted(pairs, key=lambda pair: (-_urgency(pair), -pair.cosine, pair.key)))


def are_set_apart(one: str, other: str) -> bool:
    """Whether two titles say that their articles are of different things: "… 1.3.2" and "… 1.3.5", "more than" and "less than 24 hours".

    A year sets nothing apart: of two price lists the older is seldom meant to stay.
    """
    here, there = single_condition(one), single_condition(other)
    if here and there:
        return opposed(here, there)
    mine, theirs = _identifiers(one), _identifiers(other)
    return bool(mine - theirs and theirs - mine)


def subject_of(passage: ComparedPassage) -> str:
    """Return the heading that a passage stands under, else its article's title."""
    headings = passage.passage.headings
    return headings[-1] if headings else passage.title


# --- how pressing -------------------------------------------------------------------------------


def _urgency(pair: ArticlePair) -> float:
    if pair.kind is PairKind.DUPLICATE:
        return 1 + pair.coverage
    return pair.sentences[0].alike + (2 if pair.one_topic else 0)


def _coverage(repeated: Sequence[NearPair]) -> float:
    if not repeated:
        return 0.0
    sides = ([pair.left for pair in repeated], [pair.right for pair in repeated])
    return min(1.0, max(map(_share, sides)))


def _share(side: Sequence[ComparedPassage]) -> float:
    lengths: Mapping[str, int] = {one.passage.id: len(one.passage.text) for one in side}
    return sum(lengths.values()) / max(1, len(side[0].body))


# --- what is the same, and what is not ----------------------------------------------------------


def _whole(passage: ComparedPassage) -> Text:
    return text_of(passage.title, passage.body)


def _part(passage: ComparedPassage) -> Text:
    return text_of(passage.title, passage.body, passage.passage.text, subject_of(passage))


def _contradictions(candidate: Candidate, rarity: Rarity) -> tuple[Difference, ...]:
    if candidate.one_topic:
        found = differences(candidate.left, candidate.right, rarity, least=ONE_TOPIC)
    else:
        found = tuple(_in_passages(candidate.near, rarity))
    distinct = {(one.left, one.right): one for one in sorted(found, key=lambda one: -one.alike)}
    return tuple(islice(distinct.values(), MOST_DIFFERENCES))


def _in_passages(near: Iterable[NearPair], rarity: Rarity) -> Iterator[Difference]:
    for pair in near:
        yield from differences(_part(pair.left), _part(pair.right), rarity, least=_least(pair))


def _least(pair: NearPair) -> float:
    return ONE_TOPIC if is_one_topic(subject_of(pair.left), subject_of(pair.right)) else OTHER_TOPIC


def _rewordings(pair: NearPair, rarity: Rarity) -> tuple[Difference, ...]:
    """Return the statements of two passages that one says in other words, in the order of the left one."""
    pairs = aligned(_part(pair.left).statements, _part(pair.right).statements, rarity)
    reworded = (
        Difference(left=one.text, right=other.text, differs=_new_words(one.text, other.text), alike=alike)
        for one, other, alike in pairs
        if alike >= REWORDED and one.text != other.text
    )
    return tuple(islice(reworded, MOST_DIFFERENCES))


def _new_words(one: str, other: str) -> tuple[str, ...]:
    here, there = (
        {word.casefold().replace("\u2019", "'"): word for word in WORD.findall(text)} for text in (one, other)
    )
    apart = [here[word] for word in here if word not in there]
    apart += [there[word] for word in there if word not in here]
    return tuple(apart[:MOST_WORDS])


def _is_repeated(pair: NearPair) -> bool:
    if pair.cosine < DUPLICATE:
        return False
    left, right = (stems(plain_text(one.passage.text)) for one in (pair.left, pair.right))
    return len(left & right) >= SAME_WORDS * len(left | right)


def _identifiers(title: str) -> frozenset[str]:
    found = (match.strip(".-") for match in IDENTIFIER.findall(folded(title)))
    return frozenset(one for one in found if not YEAR.fullmatch(one))
