"""Slack's inbox in a dictionary. No method waits, so one event loop makes each of them atomic."""

from collections.abc import Callable
from dataclasses import replace

from bot.core.conversation import ConversationId
from bot.core.slack_rows import InboxRow, Place, is_about


class MemorySlackInbox:
    """What came in, as long as the process lives."""

    def __init__(self) -> None:
        self._rows: dict[str, InboxRow] = {}
        self._effects: set[str | None] = set()
        self._done: set[str] = set()
        self._dead: set[str] = set()

    async def keep(self, row: InboxRow) -> bool:
        if row.key in self._rows or row.effect in self._effects:
            return False
        self._rows[row.key] = row
        self._effects |= {row.effect} - {None}
        return True

    async def inbox_due(self, *, now_ms: int, limit: int) -> tuple[InboxRow, ...]:
        waiting = self._rows.keys() - self._done - self._dead
        return self._oldest_first(lambda row: row.key in waiting and row.due_ms <= now_ms)[:limit]

    async def done(self, key: str, *, at_ms: int) -> None:
        self._finish(key)

    async def postponed(self, key: str, *, until_ms: int, error: str) -> None:
        if self._is_open(key):
            row = self._rows[key]
            self._rows[key] = replace(row, attempts=row.attempts + 1, due_ms=until_ms, error=error)

    async def died(self, key: str, *, at_ms: int, error: str) -> None:
        if self._is_open(key):
            row = self._rows[key]
            self._rows[key] = replace(row, attempts=row.attempts + 1, error=error)
            self._dead.add(key)

    async def dead_letters(self) -> tuple[InboxRow, ...]:
        return self._oldest_first(lambda row: row.key in self._dead)

    async def revive(self, key: str, *, due_ms: int) -> bool:
        if key not in self._dead:
            return False
        self._dead.discard(key)
        self._rows[key] = replace(self._rows[key], attempts=0, due_ms=due_ms)
        return True

    async def forget_done(self, *, received_before_ms: int) -> int:
        old = {key for key in self._done if self._rows[key].received_ms < received_before_ms}
        self._effects -= {self._rows[key].effect for key in old}
        self._rows = {key: row for key, row in self._rows.items() if key not in old}
        self._done -= old
        return len(old)

    def forget_payloads(self, conversation: ConversationId, places: tuple[Place, ...]) -> None:
        """Drop what came in of an erased conversation; nobody works on it any more."""
        for key, row in tuple(self._rows.items()):
            if is_about(row.payload, conversation, places):
                self._finish(key)

    def _finish(self, key: str) -> None:
        if key in self._rows:
            self._rows[key] = replace(self._rows[key], payload="", error=None)
            self._done.add(key)
            self._dead.discard(key)

    def _is_open(self, key: str) -> bool:
        return key in self._rows and key not in self._done | self._dead

    def _oldest_first(self, wanted: Callable[[InboxRow], bool]) -> tuple[InboxRow, ...]:
        return tuple(sorted(filter(wanted, self._rows.values()), key=lambda row: (row.received_ms, row.key)))
