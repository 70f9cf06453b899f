"""The records of runs: in a collection of their own, but for those of a flip, which stand in the state until they are copied."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.knowledge_state import StateDocument
from bot.sync_ports import RunRecord

RUNS = "sync_runs"


def copy_out(state: StateDocument) -> None:
    """Write the runs of flips to their collection: they stood in the state, so that flip and record are one write."""
    recorded = state.read().recorded
    for run in recorded:
        write(state.database, run)
    if recorded:
        copied = {run.id for run in recorded}
        state.change(lambda s: replace(s, recorded=tuple(run for run in s.recorded if run.id not in copied)))


def write(database: BlockingDatabase, run: RunRecord) -> None:
    """Write a run's record, in place of the one with its id; what was written last counts as the newest."""
    database.put(RUNS, {**asdict(run), "_id": run.id, "number": _next(database)})


def newest(database: BlockingDatabase, *, limit: int) -> tuple[RunRecord, ...]:
    """Return the last runs, newest first."""
    found = sorted(database.find(RUNS, {}), key=lambda one: (one["started_ms"], one["number"]), reverse=True)
    return tuple(map(to_run, found[:limit]))


def to_run(kept: Mapping[str, Any]) -> RunRecord:
    """Read a run's record."""
    return RunRecord(**{name: value for name, value in kept.items() if name not in {"_id", "number"}})


def _next(database: BlockingDatabase) -> int:
    return 1 + max((int(one["number"]) for one in database.find(RUNS, {}, fields={"number": 1})), default=0)
