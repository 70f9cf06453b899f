"""A sync on a terminal: a progress bar while it runs, a table when it is done."""

from collections.abc import Iterable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from kb_sync.progress import Stage
from kb_sync.report import SyncReport, remarks, rows


class ProgressBar:
    """The stage, how far it is, and the time; a context manager that shows nothing where no terminal is."""

    def __init__(self, console: Console) -> None:
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "ProgressBar":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, stage: Stage, total: int | None = None) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(stage.value, total=total)

    def advance(self, count: int) -> None:
        if self._task is not None:
            self._bar.advance(self._task, count)

    def read(self, pieces: int) -> None:
        self.advance(pieces)


def show_report(report: SyncReport, console: Console) -> None:
    """Print the counts, and below them what a person must know."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in rows(report):
        table.add_row(name, value)
    console.print(table)
    show_lines(remarks(report), console)


def show_lines(lines: Iterable[str], console: Console) -> None:
    """Print sentences as they are."""
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
