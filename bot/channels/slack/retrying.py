"""What becomes of something from Slack that could not be worked on: it is tried again, later each time, or becomes a dead letter. Pure."""

from dataclasses import dataclass

from bot.core.slack_rows import InboxRow
from bot.errors import NotDelivered, OutsideFailure

FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 900.0
_LONGEST_AFTER = 16  # attempts: doubled so often, any pause is the longest

DEFECT_ATTEMPTS = 6  # about a minute: what breaks so often breaks again
OUTAGE_ATTEMPTS = 20  # about three hours: somebody has to be woken and repair what is down


@dataclass(frozen=True, slots=True, kw_only=True)
class TryAgain:
    """The row is due again then."""

    until_ms: int


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The row becomes a dead letter, which only a person revives."""


def after_failure(row: InboxRow, failure: Exception, *, now_ms: int, jitter: float) -> TryAgain | GiveUp:
    """Return what follows a failed attempt; *jitter* is between 0 and 1, so that many that failed together come back apart.

    A wait that Slack asks for is obeyed up to the longest pause.
    """
    allowed = OUTAGE_ATTEMPTS if isinstance(failure, OutsideFailure | TimeoutError) else DEFECT_ATTEMPTS
    if row.attempts + 1 >= allowed:
        return GiveUp()
    whole_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(row.attempts, _LONGEST_AFTER))
    asked_s = min(failure.wait_s, LONGEST_PAUSE_S) if isinstance(failure, NotDelivered) else 0.0
    return TryAgain(until_ms=now_ms + int(max(whole_s * (1 + jitter) / 2, asked_s) * 1000))
