"""The list of erased conversations in the data directory: ids alone. A backup that is restored lacks the newest erasures, and this does not."""

import os
from collections.abc import Iterable
from pathlib import Path

from bot.core.conversation import ConversationId
from bot.errors import StoreUnavailable

NAME = "erased.txt"


class ErasureList:
    """One id a line, only ever added to."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, conversations: Iterable[ConversationId]) -> None:
        """Add ids, so that they are on the disk when this returns; StoreUnavailable."""
        lines = "".join(f"{conversation}\n" for conversation in conversations)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)  # where nothing else is kept in a file
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as exc:
            raise StoreUnavailable(
                f"{self._path}: an erasure cannot be noted there ({exc.strerror})."
            ) from exc

    def all(self) -> tuple[ConversationId, ...]:
        """Return every id once, in order; a line that was cut short is no conversation's. StoreUnavailable."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as exc:
            raise StoreUnavailable(f"{self._path}: it cannot be read ({exc}).") from exc
        return tuple(ConversationId(line) for line in dict.fromkeys(lines) if line)

    def merge(self, other: "ErasureList") -> None:
        """Add what another list has and this one has not; StoreUnavailable."""
        known = set(self.all())
        if missing := [one for one in other.all() if one not in known]:
            self.add(missing)
