"""How many tokens a run may still embed (FAULTS K11)."""

from collections.abc import Callable, Sequence


class TokenBudget:
    """Counts what is embedded; `limit` is None when a run may embed as much as it needs."""

    def __init__(self, limit: int | None, *, count: Callable[[str], int]) -> None:
        self._limit = limit
        self._count = count
        self.spent = 0

    def take(self, texts: Sequence[str]) -> int:
        """Return how many of *texts*, from the first on, may be embedded; their tokens count as spent."""
        for number, text in enumerate(texts):
            tokens = self._count(text)
            if self._limit is not None and self.spent + tokens > self._limit:
                return number
            self.spent += tokens
        return len(texts)
