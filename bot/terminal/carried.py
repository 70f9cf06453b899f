"""What a move from a data file into MongoDB came to, for people and for programs."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.console import Console

from bot.terminal.texts import titled

Counts = Mapping[str, tuple[int, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What was compared on both sides, kind by kind: how many, and what they hash to.

    `moved` is how many conversations were written now, `gone_on` how many were left alone because something has happened in them since.
    """

    here: Counts
    there: Counts
    moved: int
    gone_on: int
    erased: int
    articles: Mapping[str, int]

    @property
    def differing(self) -> tuple[str, ...]:
        """Name the kinds that are not the same on both sides."""
        return tuple(
            sorted(kind for kind in {*self.here, *self.there} if self.here.get(kind) != self.there.get(kind))
        )


def to_json(carried: Carried) -> Mapping[str, object]:
    """Return what `migrate --from --json` prints."""
    return {
        "moved": carried.moved,
        "gone_on": carried.gone_on,
        "erased": carried.erased,
        "compared": {kind: count for kind, (count, _) in sorted(carried.here.items())},
        "differing": list(carried.differing),
        "articles": dict(carried.articles),
    }


def show(carried: Carried, console: Console) -> None:
    """Print what was moved and compared, for a person."""
    table = titled("Compared with the file")
    for heading in ("kind", "in the file", "in MongoDB", "the same"):
        table.add_column(heading)
    for kind in sorted({*carried.here, *carried.there}):
        here, there = carried.here.get(kind, (0, "")), carried.there.get(kind, (0, ""))
        table.add_row(kind, f"{here[0]:,}", f"{there[0]:,}", "yes" if here == there else "NO")
    console.print(table)
    console.print(
        f"{carried.moved:,} conversations were moved now; {carried.gone_on:,} have gone on since they were moved, and "
        f"{carried.erased:,} were erased there: both were left alone."
    )
    moved = ", ".join(f"{count:,} {kind}" for kind, count in carried.articles.items())
    console.print(f"Of the knowledge base: {moved}." if moved else "The knowledge base stays in the file.")
