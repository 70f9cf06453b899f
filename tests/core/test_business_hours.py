"""Business hours: how the setting is read, when it is open, and when it opens next, also where clocks change."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.business_hours import BusinessHours, Opening
from bot.errors import Misconfigured

WEEK = "Mon-Fri 09:00-17:00, Sat 10:00-14:00 Europe/Berlin"
BERLIN = ZoneInfo("Europe/Berlin")
MINUTE_MS = 60_000
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Havana",
    "Asia/Kathmandu",
    "UTC",
)


def at(text, zone=BERLIN):
    """Return the Unix milliseconds of a local time such as "2026-11-30 09:00"."""
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000)


def hours(text=WEEK):
    return BusinessHours.from_text(text)


@st.composite
def weeks(draw):
    """Draw one to four openings in a zone with or without a change of clocks."""
    spans = st.tuples(st.integers(0, 6), st.integers(0, 1439), st.integers(1, 600))
    openings = tuple(
        Opening(weekday=weekday, opens=opens, closes=min(opens + length, 1440))
        for weekday, opens, length in draw(st.lists(spans, min_size=1, max_size=4))
    )
    return BusinessHours(openings=openings, zone=ZoneInfo(draw(st.sampled_from(ZONES))))


# Every minute of some years, and every second one lands within three days of a change of clocks in Europe.
_ANY_MINUTE = st.integers(at("2024-01-01 00:00") // MINUTE_MS, at("2030-01-01 00:00") // MINUTE_MS)
_NEAR_A_CHANGE = st.builds(
    lambda day, minute: at(day) // MINUTE_MS + minute,
    st.sampled_from(["2026-03-29 00:00", "2026-10-25 00:00", "2026-11-01 00:00", "2026-04-05 00:00"]),
    st.integers(-3 * 1440, 3 * 1440),
)
MOMENTS = st.one_of(_ANY_MINUTE, _NEAR_A_CHANGE).map(lambda minute: minute * MINUTE_MS)


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [
        pytest.param("2026-11-30 08:59", False, id="a minute before"),
        pytest.param("2026-11-30 09:00", True, id="at the very opening"),
        pytest.param("2026-11-30 16:59", True, id="the last minute"),
        pytest.param("2026-11-30 17:00", False, id="at the very end"),
        pytest.param("2026-12-05 13:00", True, id="on Saturday"),
        pytest.param("2026-12-06 13:00", False, id="on Sunday"),
        pytest.param("2026-07-01 09:00", True, id="in summer, by the same clock"),
    ],
)
def test_it_is_open_by_the_clock_on_the_wall(moment, is_open):
    assert hours().is_open(at(moment)) is is_open


@pytest.mark.parametrize(
    ("moment", "opens"),
    [
        pytest.param("2026-11-30 08:00", "2026-11-30 09:00", id="later today"),
        pytest.param("2026-11-30 12:00", "2026-11-30 12:00", id="now"),
        pytest.param("2026-11-30 20:00", "2026-12-01 09:00", id="tomorrow"),
        pytest.param("2026-12-05 14:00", "2026-12-07 09:00", id="after the week's end"),
        pytest.param("2026-03-28 14:00", "2026-03-30 09:00", id="after the hour that is left out"),
        pytest.param("2026-10-24 14:00", "2026-10-26 09:00", id="after the hour that comes twice"),
    ],
)
def test_it_opens_next_by_the_clock_on_the_wall(moment, opens):
    assert hours().next_opening(at(moment)) == at(opens)


def test_a_week_later_is_the_next_time_when_it_opens_once_a_week():
    weekly = hours("Mon 09:00-17:00 Europe/Berlin")

    assert weekly.next_opening(at("2026-11-30 18:00")) == at("2026-12-07 09:00")


def test_an_opening_in_the_hour_that_is_left_out_is_that_long_after_midnight():
    early = hours("Sun 02:30-06:00 Europe/Berlin")

    assert early.next_opening(at("2026-03-29 00:00")) == at("2026-03-29 03:30")


def test_an_opening_within_the_hour_that_is_left_out_waits_for_the_next_week():
    tiny = hours("Sun 02:30-03:00 Europe/Berlin")

    assert tiny.next_opening(at("2026-03-29 00:00")) == at("2026-04-05 02:30")


def test_a_pause_at_noon_is_closed():
    paused = hours("Mon-Fri 09:00-12:00 13:00-17:00 Europe/Berlin")

    assert not paused.is_open(at("2026-11-30 12:30"))
    assert paused.next_opening(at("2026-11-30 12:30")) == at("2026-11-30 13:00")


def test_a_night_is_written_as_two_days_and_is_one_stretch():
    night = hours("Fri 22:00-24:00, Sat 00:00-06:00 Europe/Berlin")

    assert night.opened_ms(at("2026-12-05 05:00")) == at("2026-12-04 22:00")


def test_days_may_run_over_the_week_s_end_and_be_written_in_any_case():
    assert {opening.weekday for opening in hours("sat-MON 09:00-10:00 UTC").openings} == {5, 6, 0}


def test_the_wall_shows_weekday_time_and_zone():
    wall = hours().on_the_wall(at("2026-11-30 09:05"))

    assert (wall.weekday, wall.time, wall.zone) == (0, "09:05", "Europe/Berlin")


@given(week=weeks(), moment=MOMENTS)
def test_nothing_between_a_moment_and_the_next_opening_is_open(week, moment):
    opens = week.next_opening(moment)

    assert opens >= moment
    assert week.is_open(opens)
    assert opens == moment or not any(
        week.is_open(before)
        for before in (moment, (moment + opens) // 2, opens - MINUTE_MS, opens - 1)
        if before >= moment
    )


@given(week=weeks(), moment=MOMENTS)
def test_outside_a_change_of_clocks_the_wall_decides(week, moment):
    local = datetime.fromtimestamp(moment / 1000, UTC).astimezone(week.zone)
    assume(_same_offset_all_day(local))
    minute = local.hour * 60 + local.minute

    shown = any(
        opening.weekday == local.weekday() and opening.opens <= minute < opening.closes
        for opening in week.openings
    )

    assert week.is_open(moment) is shown


@given(week=weeks(), moment=MOMENTS)
def test_it_has_been_open_all_the_while_since_it_opened(week, moment):
    within = week.next_opening(moment)
    opened = week.opened_ms(within)

    assert opened is not None
    assert week.is_open((opened + within) // 2)
    assert not week.is_open(opened - 1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Mon-Fri 09:00-17:00", '"Mon-Fri 09:00-17:00": has no time zone at its end; write it as in'),
        (
            "Mon-Fri 09:00-17:00 Mars/Phobos",
            '"Mars/Phobos": is no time zone; write one such as Europe/Berlin',
        ),
        ("Mon-Fri 09:00-17:00 Europe", '"Europe": is no time zone'),
        ("Mon-Fri 09:00-17:00 ../../etc/passwd", '"../../etc/passwd": is no time zone'),
        ("Mon-Fry 09:00-17:00 UTC", '"Mon-Fry 09:00-17:00": "Mon-Fry" is no day; write Mon, Tue'),
        ("Mon 9-17 UTC", '"Mon 9-17": "9-17" is no span of time; write it as in 09:00-17:00'),
        ("Mon 09:00-25:00 UTC", '"Mon 09:00-25:00": "09:00-25:00" is not on the clock'),
        ("Mon 09:60-12:00 UTC", "is not on the clock"),
        ("Fri 22:00-06:00 UTC", "write a night as two days, as in Fri 22:00-24:00, Sat 00:00-06:00"),
        ("Mon 09:00-17:00, UTC", '"": is not days with their times'),
        ("Mon UTC", '"Mon": is not days with their times'),
        ("UTC", "has no time zone at its end"),
        ("", "has no time zone at its end"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_remedy(text, problem):
    with pytest.raises(Misconfigured) as refused:
        BusinessHours.from_text(text)

    assert str(refused.value).startswith("BUSINESS_HOURS, ")
    assert problem in str(refused.value)


def _same_offset_all_day(local):
    midnight = local.replace(hour=0, minute=0)
    return midnight.utcoffset() == (midnight + timedelta(days=1)).utcoffset()
