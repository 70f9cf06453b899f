"""When the files of a folder were last written, as the git work tree around it tells. Git is only asked: nothing is changed or fetched.

A file that was renamed while its text stayed the same keeps its date.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_DEADLINE_S = 60.0
_SURROUNDINGS = (
    *("-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE"),  # set where git's own hooks start us
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    "GIT_NO_LAZY_FETCH=1",  # a partial clone would be completed over the network
    "LC_ALL=C",
)
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false")
_PLACE = ("rev-parse", "--is-shallow-repository", "--show-prefix")
_STATUS = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", ".")
_LOG = ("log", "--format=%x01%at", "-z", "--name-status", "-M100%", "--no-ext-diff", "--relative", "--", ".")
_NO_WORK_TREE = ("not a git repository", "must be run in a work tree")
_NO_COMMIT = "does not have any commits yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitDates:
    """Dates by path within the folder; `changed` are the files that are not as they were committed."""

    written_ms: Mapping[str, int] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    remark: str = ""


class _Untold(Exception):
    """Git does not tell; the message says why."""


async def git_dates(folder: Path, *, deadline_s: float = _DEADLINE_S) -> GitDates:
    """Return what git tells of *folder*: no dates when it cannot, and then a remark where a person can help."""
    if shutil.which("git") is None:
        return GitDates()
    try:
        async with asyncio.timeout(deadline_s):
            return await _told(folder)
    except TimeoutError:
        return GitDates(remark=_remark(f"git takes longer than {deadline_s:g} s"))
    except _Untold as exc:
        is_expected = any(sign in str(exc) for sign in _NO_WORK_TREE)
        return GitDates() if is_expected else GitDates(remark=_remark(str(exc)))


def written_ms(log: str) -> dict[str, int]:
    """Return when each file of *log* was last written, newest commit first; a mere renaming is no writing."""
    dates: dict[str, int] = {}
    today: dict[str, str] = {}  # what files of an older name are called now
    at_ms = 0
    pieces = iter(log.split("\0"))
    for piece in pieces:
        sign = piece.lstrip("\n")
        if sign.startswith("\x01"):
            at_ms = int(sign[1:]) * 1000
        elif sign.startswith(("R", "C")):
            old, new = next(pieces, ""), next(pieces, "")
            if sign == "R100" and new not in dates:
                today[old] = today.pop(new, new)
            else:
                dates.setdefault(today.pop(new, new), at_ms)
        elif sign:
            path = next(pieces, "")
            if sign != "D":
                dates.setdefault(today.get(path, path), at_ms)
    return dates


def changed(status: str, prefix: str) -> frozenset[str]:
    """Return the files of *status* that are not as committed, by their paths below *prefix*."""
    return frozenset(entry[3:].removeprefix(prefix) for entry in status.split("\0") if entry)


async def _told(folder: Path) -> GitDates:
    is_shallow, prefix = _lines(await _git(folder, *_PLACE))
    if is_shallow == "true":
        return GitDates(remark=_remark("the clone is shallow: complete it with `git fetch --unshallow`"))
    differing = changed(await _git(folder, *_STATUS), prefix)
    try:
        return GitDates(written_ms=written_ms(await _git(folder, *_LOG)), changed=differing)
    except _Untold as exc:
        if _NO_COMMIT not in str(exc):
            raise
        return GitDates(changed=differing)


async def _git(folder: Path, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *("env", *_SURROUNDINGS, *_GIT, "-C", str(folder), *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        told, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise _Untold(next(_filled(complaint.decode(errors="replace")), f"exit code {process.returncode}"))
    return os.fsdecode(told)


def _lines(text: str) -> tuple[str, str]:
    first, _, second = text.partition("\n")
    return first, second.removesuffix("\n")


def _filled(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


def _remark(reason: str) -> str:
    return f"articles without last_modified have no date, because git does not tell it: {reason}"
