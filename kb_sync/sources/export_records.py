"""The text of a JSON or JSONL export to records. What cannot be read becomes a problem with its line. Pure."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.errors import InputRejected
from kb_sync.sources.fields import Fields
from kb_sync.sources.source import Problem

_CUT_OFF = "ends in the middle of a record"
_AGAIN = "export it again"
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The fields of one article and where they are, for messages to people."""

    origin: str
    fields: Fields


def lines_to_records(text: str, name: str) -> Iterator[Record | Problem]:
    """Yield the record of each line of *text* that is not blank."""
    if text.lstrip().startswith("["):
        yield Problem(
            origin=name, problem="is a list, not one record a line", remedy="let its name end in .json"
        )
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _record_of(line, f"{name}:{number}")


def list_to_records(text: str, name: str) -> Iterator[Record | Problem]:
    """Yield the records of the list that *text* is; a problem with the list itself ends it."""
    place = _after_space(text, 0)
    if not text.startswith("[", place):
        remedy = "write a list of records, or one record a line in a file that ends in .jsonl"
        yield Problem(origin=name, problem="is no list of records", remedy=remedy)
        return
    place = _after_space(text, place + 1)
    if text.startswith("]", place):
        yield from _rest(text, place, name)
        return
    line, counted = 1, 0
    while True:
        line, counted = line + text.count("\n", counted, place), place
        origin = f"{name}:{line}"
        try:
            value, place = _DECODER.raw_decode(text, place)
        except _UNREADABLE as exc:
            yield _unreadable(exc, text, origin)
            return
        yield _record(value, origin)
        place = _after_space(text, place)
        if not text.startswith(",", place):
            yield from _rest(text, place, name)
            return
        place = _after_space(text, place + 1)


def _rest(text: str, place: int, name: str) -> Iterator[Problem]:
    """Yield a problem unless *text* has the end of the list at *place*, and nothing after it."""
    line = text.count("\n", 0, place) + 1
    origin = f"{name}:{line}"
    if place == len(text):
        yield Problem(origin=origin, problem=_CUT_OFF, remedy=_AGAIN)
    elif not text.startswith("]", place):
        yield Problem(origin=origin, problem="has no comma after a record", remedy=_AGAIN)
    elif _after_space(text, place + 1) != len(text):
        yield Problem(origin=origin, problem="goes on after the list of records", remedy=_AGAIN)


def _record_of(line: str, origin: str) -> Record | Problem:
    try:
        return _record(_DECODER.decode(line), origin)
    except _UNREADABLE as exc:
        return _unreadable(exc, line, origin)


def _record(value: object, origin: str) -> Record | Problem:
    if isinstance(value, dict):
        return Record(origin=origin, fields=value)
    return Problem(origin=origin, problem="is no record", remedy='write an object such as {"id": "KB1", …}')


def _unreadable(exc: Exception, text: str, origin: str) -> Problem:
    match exc:
        case InputRejected():
            return Problem(origin=origin, problem=f"its {exc.field} {exc.problem}", remedy=exc.remedy)
        case json.JSONDecodeError() if _is_cut_off(exc, text):
            return Problem(origin=origin, problem=_CUT_OFF, remedy=_AGAIN)
        case json.JSONDecodeError():
            return Problem(origin=origin, problem=f"is no JSON ({exc.msg})", remedy=_AGAIN)
        case RecursionError():
            return Problem(origin=origin, problem="is nested too deeply", remedy="write plain fields")
        case _:
            return Problem(origin=origin, problem=f"is no JSON ({exc})", remedy=_AGAIN)


def _is_cut_off(exc: json.JSONDecodeError, text: str) -> bool:
    return exc.pos >= len(text.rstrip()) or exc.msg.startswith("Unterminated string")


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _named_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise InputRejected(name, "is there twice", "keep one of them")
        fields[name] = value
    return fields


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no value of JSON")


# Numbers stay the text that was written: an id 1e3 is not 1000.0, and one of 5,000 digits is no error.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_named_once, parse_int=str, parse_float=str, parse_constant=_no_number
)
_UNREADABLE = (InputRejected, RecursionError, ValueError)
