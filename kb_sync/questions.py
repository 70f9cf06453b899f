"""Golden questions that a new generation must still find articles for: JSONL in the form of golden conversations."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.core.indexing import evenly_spread
from bot.core.knowledge import ArticleId
from bot.errors import Misconfigured

ASKED = 20
_FORM = "see the form of golden conversations in the README"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that needs no history, and the articles that answer it."""

    text: str
    gold: tuple[ArticleId, ...]


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["customer", "bot", "agent"]
    text: str


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    turns: list[_Turn] = Field(min_length=1)
    gold: list[str] = []
    answerable: bool = True


def read_questions(path: Path) -> tuple[Question, ...]:
    """Return the answerable questions of *path* that a customer asked first of all, at most ASKED, evenly spread; Misconfigured."""
    found = [
        Question(text=row.turns[0].text, gold=tuple(ArticleId(one) for one in row.gold))
        for row in _rows(path)
        if row.answerable and row.gold and [turn.role for turn in row.turns] == ["customer"]
    ]
    return evenly_spread(found, ASKED)


def _rows(path: Path) -> Iterator[_Row]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise Misconfigured(
            f"KB_GOLDEN: {path} cannot be read ({exc}); name a UTF-8 file of JSON lines"
        ) from exc
    for number, line in enumerate(text.split("\n"), start=1):  # not splitlines: U+2028 stands inside texts
        if line.strip():
            yield _row(line, f"{path}:{number}")


def _row(line: str, place: str) -> _Row:
    try:
        return _Row.model_validate_json(line)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise Misconfigured(f"KB_GOLDEN: {place}: {field or 'it'}: {first['msg']}; {_FORM}") from exc
