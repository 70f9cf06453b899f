"""Articles as evaluation sets hold them: JSONL with id, title and text or body."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.knowledge import Article, ArticleId
from bot.errors import InputRejected


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: str
    title: str = ""
    text: str | None = None
    body: str | None = None
    url: str = ""


def read_corpus(path: Path) -> tuple[Article, ...]:
    """Read a file of articles; InputRejected names the line and the field."""
    return tuple(_rows(path))


def _rows(path: Path) -> Iterator[Article]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise InputRejected(str(path), f"cannot be read ({exc})", "name a UTF-8 file of JSON lines") from exc
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _to_article(line, f"{path}:{number}")


def _to_article(line: str, where: str) -> Article:
    try:
        row = _Row.model_validate(json.loads(line))
    except json.JSONDecodeError as exc:
        raise InputRejected(where, f"is not JSON ({exc})", "write one JSON object a line") from exc
    except ValidationError as exc:
        problem = exc.errors()[0]
        field = ".".join(str(part) for part in problem["loc"])
        raise InputRejected(
            where, f"{field}: {problem['msg']}", "give each article an id and a text"
        ) from exc
    return Article(id=ArticleId(row.id), title=row.title, body=row.text or row.body or "", url=row.url)
