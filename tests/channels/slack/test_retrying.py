"""When what failed is tried again, and when it is given up (FAULTS R-S6)."""

import pytest

from bot.channels.slack.retrying import DEFECT_ATTEMPTS, OUTAGE_ATTEMPTS, GiveUp, TryAgain, after_failure
from bot.core.slack_rows import InboxKind, InboxRow
from bot.errors import NotDelivered, StoreUnavailable

HOUR_MS = 3_600_000
OUTAGES = [StoreUnavailable("file"), NotDelivered("Slack"), TimeoutError()]


def a_row(attempts=0):
    return InboxRow(
        key="T1:Ev1", kind=InboxKind.EVENT, payload="{}", received_ms=0, due_ms=0, attempts=attempts
    )


def pauses(failure, *, jitter=1.0):
    """Return every pause in milliseconds until the row is given up."""
    waits: list[int] = []
    while True:
        match after_failure(a_row(len(waits)), failure, now_ms=0, jitter=jitter):
            case TryAgain(until_ms=until_ms):
                waits.append(until_ms)
            case GiveUp():
                return waits


def test_the_pause_doubles():
    assert pauses(KeyError("text")) == [2_000, 4_000, 8_000, 16_000, 32_000]


def test_a_defect_is_given_up_after_about_a_minute():
    assert len(pauses(KeyError("text"))) == DEFECT_ATTEMPTS - 1


@pytest.mark.parametrize("failure", OUTAGES, ids=lambda failure: type(failure).__name__)
def test_what_is_down_for_an_hour_loses_nothing(failure):
    """FAULTS R-S16: also when chance makes every pause as short as it may be."""
    waits = pauses(failure, jitter=0.0)

    assert len(waits) == OUTAGE_ATTEMPTS - 1
    assert sum(waits) > HOUR_MS


def test_no_pause_is_longer_than_a_quarter_of_an_hour():
    assert max(pauses(OUTAGES[0])) == 900_000


def test_what_failed_together_comes_back_apart():
    first, second = (pauses(OUTAGES[0], jitter=jitter)[3] for jitter in (0.0, 0.9))

    assert (first, second) == (8_000, 15_200)


@pytest.mark.parametrize(("asked_s", "pause_s"), [(0.5, 2), (30, 30), (86_400, 900)])
def test_a_wait_that_slack_asks_for_is_obeyed_up_to_a_quarter_of_an_hour(asked_s, pause_s):
    """FAULTS R-S14."""
    asked = NotDelivered("ratelimited", wait_s=asked_s)

    assert after_failure(a_row(), asked, now_ms=0, jitter=1.0) == TryAgain(until_ms=pause_s * 1000)
