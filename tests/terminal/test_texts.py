"""Tables that several commands print: which section was found, in the width of a terminal."""

import io

from rich.console import Console

from bot.core.knowledge import ArticleId
from bot.terminal.texts import passages_table
from tests.builders import a_found_passage, a_passage, a_ranked_passage


def found(article: str, *headings: str):
    passage = a_passage("Open My Lessons.", article_id=ArticleId(article), headings=headings)
    return a_ranked_passage(0.8, found=a_found_passage(0.8, passage=passage, title=f"About {article}"))


def printed(*passages) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=80).print(passages_table(passages, 0.5, title="Searched"))
    return [line.strip() for line in file.getvalue().splitlines()]


def test_a_title_stands_once_and_each_row_names_its_section():
    lines = printed(
        found("KB1", "Plans", "Steps"), found("KB1"), found("KB2"), found("KB1", "[bold]Rules\x1b[2J")
    )

    table = "\n".join(lines)
    assert [table.count(part) for part in ("About KB1", "About KB2", "§ Steps", "Plans")] == [1, 1, 1, 0]
    assert "§ (under no heading)" in lines[4]
    assert "§ [bold]Rules\\x1b[2J" in lines[6]


def test_a_row_fits_80_columns():
    lines = printed(found("KB" + "0" * 6, "A heading that is rather long, as headings of articles often are"))

    assert max(map(len, lines)) <= 80
    assert "0.800" in lines[2]
    assert "━" * 8 in lines[2]
