"""A clock that stands still until it is moved."""


class ManualClock:
    """Time that only `advance` and `sleep` move; ids count up, so that runs repeat exactly. `slept` holds what was slept."""

    def __init__(self, now_ms: int = 1_750_000_000_000) -> None:
        self._start_ms = now_ms
        self._now_ms = now_ms
        self._ids = 0
        self.slept: list[float] = []

    def advance(self, ms: int) -> None:
        """Move the time forward."""
        self._now_ms += ms

    async def sleep(self, seconds: float) -> None:
        """Move the time forward at once."""
        self.slept.append(seconds)
        self.advance(int(seconds * 1000))

    def now_ms(self) -> int:
        return self._now_ms

    def monotonic_s(self) -> float:
        return (self._now_ms - self._start_ms) / 1000

    def new_id(self) -> str:
        self._ids += 1
        return f"{self._ids:032x}"
