"""Groups questions that mean the same, by average linkage over the cosines of their vectors. Pure.

The same questions give the same groups in whatever order they come. Who keeps the cosines is the caller's choice.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.gaps import GapQuestion

LEAST_MEAN_COSINE = 0.55
"""From which mean cosine on the questions of two groups count as the same; with another embedder it is a guess.

Measured with the embedder that ships (all-MiniLM-L6-v2, 8 bit) on questions that people had sorted by intent: 1,739 of
BANKING77, whose 50 intents are all about cards and accounts, and 511 of the three shops of HINT3. Of the pairs of questions that
come into one group, 52 % (BANKING77) and 71 % (HINT3) have the same intent, and of all pairs of the same intent 42 % and 8 % come
into one group. At 0.45 it is 27 % and 61 % against 61 % and 13 %, at 0.65 71 % and 90 % against 26 % and 5 %. A question has the
intent of 65 % (BANKING77) and 88 % (HINT3) of its group. `python -m tests.bench.gaps FILE …` measures it again.
"""
LABELS = 3

_WORDS = re.compile(r"\w+")


class Clusters(Protocol):
    """Points, numbered from 0, each a cluster of its own at first; a cluster goes by the least number of its points."""

    def nearest(self, cluster: int) -> tuple[int, float] | None:
        """Return the cluster with the greatest mean cosine to this one, of equal ones the least; None when it is alone."""
        ...

    def join(self, kept: int, gone: int) -> None:
        """Make one cluster of two."""
        ...

    def drop(self, cluster: int) -> None:
        """Leave a cluster out from now on."""
        ...


Vectors = Sequence[Sequence[float]]
Clustering = Callable[[Vectors], Clusters]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What was asked in the same words, by whom and how often; `text` is how it was written most often."""

    text: str
    locale: str
    questions: tuple[GapQuestion, ...]

    @property
    def askers(self) -> frozenset[str]:
        """Return who asked."""
        return frozenset(question.asker for question in self.questions)

    @property
    def last_ms(self) -> int:
        """Return when it was asked last."""
        return max(question.at_ms for question in self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Points that mean the same, the one nearest their centre first."""

    points: tuple[Point, ...]

    @property
    def labels(self) -> tuple[Point, ...]:
        """Return the most typical ones."""
        return self.points[:LABELS]

    @property
    def questions(self) -> tuple[GapQuestion, ...]:
        """Return what was asked, newest first."""
        asked = (question for point in self.points for question in point.questions)
        return tuple(sorted(asked, key=lambda question: (-question.at_ms, question.id)))

    @property
    def askers(self) -> frozenset[str]:
        """Return who asked."""
        return frozenset().union(*(point.askers for point in self.points))


def points_of(questions: Iterable[GapQuestion]) -> tuple[Point, ...]:
    """Return the questions by what was asked, whatever the case, the signs and the spaces; in an order of its own."""
    same: dict[str, list[GapQuestion]] = defaultdict(list)
    for question in questions:
        same[_words(question.text)].append(question)
    return tuple(_point(same[words]) for words in sorted(same))


def grouped(points: Sequence[Point], vectors: Vectors, clustering: Clustering) -> tuple[Group, ...]:
    """Return the points in groups, those that most customers asked first; each point is in exactly one."""
    clusters = average_link(clustering(vectors), len(points), least=LEAST_MEAN_COSINE) if points else ()
    groups = (_group([points[place] for place in one], [vectors[place] for place in one]) for one in clusters)
    return tuple(sorted(groups, key=_by_askers))


def average_link(clusters: Clusters, count: int, *, least: float) -> tuple[tuple[int, ...], ...]:
    """Return the points in groups: two are joined while the mean cosine between their points is at least *least*.

    Follows each cluster to its nearest one until two are each other's nearest, which is the same as joining the nearest pair first,
    because no join brings a cluster nearer to a third than the nearer of the two was (Murtagh's chain of nearest neighbours).
    """
    members = {point: [point] for point in range(count)}
    done: list[tuple[int, ...]] = []
    chain: list[tuple[int, float]] = []
    while members:
        cluster, reached = chain[-1] if chain else (next(iter(members)), least)
        if not chain:
            chain.append((cluster, reached))
        found = clusters.nearest(cluster)
        if found is not None and (found[1] > reached or (len(chain) == 1 and found[1] >= least)):
            chain.append(found)
        elif len(chain) == 1:
            clusters.drop(cluster)
            done.append(tuple(sorted(members.pop(cluster))))
            chain.clear()
        else:
            _join(clusters, members, chain.pop()[0], chain.pop()[0])
    return tuple(sorted(done))


def _join(clusters: Clusters, members: dict[int, list[int]], one: int, other: int) -> None:
    kept, gone = sorted((one, other))
    clusters.join(kept, gone)
    members[kept] += members.pop(gone)


def _words(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold())) or text


def _point(questions: Sequence[GapQuestion]) -> Point:
    ordered = sorted(questions, key=lambda question: (question.at_ms, question.id))
    return Point(
        text=_commonest(question.text for question in ordered),
        locale=_commonest(question.locale for question in ordered),
        questions=tuple(ordered),
    )


def _group(points: Sequence[Point], vectors: Vectors) -> Group:
    weights = [len(point.askers) for point in points]
    centre = [
        sum(weight * number for weight, number in zip(weights, numbers, strict=True))
        for numbers in zip(*vectors, strict=True)
    ]
    nearness = [sum(x * y for x, y in zip(vector, centre, strict=True)) for vector in vectors]
    by_nearness = sorted(zip(nearness, points, strict=True), key=lambda one: (-one[0], one[1].text))
    return Group(points=tuple(point for _, point in by_nearness))


def _by_askers(group: Group) -> tuple[int, int, str]:
    return -len(group.askers), -max(point.last_ms for point in group.points), group.points[0].text


def _commonest(values: Iterable[str]) -> str:
    return min(Counter(values).items(), key=lambda counted: (-counted[1], counted[0]))[0]
