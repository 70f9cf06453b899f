"""The bytes of an export to text, or one sentence about what the file is instead. Pure."""

import codecs

from kb_sync.sources.source import Problem

_AGAIN = "export it again"
_UNPACK = "unpack it"
_AS_CSV = "save the sheet as CSV"
_BEGINNINGS = (
    (b"PK\x03\x04", "is a ZIP archive or a workbook", f"{_UNPACK}, or {_AS_CSV}"),
    (b"PK\x05\x06", "is an empty ZIP archive", _AGAIN),
    (b"\xd0\xcf\x11\xe0", "is a workbook", _AS_CSV),
    (b"\x1f\x8b", "is packed by gzip", _UNPACK),
    (b"%PDF-", "is a PDF", "export it as JSONL or CSV"),
)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_AS_UTF_8 = "save it as UTF-8"


def text_of(data: bytes, name: str) -> str | Problem:
    """Return the text of the file *name*, without a byte order mark."""
    for beginning, problem, remedy in _BEGINNINGS:
        if data.startswith(beginning):
            return Problem(origin=name, problem=problem, remedy=remedy)
    if data.startswith(_UTF_16) or b"\0" in data[:4]:
        return Problem(origin=name, problem="is UTF-16 text", remedy=_AS_UTF_8)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        return Problem(origin=_at(name, data, exc.start), problem="is not UTF-8 text", remedy=_AS_UTF_8)
    return _checked(text, name)


def _checked(text: str, name: str) -> str | Problem:
    beginning = text[:1000].lstrip().lower()
    if not text.strip():
        return Problem(origin=name, problem="is empty", remedy=_AGAIN)
    if "\0" in text:  # a disk that was full, or a machine that lost power, leaves such a file behind
        return Problem(origin=name, problem="holds zero bytes", remedy=_AGAIN)
    if beginning.startswith(("<!doctype html", "<html")):
        remedy = f"sign in where it comes from and {_AGAIN}"
        return Problem(origin=name, problem="is a web page, not an export", remedy=remedy)
    if beginning.startswith("<"):
        return Problem(origin=name, problem="is XML, not an export", remedy="export it as JSONL or CSV")
    return text


def _at(name: str, data: bytes, place: int) -> str:
    line = data.count(b"\n", 0, place) + 1
    return f"{name}:{line}"
