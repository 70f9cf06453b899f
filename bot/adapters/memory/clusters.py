"""The clusters of a grouping in plain Python: the twin of the matrix, for tests and for a few questions."""

from collections.abc import Sequence

from bot.core.gap_grouping import Vectors


class PlainClusters:
    """Looks at every pair of points each time."""

    def __init__(self, vectors: Vectors) -> None:
        self._members: dict[int, list[Sequence[float]]] = {
            place: [vector] for place, vector in enumerate(vectors)
        }

    def nearest(self, cluster: int) -> tuple[int, float] | None:
        others = [(-self._mean(cluster, other), other) for other in self._members if other != cluster]
        if not others:
            return None
        negative, other = min(others)
        return other, -negative

    def join(self, kept: int, gone: int) -> None:
        self._members[kept] += self._members.pop(gone)

    def drop(self, cluster: int) -> None:
        del self._members[cluster]

    def _mean(self, one: int, other: int) -> float:
        # In one order, so that both see the same number.
        first, second = sorted((one, other))
        pairs = [(x, y) for x in self._members[first] for y in self._members[second]]
        return sum(_cosine(x, y) for x, y in pairs) / len(pairs)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))
