"""`python -m tests.bench [NAME ...]`: runs the benchmarks of these names, or every one, and prints a table for each."""

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.logs import configure_logs
from tests.bench.desk import handoffs_table
from tests.bench.first_block import first_block_table
from tests.bench.resync import resync_table
from tests.bench.search import search_table
from tests.bench.slack import slack_table
from tests.bench.stores import stores_table
from tests.bench.sync import sync_table
from tests.bench.turns import own_work_table, turns_table

BENCHMARKS: dict[str, Callable[[Path], Awaitable[Table]]] = {
    "search": search_table,
    "turns": turns_table,
    "own-work": own_work_table,
    "first-block": first_block_table,
    "handoffs": handoffs_table,
    "slack": slack_table,
    "stores": stores_table,
    "sync": sync_table,
    "resync": resync_table,
}


async def main(names: Iterable[str]) -> None:
    configure_logs("error")  # a line for every turn would bury the tables
    console = Console()
    for name in names:
        with tempfile.TemporaryDirectory() as directory, console.status("Measuring"):
            table = await BENCHMARKS[name](Path(directory))
        console.print(table)


def asked_for() -> list[str]:
    """Return the names on the command line, all when there is none."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="Measure; nothing is asserted."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    names: list[str] = parser.parse_args().names
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"no benchmark is called {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    return names or list(BENCHMARKS)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
