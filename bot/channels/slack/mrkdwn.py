"""Slack's own markup: how text is kept from being read as signs, and how what people write in Slack becomes plain text. Pure."""

import re
from collections.abc import Callable, Mapping

from rich.emoji import Emoji

SOMEBODY = "@someone"  # whose name is not known
A_CHANNEL = "#channel"
_FSI, _PDI = "\u2068", "\u2069"
_OPENING_ISOLATES = frozenset("\u2066\u2067\u2068")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_JOINER = "\u2060"  # a sign without width that is part of no name
_HAIR_SPACE = "\u200a"  # next to which a mark formats nothing
_NAMED = re.compile(r"(?<=:)(?=[a-z0-9_+'-]+:)|(?<=@)(?=(?:here|channel|everyone)\b)", re.IGNORECASE)
_OPENING_MARK = re.compile(r"(?<!\w)([*_~])(?=\S)")
_CLOSING_MARK = re.compile(r"(?<=\S)(?<!\u200a)([*_~])(?!\w)(?!\u200a)")
_QUOTING = re.compile(r"^([^\S\n]*)(?=&gt;)", re.MULTILINE)
_SKIN = re.compile(r":skin-tone-[2-6]:")
_EMOJI = re.compile(r"(?<!\w):[a-z0-9_+'-]+:(?!\w)")
_TOKEN = re.compile(r"<([^<>\n]+)>|&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}


def escaped(text: str) -> str:
    """Return text as mrkdwn that mentions nobody, links nowhere and turns nothing around it; its own line breaks stay."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return isolated(_NAMED.sub(_JOINER, safe))


def literal(text: str) -> str:
    """Return text as mrkdwn in which nothing is formatted either."""
    marked = _OPENING_MARK.sub(rf"\1{_HAIR_SPACE}", escaped(text).replace("`", "\u02cb"))
    return _QUOTING.sub(rf"\1{_JOINER}", _CLOSING_MARK.sub(rf"{_HAIR_SPACE}\1", marked))


def inline(text: str) -> str:
    """Return text as mrkdwn for the middle of a line: a name, a title."""
    return literal(" ".join(text.replace("*", "\u2217").split()))


def isolated(text: str) -> str:
    """Return text that cannot turn what stands beside it from left to right, line by line."""
    return "\n".join(_isolated_line(line) if _TURNING.search(line) else line for line in text.split("\n"))


def link(url: str, label: str) -> str:
    """Return a link; *url* is one that may be followed, *label* plain text."""
    address = url.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")
    shown = " ".join(escaped(label.replace("|", "\u00a6")).split())
    return f"<{address}|{shown}>" if shown else f"<{address}>"


def from_mrkdwn(text: str, names: Mapping[str, str]) -> str:
    """Return what a person wrote in Slack as plain text; *names* are of people and channels by their Slack ids.

    What an address, a mention or an entity stands for is read once, so that nobody can write one that only appears afterwards.
    """
    parts: list[str] = []
    at = 0
    for token in _TOKEN.finditer(text):
        parts += (_with_emoji(text[at : token.start()]), _read(token, names))
        at = token.end()
    return "".join((*parts, _with_emoji(text[at:])))


def _isolated_line(line: str) -> str:
    depth, kept = 0, []
    for character in line:
        if character == _PDI and depth == 0:
            continue
        depth += (character in _OPENING_ISOLATES) - (character == _PDI)
        kept.append(character)
    return f"{_FSI}{''.join(kept)}{_PDI * depth}{_PDI}"


def _with_emoji(text: str) -> str:
    return _EMOJI.sub(lambda found: Emoji.replace(found[0]), _SKIN.sub("", text))


def _read(token: re.Match[str], names: Mapping[str, str]) -> str:
    if token[2]:
        return _ENTITIES[token[2]]
    target, _, label = token[1].partition("|")
    read = _READERS.get(target[:1], _read_link)
    return read(target, _unescaped(label), names)


def _read_person(target: str, label: str, names: Mapping[str, str]) -> str:
    name = names.get(target[1:]) or label
    return f"@{name.removeprefix('@')}" if name else SOMEBODY


def _read_channel(target: str, label: str, names: Mapping[str, str]) -> str:
    name = names.get(target[1:]) or label
    return f"#{name.removeprefix('#')}" if name else A_CHANNEL


def _read_command(target: str, label: str, _names: Mapping[str, str]) -> str:
    """A broadcast, a group or a date: its label where it has one."""
    word = target[1:].partition("^")[0]
    return label or ("" if word == "date" else f"@{'group' if word == 'subteam' else word}")


def _read_link(target: str, label: str, _names: Mapping[str, str]) -> str:
    url = _unescaped(target).removeprefix("mailto:").removeprefix("tel:")
    if not label or label in (url, _bare(url)):
        return label or url
    return f"{label} ({url})"


def _bare(url: str) -> str:
    return url.partition("://")[2].rstrip("/")


def _unescaped(text: str) -> str:
    return _TOKEN.sub(lambda found: _ENTITIES.get(found[2] or "", found[0]), text)


_READERS: Mapping[str, Callable[[str, str, Mapping[str, str]], str]] = {
    "@": _read_person,
    "#": _read_channel,
    "!": _read_command,
}
