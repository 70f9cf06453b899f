"""The sample's rows: the same for the same day, around that day, and true to what the sample's articles say."""

from datetime import date, timedelta

import pytest

from bot.sample.records import CUSTOMERS, DEMO_CUSTOMER, rows_around
from tests.adapters.records_rig import TODAY, rows_of

HOURLY = {"Spanish": 14, "German": 20, "English": 17, "Italian": 16}
SHARES = {45: 80, 60: 100, 90: 150}


def test_the_same_day_gives_the_same_rows():
    assert rows_around(TODAY) == rows_around(TODAY)
    assert rows_around(TODAY) != rows_around(TODAY + timedelta(days=1))


@pytest.mark.parametrize("today", [TODAY, date(2028, 2, 29), date(2027, 1, 1)])
def test_what_is_booked_is_to_come_and_what_is_not_is_over(today):
    for subject in CUSTOMERS:
        for lesson in rows_of(subject, "lessons", today):
            assert (str(lesson["starts_on"]) > today.isoformat()) is (lesson["status"] == "booked")


def test_the_demo_customer_has_more_than_ten_lessons_to_come():
    lessons = rows_of(DEMO_CUSTOMER, "lessons")

    assert sum(lesson["status"] == "booked" for lesson in lessons) == 14
    assert {lesson["status"] for lesson in lessons} == {"taken", "cancelled", "student absent", "booked"}
    assert [lesson["starts_at"] for lesson in lessons] == sorted(str(one["starts_at"]) for one in lessons)


def test_somebody_has_more_than_is_shown_and_somebody_has_nothing():
    counts = {subject: len(rows_of(subject, "lessons")) for subject in CUSTOMERS}

    assert max(counts.values()) > 50
    assert min(counts.values()) == 0


def test_lessons_cost_what_the_articles_say():
    """A share of the tutor's price for an hour by length, and a service fee of 1 credit."""
    for subject in CUSTOMERS:
        for lesson in rows_of(subject, "lessons"):
            minutes = int(str(lesson["minutes"]))
            price = HOURLY[str(lesson["language"])] * SHARES[minutes] // 100 + 1
            assert lesson["price_credits"] == price


def test_packages_are_those_that_are_sold():
    packages = [row for subject in CUSTOMERS for row in rows_of(subject, "packages")]

    assert {row["credits"] for row in packages if row["kind"] == "bought"} <= {20, 50, 100, 200}
    assert {row["credits"] for row in packages if row["kind"] == "bonus"} == {3, 10}
    for row in packages:
        valid = date.fromisoformat(str(row["expires_on"])) - date.fromisoformat(str(row["bought_on"]))
        assert valid.days == (365 if row["kind"] == "bought" else 60)
