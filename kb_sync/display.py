"""A sync on a terminal: a progress bar while it runs, a table when it is done."""

from collections.abc import Iterable
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from kb_sync.progress import Stage
from kb_sync.report import SyncReport, remarks, rows


class _Count(ProgressColumn):
    """How much is done, and of how much if anybody knows."""

    def render(self, task: Task) -> Text:
        of = "" if task.total is None else f" of {task.total:,.0f}"
        return Text(f"{task.completed:,.0f}{of}" if task.completed or of else "")


class ProgressBar:
    """The stage, how far it is, and how long it will take; a context manager that shows nothing where no terminal is."""

    def __init__(self, console: Console) -> None:
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            _Count(),
            TimeRemainingColumn(),
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
