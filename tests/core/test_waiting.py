"""What a waiting customer is told, and when: the notices, the honest wait, the hours, and the address for the desk."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.prompt_files import load_replies
from bot.core.business_hours import BusinessHours, WallTime
from bot.core.conversation import Kind, Role, Status
from bot.core.replies import LANGUAGES
from bot.core.waiting import (
    Notice,
    Situation,
    Wait,
    contact_in,
    expected_wait_ms,
    notice_due,
    notice_id,
    notice_text,
    untold,
)
from tests.builders import NOON_MS, a_bot_message, a_conversation, a_message

REPLIES = load_replies(Path(__file__).parents[2] / "prompts")
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
WAITING = a_conversation(status=Status.QUEUED, epoch=1, waiting_since_ms=NOON_MS)
# NOON_MS is Sunday, 15 June 2025, 15:06:40 UTC.
OPEN_UNTIL_SEVEN = BusinessHours.from_text("Sun 09:00-19:00 UTC")
CLOSED_TODAY = BusinessHours.from_text("Mon-Fri 09:00-17:00 Europe/Berlin")
OPENS_AT_FOUR = BusinessHours.from_text("Sun 16:00-20:00 UTC")
FOUR_MS = 1_750_003_200_000
MONDAY = WallTime(weekday=0, time="09:00", zone="Europe/Berlin")


def told(notice, *, seq=3):
    return a_bot_message("…", seq=seq, kind=Kind.NOTICE, channel_message_id=notice_id(WAITING, notice))


def words(notice, *, locale="en", **fields):
    return notice_text(notice, Situation(**({"wait": Wait(position=2)} | fields)), REPLIES, locale)


@pytest.mark.parametrize(
    ("waits", "expected"),
    [
        pytest.param((), None, id="none"),
        pytest.param((60_000, 120_000), None, id="too few"),
        pytest.param((60_000, 300_000, 120_000), 120_000, id="three"),
        pytest.param((60_000, 100_000, 200_000, 300_000), 150_000, id="four"),
    ],
)
def test_the_expected_wait_is_the_median_of_at_least_three(waits, expected):
    assert expected_wait_ms(waits) == expected


@pytest.mark.parametrize(
    ("minutes", "due"),
    [
        (0, None),
        (1.99, None),
        (2, Notice.SOON),
        (9.99, Notice.SOON),
        (10, Notice.LATE),
        (600, Notice.LATE),
    ],
)
@pytest.mark.parametrize("hours", [None, BusinessHours.from_text("Mon-Sun 00:00-24:00 UTC")])
def test_a_word_is_due_after_two_and_after_ten_minutes(minutes, due, hours):
    assert notice_due(WAITING, hours, now_ms=NOON_MS + int(minutes * MINUTE_MS)) is due


def test_out_of_hours_that_is_said_at_once_and_no_minutes_are_counted():
    moments = (0, 2 * MINUTE_MS, 5 * HOUR_MS)

    assert {notice_due(WAITING, CLOSED_TODAY, now_ms=NOON_MS + ms) for ms in moments} == {Notice.CLOSED}


@pytest.mark.parametrize(
    ("after_ms", "due"),
    [(0, None), (2 * MINUTE_MS, Notice.SOON), (10 * MINUTE_MS, Notice.LATE)],
)
def test_who_waited_for_the_opening_has_waited_since_then(after_ms, due):
    assert notice_due(WAITING, OPENS_AT_FOUR, now_ms=FOUR_MS + after_ms) is due


def test_who_still_waits_when_the_day_ends_is_told_so():
    closing_ms = FOUR_MS + 3 * HOUR_MS

    assert notice_due(WAITING, OPEN_UNTIL_SEVEN, now_ms=closing_ms - 1) is Notice.LATE
    assert notice_due(WAITING, OPEN_UNTIL_SEVEN, now_ms=closing_ms) is Notice.CLOSED


@pytest.mark.parametrize("status", [Status.BOT, Status.CLAIMED, Status.RESOLVED])
@given(ms=st.integers(0, 10**9))
def test_nothing_is_due_outside_the_queue(status, ms):
    elsewhere = replace(WAITING, status=status)

    assert notice_due(elsewhere, CLOSED_TODAY, now_ms=NOON_MS + ms) is None


def test_what_was_told_in_this_wait_is_not_told_again():
    assert untold(WAITING, Notice.SOON, [a_message()]) == (Notice.SOON,)
    assert untold(WAITING, Notice.SOON, [a_message(), told(Notice.SOON)]) == ()


def test_a_later_wait_is_told_anew():
    later = replace(WAITING, waiting_since_ms=NOON_MS + HOUR_MS)

    assert untold(later, Notice.SOON, [told(Notice.SOON)]) == (Notice.SOON,)


@pytest.mark.parametrize("asked", [Notice.LATE, Notice.CLOSED])
def test_an_address_that_was_asked_for_is_confirmed_once(asked):
    given_after = [told(asked), a_message("It is ana@shop.example", seq=4)]

    assert untold(WAITING, asked, given_after) == (Notice.EMAIL,)
    assert untold(WAITING, asked, [*given_after, told(Notice.EMAIL, seq=5)]) == ()


def test_an_address_that_nobody_asked_for_is_not_confirmed():
    assert untold(WAITING, None, [a_message("I am ana@shop.example"), told(Notice.SOON)]) == ()
    assert untold(WAITING, None, [a_message("I am ana@shop.example"), told(Notice.LATE)]) == ()


@pytest.mark.parametrize(
    ("texts", "contact"),
    [
        pytest.param(["no address"], None, id="none"),
        pytest.param(["Ana@Shop.example"], "ana@shop.example", id="one"),
        pytest.param(["a@shop.example", "thanks"], "a@shop.example", id="earlier"),
        pytest.param(["a@shop.example", "no: b@shop.example."], "b@shop.example", id="the last"),
        pytest.param(["z@shop.example, or a@shop.example"], "a@shop.example", id="the last of a message"),
        pytest.param(["ask admin@localhost"], None, id="of no mail server"),
    ],
)
def test_the_contact_is_the_last_address_that_the_customer_wrote(texts, contact):
    assert contact_in([a_message(text) for text in texts]) == contact


def test_what_others_wrote_is_no_contact():
    others = [
        a_bot_message("support@shop.example"),
        a_message("ana@desk.example", role=Role.AGENT),
        a_message("a@b.example", kind=Kind.CATEGORY),
    ]

    assert contact_in(others) is None


def test_the_place_and_the_wait_are_told():
    wait = Wait(position=2, expected_ms=241_000)

    assert words(Notice.SOON, wait=wait) == (
        "You are still in the queue, at place 2. Other customers recently waited about 5 minutes for a first reply."
    )


@pytest.mark.parametrize(
    ("expected_ms", "amount"),
    [
        (1, "2 minutes"),
        (90 * MINUTE_MS, "90 minutes"),
        (91 * MINUTE_MS, "2 hours"),
        (3 * HOUR_MS + 1, "4 hours"),
    ],
)
def test_a_wait_is_rounded_up(expected_ms, amount):
    assert f"about {amount} for" in words(Notice.SOON, wait=Wait(position=1, expected_ms=expected_ms))


def test_a_wait_that_is_not_known_is_said_not_to_be():
    assert words(Notice.SOON).endswith("We don't know yet how long it will take.")


def test_out_of_hours_the_opening_is_told_in_the_zone_it_is_meant_in():
    assert "is back on Monday at 09:00 (Europe/Berlin)" in words(Notice.CLOSED, opens=MONDAY)
    assert "am Montag um 09:00 Uhr (Europe/Berlin)" in words(Notice.CLOSED, opens=MONDAY, locale="de-AT")


def test_nobody_is_told_that_the_team_is_away_without_a_word_on_when_it_is_back():
    with pytest.raises(ValueError, match="opens at some time"):
        words(Notice.CLOSED)


@pytest.mark.parametrize("notice", [Notice.LATE, Notice.CLOSED])
def test_an_address_is_asked_for_unless_there_is_one(notice):
    assert "e-mail address" in words(notice, opens=MONDAY)
    assert "e-mail address" not in words(notice, opens=MONDAY, contact="a@shop.example")


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("notice", Notice)
def test_every_notice_can_be_said_in_every_language(notice, locale):
    situation = (
        {"opens": MONDAY, "contact": "a@shop.example"} if notice is Notice.EMAIL else {"opens": MONDAY}
    )

    text = words(notice, locale=locale, **situation)

    assert "{" not in text
    assert ("a@shop.example" in text) is (notice is Notice.EMAIL)
