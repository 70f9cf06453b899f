"""When a dependency that keeps failing is left alone: an open circuit refuses calls at once, and lets one try at intervals.

Pure: every move takes the time and returns the circuit after it. Times are a clock's monotonic seconds.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum


class Cause(StrEnum):
    """Why a circuit is open."""

    FAILURES = "failures"
    KEY_REJECTED = "key_rejected"
    LIMIT_REACHED = "limit_reached"

    @property
    def is_decisive(self) -> bool:
        """Whether one such failure says that the next call fails too."""
        return self is not Cause.FAILURES


class Admission(StrEnum):
    """What a caller may do."""

    CALL = "call"
    TRIAL = "trial"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitPolicy:
    """When a circuit opens, and how often an open one lets a trial through (FAULTS L3)."""

    failures: int = 5
    within_s: float = 30.0
    trial_every_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """One opening, whatever trials fail in it; `trial_from_s` is the earliest time of the next trial."""

    cause: Cause
    since_s: float
    trial_from_s: float
    on_trial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """The state of one dependency: closed unless `opening` is there. `failed_at_s` are its recent failures, oldest first."""

    policy: CircuitPolicy = field(default_factory=CircuitPolicy)
    failed_at_s: tuple[float, ...] = ()
    opening: Opening | None = None

    def admit(self, *, now_s: float) -> tuple["Circuit", Admission]:
        """Ask for a call. Whoever gets a trial must end it with `succeeded`, `failed` or `abandoned`."""
        if self.opening is None:
            return self, Admission.CALL
        if self.opening.on_trial or now_s < self.opening.trial_from_s:
            return self, Admission.REFUSED
        return replace(self, opening=replace(self.opening, on_trial=True)), Admission.TRIAL

    def succeeded(self, admission: Admission) -> "Circuit":
        """A call worked. One that was begun before the circuit opened says nothing about now."""
        return replace(self, opening=None, failed_at_s=()) if admission is Admission.TRIAL else self

    def failed(self, cause: Cause, admission: Admission, *, now_s: float) -> "Circuit":
        """A call failed: a closed circuit may open, a trial leaves it open until the next one."""
        if self.opening is None:
            return self._counted(cause, now_s=now_s)
        if admission is Admission.TRIAL:
            trial_from_s = now_s + self.policy.trial_every_s
            return replace(
                self, opening=replace(self.opening, cause=cause, trial_from_s=trial_from_s, on_trial=False)
            )
        return replace(self, opening=replace(self.opening, cause=cause)) if cause.is_decisive else self

    def abandoned(self, admission: Admission) -> "Circuit":
        """A call was given up by its caller and says nothing; another trial may follow at once."""
        if self.opening is None or admission is not Admission.TRIAL:
            return self
        return replace(self, opening=replace(self.opening, on_trial=False))

    def _counted(self, cause: Cause, *, now_s: float) -> "Circuit":
        recent = (*(at for at in self.failed_at_s if now_s - at < self.policy.within_s), now_s)
        if not cause.is_decisive and len(recent) < self.policy.failures:
            return replace(self, failed_at_s=recent)
        trial_from_s = now_s + self.policy.trial_every_s
        opening = Opening(cause=cause, since_s=now_s, trial_from_s=trial_from_s)
        return replace(self, failed_at_s=(), opening=opening)
