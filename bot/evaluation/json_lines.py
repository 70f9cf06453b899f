"""Files of one JSON object a line; whatever is wrong names the line, the field and the remedy."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from bot.errors import InputRejected

Row = TypeVar("Row", bound=BaseModel)


def read_json_lines(path: Path, form: type[Row], remedy: str) -> Iterator[tuple[str, Row]]:
    """Yield each row and its place, blank lines left out; InputRejected, with *remedy* when a row has another form."""
    for number, line in enumerate(
        _text(path).split("\n"), start=1
    ):  # not splitlines: U+2028 stands inside texts
        if line.strip():
            place = f"{path}:{number}"
            yield place, _to_row(line, form, place, remedy)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputRejected(str(path), f"cannot be read ({exc})", "name a UTF-8 file of JSON lines") from exc


def _to_row(line: str, form: type[Row], place: str, remedy: str) -> Row:
    try:
        return form.model_validate_json(line)
    except ValidationError as exc:
        first = exc.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            problem = f"is not JSON ({first['ctx']['error']})"
            raise InputRejected(place, problem, "write one JSON object a line") from exc
        field = ".".join(str(part) for part in first["loc"])
        problem = f"{field}: {first['msg']}" if field else first["msg"]
        raise InputRejected(place, problem, remedy) from exc
