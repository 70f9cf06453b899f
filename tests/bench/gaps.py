"""`python -m tests.bench.gaps FILE …`: where `gap_grouping.LEAST_MEAN_COSINE` comes from.

The files are golden conversations whose questions people sorted by intent: the first gold article stands for it.
"""

import argparse
import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.table import Table

from bot.adapters.local_embedder import LocalEmbedder
from bot.adapters.matrix_clusters import MatrixClusters
from bot.core.chunking import CHUNKER
from bot.core.gap_grouping import average_link
from bot.core.knowledge import Vector

THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)

Groups = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """Questions of one shop with the intent that people gave each."""

    intents: tuple[str, ...]
    vectors: tuple[Vector, ...]


def read(file: Path) -> list[dict[str, str]]:
    """Return the answerable questions of a file with their intents, each once, by shop; those of two shops are never grouped."""
    shops: dict[str, dict[str, str]] = defaultdict(dict)
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["gold"]:
            shops[row.get("kb", "")].setdefault(row["turns"][-1]["text"].casefold().strip(), row["gold"][0])
    return list(shops.values())


async def embedded(shop: dict[str, str], embedder: LocalEmbedder) -> Sorted:
    """Return the questions of a shop with their vectors."""
    return Sorted(intents=tuple(shop.values()), vectors=await embedder.embed_passages(tuple(shop)))


def pairs_together(groups: Groups, intents: Sequence[str]) -> tuple[int, int]:
    """Return how many pairs are in one group, and how many of these share their intent."""
    together = [pair for group in groups for pair in combinations(group, 2)]
    return len(together), sum(intents[one] == intents[other] for one, other in together)


def shares(groups: Groups, intents: Sequence[str]) -> Iterable[float]:
    """Yield for each question the share of its group that has its intent, itself included."""
    for group in groups:
        counted = Counter(intents[point] for point in group)
        yield from (counted[intents[point]] / len(group) for point in group)


def row(shops: Sequence[Sorted], least: float) -> Sequence[str]:
    """Return precision and recall of pairs, the mean share, and the number of groups at one threshold."""
    grouped = [average_link(MatrixClusters(shop.vectors), len(shop.vectors), least=least) for shop in shops]
    of_shops = list(zip(grouped, (shop.intents for shop in shops), strict=True))
    together, same = (sum(counts) for counts in zip(*(pairs_together(*one) for one in of_shops), strict=True))
    there = sum(count * (count - 1) // 2 for shop in shops for count in Counter(shop.intents).values())
    share = fmean(share for one in of_shops for share in shares(*one))
    return (
        f"{least:.2f}",
        f"{same / max(together, 1):.3f}",
        f"{same / there:.3f}",
        f"{share:.3f}",
        f"{sum(map(len, grouped))}",
    )


async def main(files: Sequence[Path]) -> None:
    """Print a table for each file."""
    embedder = LocalEmbedder.open(chunker=CHUNKER)
    try:
        for file in files:
            shops = [await embedded(shop, embedder) for shop in read(file)]
            table = Table(title=f"{file}: {sum(len(shop.intents) for shop in shops)} questions")
            for heading in ("least", "pairs: precision", "recall", "mean share of a group", "groups"):
                table.add_column(heading, justify="right")
            for least in THRESHOLDS:
                table.add_row(*row(shops, least))
            Console().print(table)
    finally:
        embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.gaps")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    asyncio.run(main(parser.parse_args().files))
