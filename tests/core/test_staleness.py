"""When a sync is late, and when so late that customers are told (FAULTS K2)."""

import pytest

from bot.core.staleness import SyncHealth, spoken, sync_health

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
LAST_GOOD_MS = 1_750_000_000_000


def health_after(age_s: float, every_s: int | None) -> SyncHealth:
    return sync_health(last_good_ms=LAST_GOOD_MS, every_s=every_s, now_ms=LAST_GOOD_MS + int(age_s * 1000))


@pytest.mark.parametrize(
    ("age_s", "every_s", "late", "old"),
    [
        pytest.param(0, 15 * MINUTE_S, False, False, id="just synced"),
        pytest.param(30 * MINUTE_S, 15 * MINUTE_S, False, False, id="two intervals"),
        pytest.param(30 * MINUTE_S + 0.001, 15 * MINUTE_S, True, False, id="more than two"),
        pytest.param(7 * DAY_S, 15 * MINUTE_S, True, False, id="seven days"),
        pytest.param(7 * DAY_S + 0.001, 15 * MINUTE_S, True, True, id="more than seven days"),
        pytest.param(8 * DAY_S, 7 * DAY_S, False, False, id="a weekly sync is not old after eight days"),
        pytest.param(15 * DAY_S, 7 * DAY_S, True, True, id="but after fifteen"),
        pytest.param(400 * DAY_S, None, False, False, id="nobody said how often"),
        pytest.param(-60, 15 * MINUTE_S, False, False, id="a clock that went back"),
    ],
)
def test_late_is_more_than_two_intervals_and_old_more_than_a_week(age_s, every_s, late, old):
    health = health_after(age_s, every_s)

    assert (health.late, health.old) == (late, old)
    assert bool(health.problem) is late


def test_what_was_never_synced_has_no_age():
    """The index is missing then, which says so by itself."""
    health = sync_health(last_good_ms=None, every_s=900, now_ms=LAST_GOOD_MS)

    assert health == SyncHealth(every_ms=900_000)


def test_a_late_sync_is_said_with_its_age_and_the_remedy():
    assert health_after(3 * DAY_S, 6 * HOUR_S).problem == (
        "the last good sync was 3 days ago, and one is due every 6 hours;"
        " see why `python -m kb_sync` does not finish, and run it"
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(119, "119 seconds"), (900, "15 minutes"), (7_199, "119 minutes"), (7_200, "2 hours"), (90_000, "25 hours"), (172_800, "2 days")],
)  # fmt: skip
def test_a_time_is_said_in_its_largest_unit(seconds, said):
    assert spoken(seconds) == said
