"""Takes the knowledge base out of a data file that is only read: generations with their articles, vectors, runs, calibrations, decisions."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from bot.adapters.sqlite.catalogue_reads import decisions_of
from bot.adapters.sqlite.generations import generations_of, rolled_back, runs_of
from bot.adapters.sqlite.knowledge_rows import to_article, to_calibration, to_passage
from bot.adapters.sqlite.matrix import to_vector
from bot.core.content import Decision
from bot.core.knowledge import Article, Calibration, Passage, Vector
from bot.sync_ports import Generation, GenerationState, RunRecord

_MEMBERS = """
SELECT v.*, m.retired FROM members AS m JOIN versions AS v ON v.number = m.version WHERE m.generation = ? ORDER BY v.id
"""
_PASSAGES = """
SELECT p.*, v.id AS article_id FROM passages AS p JOIN versions AS v ON v.number = p.version
WHERE p.version = ? ORDER BY p.position
"""
_ALL_RUNS = -1  # what LIMIT takes for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An article of a generation; a retired one is kept without its passages, which nobody searches."""

    article: Article
    digest: str
    written_ms: int
    retired: bool
    passages: tuple[Passage, ...]


class SqliteArticles:
    """What a file holds of articles. Everything is read within one transaction of its opener."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def generations(self) -> tuple[Generation, ...]:
        """Return the one before the live one, and the live one."""
        published = (GenerationState.PREVIOUS, GenerationState.LIVE)
        by_state = {one.state: one for one in generations_of(self._connection)}
        return tuple(by_state[state] for state in published if state in by_state)

    def members(self, generation: str) -> Iterator[Member]:
        """Yield the articles of a generation, in order."""
        for row in self._connection.execute(_MEMBERS, (generation,)).fetchall():
            found = [] if row["retired"] else self._connection.execute(_PASSAGES, (row["number"],)).fetchall()
            yield Member(
                article=to_article(row),
                digest=row["digest"],
                written_ms=row["written_ms"],
                retired=bool(row["retired"]),
                passages=tuple(map(to_passage, found)),
            )

    def vectors(self) -> Iterator[tuple[str, str, Vector]]:
        """Yield each vector with its fingerprint and the digest of its text."""
        found = self._connection.execute(
            "SELECT fingerprint, digest, vector FROM vectors ORDER BY fingerprint, digest"
        )
        for row in found:
            yield row["fingerprint"], row["digest"], to_vector(row["vector"])

    def runs(self) -> tuple[RunRecord, ...]:
        """Return the records of all runs, oldest first."""
        return runs_of(self._connection, limit=_ALL_RUNS)[::-1]

    def calibrations(self) -> tuple[Calibration, ...]:
        """Return what was measured; what another version wrote is left out, for it must be measured again."""
        found = self._connection.execute("SELECT document FROM calibrations ORDER BY fingerprint")
        read = [to_calibration(row["document"]) for row in found]
        return tuple(one for one in read if one is not None)

    def decisions(self) -> tuple[Decision, ...]:
        """Return what people decided on pairs, oldest first."""
        return tuple(sorted(decisions_of(self._connection), key=lambda one: (one.at_ms, one.key)))

    def held_back(self) -> str:
        """Return the digest of the source that was rolled back, the empty text for none."""
        return rolled_back(self._connection)
