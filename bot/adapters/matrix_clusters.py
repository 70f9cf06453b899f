"""The clusters of a grouping as one matrix of cosines, which holds 4 bytes for each pair of questions."""

import numpy as np
from numpy.typing import NDArray

from bot.core.gap_grouping import Vectors


class MatrixClusters:
    """Row and column of a cluster hold its mean cosines to the others; of one that is gone, nothing is near."""

    def __init__(self, vectors: Vectors) -> None:
        rows = np.asarray(vectors, dtype=np.float32)
        self._cosines: NDArray[np.float32] = rows @ rows.T
        np.fill_diagonal(self._cosines, -np.inf)
        self._sizes = [1] * len(vectors)

    def nearest(self, cluster: int) -> tuple[int, float] | None:
        row = self._cosines[cluster]
        other = int(row.argmax())
        return None if np.isneginf(row[other]) else (other, float(row[other]))

    def join(self, kept: int, gone: int) -> None:
        size, more = self._sizes[kept], self._sizes[gone]
        mean = (self._cosines[kept] * size + self._cosines[gone] * more) / np.float32(size + more)
        self._sizes[kept] = size + more
        self.drop(gone)
        mean[[kept, gone]] = -np.inf
        self._cosines[kept] = mean
        self._cosines[:, kept] = mean

    def drop(self, cluster: int) -> None:
        self._cosines[cluster] = -np.inf
        self._cosines[:, cluster] = -np.inf
