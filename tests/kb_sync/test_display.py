"""A person at a terminal sees what a sync is doing; a file or a pipe gets the result alone."""

from io import StringIO

from rich.console import Console

from bot.core.knowledge import ArticleId
from kb_sync.display import ProgressBar, show_report
from kb_sync.progress import Stage
from kb_sync.report import Skipped, SyncReport


def drawn(*, at_terminal: bool) -> str:
    screen = StringIO()
    console = Console(file=screen, force_terminal=at_terminal, color_system=None, width=80)
    with ProgressBar(console) as bar:
        bar.begin(Stage.READING)
        bar.read(1_200)
        bar._bar.refresh()
        bar.begin(Stage.EMBEDDING, 4_000)
        bar.advance(1_000)
        bar._bar.refresh()
    return screen.getvalue()


def test_each_stage_is_shown_with_how_far_it_is():
    screen = drawn(at_terminal=True)

    assert "reading the source" in screen
    assert " 1,200" in screen
    assert "embedding passages" in screen
    assert "1,000 of 4,000" in screen


def test_nothing_is_drawn_where_no_terminal_is():
    assert drawn(at_terminal=False) == ""


def test_the_report_is_plain_text_whatever_the_article_is_called():
    page = StringIO()
    skipped = Skipped(id=ArticleId("KB1"), origin="[red]a.md[/red]", reason="it has no text to search for")

    show_report(SyncReport(source="x", fingerprint="y", seen=1, skipped=(skipped,)), Console(file=page))

    lines = page.getvalue().splitlines()
    assert lines[0].split() == ["articles", "seen", "1"]
    assert "skipped [red]a.md[/red] (KB1): it has no text to search for" in lines
