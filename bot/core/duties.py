"""Work that one of the processes which share a store does for all of them, and how long it keeps a duty that it does not renew."""

from collections.abc import Mapping
from enum import StrEnum


class Duty(StrEnum):
    """What one process does at a time. All of it is harmless when two do, which may happen when clocks differ."""

    SWEEP = "sweep"
    DELIVERY = "delivery"
    RETENTION = "retention"
    INBOX = "inbox"
    REMINDERS = "reminders"


# Longer than the time between two rounds, so that who has a duty keeps it, and short enough for who waits for the work.
KEPT_MS: Mapping[Duty, int] = {
    Duty.SWEEP: 15_000,
    Duty.DELIVERY: 6_000,
    Duty.RETENTION: 90 * 60_000,
    Duty.INBOX: 6_000,
    Duty.REMINDERS: 40_000,
}
