"""How a text beyond the model's limit is divided."""

from collections.abc import Sequence
from itertools import pairwise


def split_evenly(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    """Split *ids* into the fewest windows of at most *size*, about equally long, so that none is a lone tail."""
    count = max(1, -(-len(ids) // size))
    edges = [len(ids) * part // count for part in range(count + 1)]
    return [ids[start:stop] for start, stop in pairwise(edges)]
