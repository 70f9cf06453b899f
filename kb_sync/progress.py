"""What a person watches while a sync runs."""

from enum import StrEnum
from typing import Protocol

from kb_sync.sources.source import Reading


class Stage(StrEnum):
    """What a sync is doing, in the order in which it does it."""

    READING = "reading the source"
    CUTTING = "cutting passages"
    EMBEDDING = "embedding passages"
    WRITING = "writing articles"
    CHECKING = "checking the result"


class Progress(Reading, Protocol):
    """Told of each stage and of how far it is; sources report what they read themselves."""

    def begin(self, stage: Stage, total: int | None = None) -> None:
        """Say what comes now; *total* is None when nobody knows how much it is."""
        ...

    def advance(self, count: int) -> None:
        """Say that so much more of the stage is done."""
        ...


class NoProgress:
    """Watched by nobody."""

    def begin(self, stage: Stage, total: int | None = None) -> None:
        pass

    def advance(self, count: int) -> None:
        pass

    def read(self, pieces: int) -> None:
        pass
