"""The outbox of the in-memory store: rows in the order in which they were written."""

from collections.abc import Iterable
from dataclasses import replace

from bot.core.conversation import ConversationId
from bot.core.outbox import OutboxRow, Told, held_back_by


class MemoryOutbox:
    """Rows by key; delivered ones keep their place, so that a key is never told twice."""

    def __init__(self) -> None:
        self._rows: dict[str, OutboxRow] = {}
        self._delivered: set[str] = set()

    def add(self, rows: Iterable[OutboxRow]) -> None:
        """Keep *rows*; one whose key is there already is left alone."""
        for row in rows:
            self._rows.setdefault(row.key, row)

    def undelivered(self) -> tuple[OutboxRow, ...]:
        """Return undelivered rows in the order in which they were written."""
        return tuple(row for key, row in self._rows.items() if key not in self._delivered)

    def due(self, *, now_ms: int, kinds: Told) -> tuple[OutboxRow, ...]:
        """Return undelivered rows that nothing holds back, in the order in which they were written."""
        undelivered = self.undelivered()
        first = {(row.conversation, held_back_by(row)): row.key for row in reversed(undelivered)}
        return tuple(
            row
            for row in undelivered
            if row.kind in kinds
            and row.due_ms <= now_ms
            and (not (line := held_back_by(row)) or first[row.conversation, line] == row.key)
        )

    def mark_delivered(self, key: str) -> None:
        """Mark a row as delivered."""
        self._delivered.update({key} & self._rows.keys())

    def forget(self, conversation: ConversationId) -> None:
        """Drop a conversation's rows."""
        self._rows = {key: row for key, row in self._rows.items() if row.conversation != conversation}

    def postpone(self, key: str, *, until_ms: int) -> None:
        """Count an attempt and set when the next one is due."""
        if key in self._rows and key not in self._delivered:
            row = self._rows[key]
            self._rows[key] = replace(row, attempts=row.attempts + 1, due_ms=until_ms)
