"""Generations in the file: begun, listed, made live by one flip, and taken back by another.

One that is dropped is `old` at once, for everybody; its rows go later, a few at a time (see `knowledge_garbage`).
"""

import sqlite3

from bot.adapters.sqlite.knowledge_lock import require_lock
from bot.adapters.sqlite.knowledge_rows import from_check, from_run, to_generation, to_run
from bot.core.indexing import generation_id
from bot.errors import GenerationRefused, StoreUnavailable
from bot.sync_ports import Generation, GenerationCheck, RunRecord

_LISTED = """
SELECT g.id, g.fingerprint, g.state, g.created_ms, g.published_ms, g.checked,
    (SELECT count(*) FROM members m WHERE m.generation = g.id AND m.retired = 0) AS articles,
    (SELECT count(*) FROM members m JOIN passages p ON p.version = m.version
        WHERE m.generation = g.id AND m.retired = 0) AS passages
FROM generations g WHERE g.state <> 'old' ORDER BY g.created_ms DESC
"""
# Later than each before, so that an id is never used again.
_NEXT = "UPDATE kb_state SET newest_ms = max(newest_ms + 1, ?) RETURNING newest_ms"
_DROP_BUILDS = "UPDATE generations SET state = 'old' WHERE state = 'building'"


def generations_of(connection: sqlite3.Connection) -> tuple[Generation, ...]:
    """Return the live generation, the one before it and those being built, newest first."""
    return tuple(to_generation(row) for row in connection.execute(_LISTED))


def runs_of(connection: sqlite3.Connection, *, limit: int) -> tuple[RunRecord, ...]:
    """Return the records of the last runs, newest first."""
    rows = connection.execute(
        "SELECT document FROM sync_runs ORDER BY started_ms DESC, rowid DESC LIMIT ?", (limit,)
    )
    return tuple(to_run(row["document"]) for row in rows)


def open_build(connection: sqlite3.Connection, token: int, fingerprint: str, *, at_ms: int) -> str:
    require_lock(connection, token)
    found = connection.execute(
        "SELECT id FROM generations WHERE state = 'building' AND fingerprint = ?", (fingerprint,)
    ).fetchone()
    if found is not None:
        return str(found["id"])
    connection.execute(_DROP_BUILDS)
    (created_ms,) = connection.execute(_NEXT, (at_ms,)).fetchone()
    build = generation_id(fingerprint, at_ms=created_ms)
    connection.execute(
        "INSERT INTO generations (id, fingerprint, state, created_ms) VALUES (?, ?, 'building', ?)",
        (build, fingerprint, created_ms),
    )
    return build


def require_build(connection: sqlite3.Connection, token: int, build: str) -> str:
    """Return the fingerprint of a build that may be written to; SyncFenced, or StoreUnavailable when it is none."""
    require_lock(connection, token)
    row = connection.execute(
        "SELECT fingerprint FROM generations WHERE id = ? AND state = 'building'", (build,)
    ).fetchone()
    if row is None:
        raise StoreUnavailable(f"generation {build} is not being built, or no longer; sync again")
    return str(row["fingerprint"])


def discard_build(connection: sqlite3.Connection, token: int, build: str) -> None:
    require_build(connection, token, build)
    connection.execute("UPDATE generations SET state = 'old' WHERE id = ?", (build,))


def publish(
    connection: sqlite3.Connection, token: int, build: str, run: RunRecord, check: GenerationCheck
) -> None:
    require_build(connection, token, build)
    connection.execute("UPDATE generations SET state = 'old' WHERE state = 'previous'")
    connection.execute("UPDATE generations SET state = 'previous' WHERE state = 'live'")
    connection.execute(
        "UPDATE generations SET state = 'live', published_ms = ?, checked = ? WHERE id = ?",
        (run.ended_ms, from_check(check), build),
    )
    _flipped(connection, refused="")
    record_run(connection, run)


def roll_back(connection: sqlite3.Connection, token: int, run: RunRecord, *, refused: str) -> Generation:
    require_lock(connection, token)
    before = connection.execute("SELECT id FROM generations WHERE state = 'previous'").fetchone()
    if before is None:
        raise GenerationRefused("there is no generation before the live one to go back to")
    # What was being built was planned against the generation that is taken back.
    connection.execute(_DROP_BUILDS)
    connection.execute("UPDATE generations SET state = 'previous' WHERE state = 'live'")
    connection.execute(
        "UPDATE generations SET state = 'live', published_ms = ? WHERE id = ?", (run.ended_ms, before["id"])
    )
    _flipped(connection, refused=refused)
    record_run(connection, run)
    return next(one for one in generations_of(connection) if one.id == before["id"])


def rolled_back(connection: sqlite3.Connection) -> str:
    """Return the source digest that is held back, the empty text for none."""
    return str(connection.execute("SELECT rolled_back FROM kb_state").fetchone()["rolled_back"])


def record_run(connection: sqlite3.Connection, run: RunRecord) -> None:
    """Keep a run's record, and what every turn asks of all runs, because those are kept for ever."""
    connection.execute(
        "INSERT OR REPLACE INTO sync_runs (id, started_ms, document) VALUES (?, ?, ?)", from_run(run)
    )
    if run.outcome == "done" and run.ended_ms is not None:
        connection.execute("UPDATE kb_state SET done_ms = ?", (run.ended_ms,))
    if run.interval_s is not None:
        connection.execute("UPDATE kb_state SET interval_s = ?", (run.interval_s,))


def _flipped(connection: sqlite3.Connection, *, refused: str) -> None:
    """Tell every process that searches to load again."""
    connection.execute("UPDATE kb_state SET revision = revision + 1, rolled_back = ?", (refused,))
