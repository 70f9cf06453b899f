"""The rows of Parlato's records, made around a day: the same day gives the same rows. Pure."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

DESCRIPTION = Path(__file__).parent / "records.toml"
DEMO_CUSTOMER = "customer-1001"

Value = str | int
Row = tuple[Value, ...]

# They are understood by SQLite and by PostgreSQL.
TABLES: Mapping[str, str] = {
    "lesson": """
CREATE TABLE lesson (
  number text PRIMARY KEY, student text NOT NULL, language text NOT NULL, tutor text NOT NULL, kind text NOT NULL,
  starts_on date NOT NULL, starts_at timestamp NOT NULL, minutes integer NOT NULL, price_credits integer NOT NULL,
  status text NOT NULL
)""",
    "package": """
CREATE TABLE package (
  student text NOT NULL, kind text NOT NULL, credits integer NOT NULL, credits_left integer NOT NULL,
  bought_on date NOT NULL, expires_on date NOT NULL
)""",
    "payment": """
CREATE TABLE payment (
  receipt text PRIMARY KEY, student text NOT NULL, paid_on date NOT NULL, amount_eur numeric(10,2) NOT NULL,
  method text NOT NULL, purpose text NOT NULL, status text NOT NULL
)""",
}

_SEED = 20_260
_BONUS: Mapping[int, int] = {100: 3, 200: 10}
_TUTORS: Mapping[str, tuple[str, int]] = {
    "Lucía M.": ("Spanish", 14),
    "Hannah B.": ("German", 20),
    "Oliver T.": ("English", 17),
    "Chiara R.": ("Italian", 16),
}
_SHARES: Mapping[int, int] = {45: 80, 60: 100, 90: 150}  # percent of the price of an hour
_FEE = 1  # credits, added to each lesson


@dataclass(frozen=True, slots=True, kw_only=True)
class _Student:
    """How much a customer of the sample has had and has before them."""

    subject: str
    tutors: tuple[str, ...]
    taken: int
    booked: int
    packages: tuple[int, ...]


# One has more lessons than are shown at once, one is new and has nothing.
_STUDENTS = (
    _Student(
        subject=DEMO_CUSTOMER,
        tutors=("Lucía M.", "Hannah B."),
        taken=22,
        booked=14,
        packages=(200, 100, 50),
    ),
    _Student(subject="customer-1002", tutors=("Oliver T.",), taken=58, booked=6, packages=(200, 200, 200)),
    _Student(subject="customer-1003", tutors=("Chiara R.", "Lucía M."), taken=3, booked=1, packages=(20,)),
    _Student(subject="customer-1004", tutors=("Hannah B.",), taken=0, booked=2, packages=(50,)),
    _Student(subject="customer-1005", tutors=(), taken=0, booked=0, packages=()),
)
CUSTOMERS = tuple(one.subject for one in _STUDENTS)


def rows_around(today: date) -> Mapping[str, tuple[Row, ...]]:
    """Return the rows of each table, in the order of its columns."""
    found: dict[str, list[Row]] = {name: [] for name in TABLES}
    for place, student in enumerate(_STUDENTS):
        chance = random.Random(_SEED + place)  # noqa: S311 - rows of a sample
        found["lesson"].extend(_lessons(student, place, today, chance))
        for bought, size in enumerate(student.packages):
            day = today - timedelta(days=30 + 70 * bought)
            last = bought == len(student.packages) - 1
            found["package"].extend(_packages(student, size, day, is_used=last and bought > 0))
            found["payment"].append(_payment(student, 310_040 + 10 * place + bought, size, day))
    return {name: tuple(rows) for name, rows in found.items()}


def _lessons(student: _Student, place: int, today: date, chance: random.Random) -> Iterator[Row]:
    """Lessons every second or third day; the one before today was cancelled, and one of the past was missed."""
    day = today - timedelta(days=3 * student.taken + 3)
    for count in range(student.taken + student.booked):
        is_past = count < student.taken
        day = max(
            day + timedelta(days=chance.choice((2, 3))), today + timedelta(days=1) if not is_past else day
        )
        tutor = student.tutors[count % len(student.tutors)]
        yield _lesson(
            f"L-{204_500 + 100 * place + count}", student.subject, tutor, day, _status(student, count), chance
        )


def _status(student: _Student, count: int) -> str:
    if count >= student.taken:
        return "booked"
    return {1: "cancelled", 5: "student absent"}.get(student.taken - count, "taken")


def _lesson(number: str, subject: str, tutor: str, day: date, status: str, chance: random.Random) -> Row:
    language, an_hour = _TUTORS[tutor]
    minutes = chance.choice(tuple(_SHARES))
    start = datetime.combine(day, time(chance.choice((9, 12, 17, 18)), chance.choice((0, 30))))
    price = an_hour * _SHARES[minutes] // 100 + _FEE
    starts = (day.isoformat(), start.isoformat(sep=" "))
    return (number, subject, language, tutor, "lesson", *starts, minutes, price, status)


def _packages(student: _Student, size: int, day: date, *, is_used: bool) -> Iterator[Row]:
    left = 0 if is_used else size * 3 // 5
    yield (student.subject, "bought", size, left, day.isoformat(), (day + timedelta(days=365)).isoformat())
    if size in _BONUS:
        expires = (day + timedelta(days=60)).isoformat()
        yield (student.subject, "bonus", _BONUS[size], _BONUS[size], day.isoformat(), expires)


def _payment(student: _Student, receipt: int, size: int, day: date) -> Row:
    method = "PayPal" if receipt % 2 else "card"
    purpose = f"package of {size} credits"
    return (f"R-{receipt}", student.subject, day.isoformat(), f"{size}.00", method, purpose, "paid")
