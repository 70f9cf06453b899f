"""How long and how much: what one question may take of the operator's database."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.core.records import RecordsSchema

Wall = Callable[[str, RecordsSchema], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`statement_s` is the database's own limit; `patience_s` is ours for all of a question, which holds where the other does not."""

    connect_s: int = 3
    statement_s: float = 3.0
    patience_s: float = 6.0
    at_once: int = 4
    copied_rows: int = 20_000
