"""A sync on a terminal: a progress bar while it runs, a table when it is done."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from kb_sync.report import SyncReport, remarks, rows


class ProgressBar:
    """Articles written, passages embedded and time; a context manager, shown from `begin` on."""

    def __init__(self, console: Console) -> None:
        self._bar = Bar(
            TextColumn("articles"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[embedded]} passages embedded"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._embedded = 0

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, articles: int) -> None:
        self._task = self._bar.add_task("", total=articles, embedded=0)

    def embedded(self, passages: int) -> None:
        self._embedded += passages
        if self._task is not None:
            self._bar.update(self._task, embedded=self._embedded)

    def wrote_article(self) -> None:
        if self._task is not None:
            self._bar.advance(self._task)


def show_report(report: SyncReport, console: Console) -> None:
    """Print the counts, and below them what a person must know."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in rows(report):
        table.add_row(name, value)
    console.print(table)
    for remark in remarks(report):
        console.print(remark, markup=False, highlight=False, soft_wrap=True)
