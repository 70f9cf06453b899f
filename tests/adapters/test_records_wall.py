"""The parser's wall, by itself: no database stands behind it here."""

import pytest

from bot.adapters.records.wall import allowed
from bot.errors import StatementRejected
from tests.adapters.hostile_statements import HOSTILE
from tests.adapters.records_rig import SCHEMAS

EVERYDAY = (
    "SELECT COUNT(*) FROM lessons WHERE status = 'booked'",
    "SELECT starts_on, tutor FROM lessons WHERE starts_on >= CURRENT_DATE ORDER BY starts_on LIMIT 10",
    "select l.number from lessons as l where l.tutor like 'L%' and not l.minutes in (45, 60) order by 1 desc;",
    "SELECT language, COUNT(*) AS n FROM lessons GROUP BY language HAVING COUNT(*) > 1 ORDER BY n DESC",
    "SELECT SUM(credits_left) FROM packages WHERE expires_on >= CURRENT_DATE",
    "SELECT DISTINCT tutor FROM lessons",
    "SELECT COALESCE(SUM(amount_eur), 0) AS paid FROM payments WHERE paid_on BETWEEN '2026-01-01' AND '2026-12-31'",
    "SELECT number, ROW_NUMBER() OVER (PARTITION BY tutor ORDER BY starts_at) AS place FROM lessons",
    "SELECT CASE WHEN minutes > 60 THEN 'long' ELSE 'short' END AS length FROM lessons",
    "WITH due AS (SELECT * FROM lessons WHERE status = 'booked') SELECT COUNT(*) FROM due",
    "SELECT p.receipt FROM payments AS p LEFT JOIN packages AS k ON k.bought_on = p.paid_on",
    "SELECT number FROM lessons WHERE starts_at = (SELECT MAX(starts_at) FROM lessons WHERE status = 'taken')",
    "SELECT a.n FROM (SELECT COUNT(*) AS n FROM lessons) AS a",
    "SELECT number FROM lessons WHERE tutor = 'Lucía M.' -- a comment\n",
)
POSTGRES = (
    "SELECT COUNT(*) FILTER (WHERE status = 'taken') FROM lessons",
    "SELECT starts_on FROM lessons WHERE starts_on < CURRENT_DATE + INTERVAL '7 days'",
    "SELECT date_trunc('month', starts_at) AS month, count(*) FROM lessons GROUP BY 1",
    "SELECT starts_on FROM lessons WHERE starts_on >= to_char(now(), 'YYYY-MM-DD')",
    "SELECT EXTRACT(dow FROM starts_on), starts_at::date, age(now(), starts_at) FROM lessons",
    "SELECT DISTINCT ON (tutor) tutor, starts_at FROM lessons ORDER BY tutor, starts_at",
    "SELECT round(avg(price_credits), 1) FROM lessons WHERE tutor ILIKE '%l%'",
    "SELECT starts_at AT TIME ZONE 'Europe/Madrid' FROM lessons",
)
SQLITE = (
    "SELECT starts_on FROM lessons WHERE starts_on < date('now', '+7 days')",
    "SELECT strftime('%m', starts_on) AS month, count(*) FROM lessons GROUP BY 1",
    "SELECT ifnull(sum(credits_left), 0) FROM packages",
    "SELECT julianday(starts_on) - julianday('now') FROM lessons",
)


def is_allowed(sql: str, dialect: str) -> bool:
    try:
        allowed(sql, SCHEMAS[dialect])
    except StatementRejected:
        return False
    return True


def refusal(sql: str, dialect: str = "postgres") -> str:
    with pytest.raises(StatementRejected) as refused:
        allowed(sql, SCHEMAS[dialect])
    return str(refused.value)


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_nothing_hostile_comes_through(dialect):
    assert len(set(HOSTILE)) >= 200
    assert [sql for sql in HOSTILE if is_allowed(sql, dialect)] == []


@pytest.mark.parametrize("dialect", SCHEMAS)
def test_everyday_questions_come_through(dialect):
    own = {"postgres": POSTGRES, "sqlite": SQLITE}[dialect]

    assert [sql for sql in (*EVERYDAY, *own) if not is_allowed(sql, dialect)] == []


def test_what_is_run_is_written_anew_with_every_name_quoted():
    written = allowed(
        "select Number from LESSONS l /* ; */ where l.tutor = 'O''Brien' -- x", SCHEMAS["postgres"]
    )

    assert written == 'SELECT "number" FROM "lessons" AS "l" WHERE "l"."tutor" = \'O\'\'Brien\''


def test_what_was_written_anew_is_allowed_again_and_stays_as_it_is():
    for dialect, own in (("postgres", POSTGRES), ("sqlite", SQLITE)):
        once = [allowed(sql, SCHEMAS[dialect]) for sql in (*EVERYDAY, *own)]

        assert [allowed(sql, SCHEMAS[dialect]) for sql in once] == once


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT price FROM lessons", "there is no column price; there are amount_eur, bought_on"),
        ("SELECT l.price FROM lessons l", "there is no column l.price; there are kind, language, minutes"),
        (
            "SELECT * FROM orders",
            "orders is not a view that may be read; there are lessons, packages, payments",
        ),
        (
            "SELECT pg_sleep(1) FROM lessons",
            "the function pg_sleep is not allowed; allowed are abs, age, avg",
        ),
        (
            "SELECT count(*) AS lessons FROM lessons",
            "lessons is a view; no alias and no WITH may have its name",
        ),
        ("SELECT FROM WHERE", "this is no PostgreSQL: "),
        ("DELETE FROM lessons", "only one SELECT is allowed"),
        ("SELECT 1", "a statement reads from a view; there are lessons, packages, payments"),
        ("SELECT * FROM lessons FOR UPDATE", "SELECT with LOCKS is not allowed; leave that out"),
    ],
)
def test_a_refusal_says_what_is_not_allowed_and_what_is(sql, said):
    assert said in refusal(sql)
