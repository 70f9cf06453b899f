"""What the desk's numbers are counted from: turns, handoffs, claims and the customers' messages of a span of time.

Each function runs in its caller's transaction. Messages are read by conversation, so that they need no index by time.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.core.activity import AFTERWARDS_MS, Activity, HandoffTimes, SettledTurn
from bot.core.conversation import DID_NOT_HELP, HELPED, ConversationId, Kind
from bot.core.turn import Turn
from bot.stored_turns import to_turn

T = TypeVar("T")

_TURNS = """
SELECT conversation, settled_ms, outcome, reason FROM turns
WHERE settled_ms >= :since_ms AND settled_ms < :until_ms ORDER BY settled_ms, number
"""
_HANDOFFS = """
SELECT conversation, reason, opened_ms, claimed_ms, replied_ms FROM handoffs
WHERE opened_ms >= :since_ms AND opened_ms < :until_ms ORDER BY opened_ms, number
"""
_CLAIMS = """
SELECT conversation, at_ms FROM audit
WHERE after = 'claimed' AND before <> 'claimed' AND at_ms >= :since_ms AND at_ms < :until_ms ORDER BY at_ms, number
"""
_WROTE = """
SELECT conversation, at_ms, text FROM messages
WHERE conversation IN (SELECT value FROM json_each(:conversations)) AND role = 'customer' AND kind = :kind
AND (kind <> 'feedback' OR text IN (:helped, :did_not_help))
AND at_ms >= :since_ms AND at_ms < :until_ms ORDER BY at_ms, seq
"""
_HANDED_OVER = """
SELECT outcome, record FROM turns
WHERE settled_ms >= :since_ms AND settled_ms < :until_ms AND outcome = 'handoff' ORDER BY settled_ms, id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """A connection and the span of time that is read over it."""

    connection: sqlite3.Connection
    since_ms: int
    until_ms: int

    def rows(self, statement: str, *, afterwards_ms: int = 0, **parameters: str) -> list[sqlite3.Row]:
        """Return what *statement* finds in the span."""
        span = {"since_ms": self.since_ms, "until_ms": self.until_ms + afterwards_ms}
        return self.connection.execute(statement, {**span, **parameters}).fetchall()

    def written(self, kind: Kind, conversations: Sequence[str]) -> list[sqlite3.Row]:
        """Return the customers' messages of a kind, those of the day after too."""
        among = json.dumps(conversations)
        verdicts = {"helped": HELPED, "did_not_help": DID_NOT_HELP}
        return self.rows(_WROTE, afterwards_ms=AFTERWARDS_MS, kind=kind, conversations=among, **verdicts)


def activity(connection: sqlite3.Connection, since_ms: int, until_ms: int) -> tuple[Activity, ...]:
    """Return what happened in the span, by conversation."""
    reading = _Reading(connection=connection, since_ms=since_ms, until_ms=until_ms)
    turns = _grouped(reading.rows(_TURNS), _to_settled)
    handoffs = _grouped(reading.rows(_HANDOFFS), _to_times)
    claimed = _grouped(reading.rows(_CLAIMS), _to_ms)
    active = sorted(turns.keys() | handoffs.keys() | claimed.keys())
    wrote = _grouped(reading.written(Kind.TEXT, active), _to_ms)
    helped = _grouped(reading.written(Kind.FEEDBACK, active), _to_verdict)
    return tuple(
        Activity(
            conversation=ConversationId(conversation),
            turns=turns[conversation],
            handoffs=handoffs[conversation],
            wrote_ms=wrote[conversation],
            helped=helped[conversation],
            claimed_ms=claimed[conversation],
        )
        for conversation in active
    )


def handoff_turns(connection: sqlite3.Connection, since_ms: int, until_ms: int) -> tuple[Turn, ...]:
    """Return the turns of the span that handed over, oldest first."""
    reading = _Reading(connection=connection, since_ms=since_ms, until_ms=until_ms)
    return tuple(to_turn(row["outcome"], row["record"]) for row in reading.rows(_HANDED_OVER))


def _grouped(rows: Sequence[sqlite3.Row], to_value: Callable[[sqlite3.Row], T]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = defaultdict(tuple)
    for row in rows:
        found[row["conversation"]] += (to_value(row),)
    return found


def _to_settled(row: sqlite3.Row) -> SettledTurn:
    return SettledTurn(settled_ms=row["settled_ms"], outcome=row["outcome"], reason=row["reason"])


def _to_times(row: sqlite3.Row) -> HandoffTimes:
    return HandoffTimes(
        reason=row["reason"],
        opened_ms=row["opened_ms"],
        claimed_ms=row["claimed_ms"],
        replied_ms=row["replied_ms"],
    )


def _to_ms(row: sqlite3.Row) -> int:
    return int(row["at_ms"])


def _to_verdict(row: sqlite3.Row) -> tuple[int, bool]:
    return row["at_ms"], row["text"] == HELPED
