"""`python -m tests.bench`: runs every benchmark and prints a table for each."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.logs import configure_logs
from tests.bench.search import search_table
from tests.bench.turns import own_work_table, turns_table

BENCHMARKS: tuple[Callable[[Path], Awaitable[Table]], ...] = (search_table, turns_table, own_work_table)


async def main() -> None:
    configure_logs("error")  # a line for every turn would bury the tables
    console = Console()
    for benchmark in BENCHMARKS:
        with tempfile.TemporaryDirectory() as directory, console.status("Measuring"):
            table = await benchmark(Path(directory))
        console.print(table)


if __name__ == "__main__":
    asyncio.run(main())
