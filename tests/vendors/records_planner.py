"""A model for the Anthropic server that plans and words two questions about the sample's lessons. Its first ranking is broken, as in the published incident."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date

from aiohttp import web

from tests.vendors.anthropic_server import Call, answers, hands_over
from tests.vendors.local_server import Body, Reply

HOW_MANY = "How many lessons do I have?"
WHICH_TEN = "Which 10 are next?"

COUNT = "SELECT COUNT(*) AS booked FROM lessons WHERE status = 'booked'"
NEXT = (
    "SELECT starts_on, tutor, language, number FROM lessons "
    "WHERE status = 'booked' AND starts_on >= CURRENT_DATE ORDER BY starts_on LIMIT 10"
)
# PostgreSQL does not compare a date with a text. SQLite does, so that the mistake is another one there.
BROKEN: Mapping[str, str] = {
    "postgres": "SELECT starts_on, tutor FROM lessons WHERE starts_on >= '2026-01-01'::text ORDER BY starts_on LIMIT 10",
    "sqlite": "SELECT lesson_date, tutor FROM lessons WHERE lesson_date >= '2026-01-01' ORDER BY lesson_date LIMIT 10",
}
_DIALECT = re.compile(r"^Dialect: (\w+)$", re.MULTILINE)
_MARKED = r"<{name}-[^>]+>\n(.*?)\n</{name}-"


def plans_and_words(*, repairs: bool = True) -> Reply:
    """Plan and word what is asked; without *repairs* the broken statement is planned again and again."""

    async def reply(request: web.Request, body: Body) -> web.StreamResponse:
        tool, asked = body["tools"][0]["name"], body["messages"][0]["content"]
        if tool == "plan_answer":
            called = {"route": "records", "sql": _statement(asked, repairs=repairs)}
        elif tool == "write_answer":
            called = {"text": _words(json.loads(marked("rows", asked)))}
        else:
            return await hands_over()(request, body)
        return await answers(Call(name=tool, input=called), stop="tool_use")(request, body)

    return reply


def marked(name: str, asked: str) -> str:
    """Return what stands between the marks of that name; empty where there are none."""
    found = re.search(_MARKED.format(name=name), asked, re.DOTALL)
    return found[1] if found else ""


def day_in_words(day: date) -> str:
    """Return a day as the model writes it."""
    return f"{day.day} {day:%B %Y}"


def _statement(asked: str, *, repairs: bool) -> str:
    if marked("question", asked) == HOW_MANY:
        return COUNT
    if marked("statement", asked) and repairs:
        return NEXT
    (dialect,) = _DIALECT.findall(asked)
    return BROKEN[dialect]


def _words(found: Mapping[str, Sequence[Sequence[object]]]) -> str:
    rows = found["rows"]
    if len(rows) == 1 and len(rows[0]) == 1:
        return f"You have {rows[0][0]} lessons booked."
    lines = [
        f"| {day_in_words(date.fromisoformat(str(day)))} | {' | '.join(map(str, rest))} |"
        for day, *rest in rows
    ]
    return "\n".join(
        (
            f"Your next {len(rows)} lessons:",
            "",
            "| Day | Tutor | Language | Lesson |",
            "|---|---|---|---|",
            *lines,
        )
    )
