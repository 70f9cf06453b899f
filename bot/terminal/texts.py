"""Small pieces of text that several commands print."""

import sys
import unicodedata

from rich.table import Table
from rich.text import Text

from bot.core.knowledge import ArticleId, FoundPassage, RankedPassage

_JOINERS = "\u200c\u200d"  # part of Persian words and of emoji; they move nothing


def is_at_terminal() -> bool:
    """Say whether somebody is there to be asked; a stream that was closed is None."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def isolated(text: str) -> Text:
    """Return *text* for a terminal: never read as markup, control and direction characters escaped, so that an article cannot rewrite the screen."""
    return Text("".join(_escaped(c) if _is_control(c) else c for c in text))


def _is_control(character: str) -> bool:
    if character == "\n" or character in _JOINERS:
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"}


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def titled(title: str | Text) -> Table:
    """Return an empty table as all reports have them: its title at the left, no lines."""
    return Table(title=title, title_justify="left", box=None, pad_edge=False)


def passages_table(passages: tuple[RankedPassage, ...], threshold: float | None, *, title: str) -> Table:
    """Show ranked passages with their cosines against the threshold; an article's title stands at its first one."""
    table = titled(isolated(title))
    for heading in ("rank", "article", "title, § section", "cosine", "", "score"):
        table.add_column(heading, justify="right" if heading in {"rank", "cosine", "score"} else "left")
    seen: set[ArticleId] = set()
    for rank, passage in enumerate(passages, start=1):
        found = passage.found
        passes = threshold is not None and found.cosine >= threshold
        table.add_row(
            str(rank),
            isolated(found.article_id),
            isolated(_place(found, is_first=found.article_id not in seen)),
            f"{found.cosine:.3f}",
            f"[green]{_bar(found.cosine)}[/green]" if passes else f"[red]{_bar(found.cosine)}[/red]",
            f"{passage.score:.3f}",
        )
        seen.add(found.article_id)
    return table


def _place(found: FoundPassage, *, is_first: bool) -> str:
    """Name the section that was found, below its article's title where that was not said yet."""
    headings = found.passage.headings
    if is_first:
        return "\n".join((found.title, *(f"§ {heading}" for heading in headings[-1:])))
    return f"§ {headings[-1] if headings else '(under no heading)'}"


def _bar(cosine: float, *, width: int = 10) -> str:
    return "━" * max(0, round(cosine * width))
