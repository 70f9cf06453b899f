"""Small pieces of text that several commands print."""

import unicodedata

from rich.table import Table

from bot.core.knowledge import RankedPassage


def isolated(text: str) -> str:
    """Return *text* for a terminal: control and direction characters escaped, so that an article cannot rewrite the screen."""
    return "".join(
        c if c == "\n" or unicodedata.category(c) not in {"Cc", "Cf"} else repr(c)[1:-1] for c in text
    )


def passages_table(passages: tuple[RankedPassage, ...], threshold: float | None, *, title: str) -> Table:
    """Show ranked passages with their cosines against the threshold."""
    table = Table(title=isolated(title), title_justify="left")
    for heading in ("rank", "article", "title", "cosine", "", "score"):
        table.add_column(heading, justify="right" if heading in {"rank", "cosine", "score"} else "left")
    for rank, passage in enumerate(passages, start=1):
        found = passage.found
        passes = threshold is not None and found.cosine >= threshold
        table.add_row(
            str(rank),
            found.article_id,
            isolated(found.title),
            f"{found.cosine:.3f}",
            f"[green]{_bar(found.cosine)}[/green]" if passes else f"[red]{_bar(found.cosine)}[/red]",
            f"{passage.score:.3f}",
        )
    return table


def _bar(cosine: float, *, width: int = 20) -> str:
    return "━" * max(0, round(cosine * width))
