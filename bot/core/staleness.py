"""Whether the articles are as new as they should be: the last good sync against how often one is expected (FAULTS K2). Pure.

Where nobody said how often, nothing is late: a knowledge base that is synced by hand changes when somebody changes it.
"""

from dataclasses import dataclass

LATE_AFTER = 2  # intervals
OLD_AFTER_MS = 7 * 86_400_000
UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"))
REMEDY = "see why `python -m kb_sync` does not finish, and run it"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncHealth:
    """The age of the last good sync. `late` is for operators; `old` is so late that customers are told as well.

    None: there was no good sync, or nobody said how often one is due.
    """

    last_good_ms: int | None = None
    every_ms: int | None = None
    age_ms: int | None = None
    late: bool = False
    old: bool = False

    @property
    def problem(self) -> str:
        """Say in one sentence what is late and what to do; empty when nothing is."""
        if not self.late or self.age_ms is None or self.every_ms is None:
            return ""
        age, every = spoken(self.age_ms // 1000), spoken(self.every_ms // 1000)
        return f"the last good sync was {age} ago, and one is due every {every}; {REMEDY}"


def sync_health(*, last_good_ms: int | None, every_s: int | None, now_ms: int) -> SyncHealth:
    """Return how late the articles are; *every_s* is the interval that is expected, None when there is none."""
    age_ms = None if last_good_ms is None else max(0, now_ms - last_good_ms)
    every_ms = None if every_s is None else every_s * 1000
    late = age_ms is not None and every_ms is not None and age_ms > LATE_AFTER * every_ms
    return SyncHealth(
        last_good_ms=last_good_ms,
        every_ms=every_ms,
        age_ms=age_ms,
        late=late,
        old=late and age_ms is not None and age_ms > OLD_AFTER_MS,
    )


def spoken(seconds: int) -> str:
    """Return a length of time in its largest unit of which there are at least two: "3 days", "90 minutes"."""
    for size, unit in UNITS:
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} seconds"
