"""A folder of Markdown files with front matter, one article each, folders within it included.

Hidden files are passed over. Anything that cannot be read rejects the whole source: a file that is missing by accident
must never look like an article that was withdrawn. In a git work tree an article that names no date has that of its file.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from bot.errors import InputRejected, SourceRejected
from kb_sync.sources.fields import Fields, as_delivered
from kb_sync.sources.git_dates import GitDates, git_dates
from kb_sync.sources.source import Delivery, Problem, Reading, SourcedArticle, divided, duplicates, rejection

_SUFFIXES = frozenset({".md", ".markdown"})
_AT_ONCE = 100  # files between two reports of progress
_FENCE = re.compile(r"---[ \t]*")
_NULL, _TEXT = "tag:yaml.org,2002:null", "tag:yaml.org,2002:str"


class _PlainLoader(yaml.CSafeLoader):
    """YAML whose scalars stay text: an id 007 keeps its zeros, and the locale `no` is Norwegian, not false."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the name and form that PyYAML reads
        first: [entry for entry in resolvers if entry[0] == _NULL]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:  # noqa: FBT001, FBT002 - PyYAML's form
        """Return a text at once: it is most of a front matter, and the long way takes most of the time of reading one."""
        if isinstance(node, yaml.ScalarNode) and node.tag == _TEXT:
            return node.value
        return super().construct_object(node, deep)


class MarkdownFolder:
    """The articles of a folder, in the order of their paths."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return str(self._folder)

    async def read(self, progress: Reading) -> Delivery:
        files = await asyncio.to_thread(lambda: tuple(_files(self._folder)))
        articles: list[SourcedArticle] = []
        problems: list[Problem] = []
        for start in range(0, len(files), _AT_ONCE):
            slice_ = files[start : start + _AT_ONCE]
            good, bad = divided(await asyncio.to_thread(self._read_all, slice_), SourcedArticle)
            articles.extend(good)
            problems.extend(bad)
            progress.read(len(slice_))
        problems.extend(duplicates(articles))
        if problems:
            raise rejection(problems)
        if not articles:
            raise SourceRejected(
                f"{self._folder}: there is no .md file in it; name the folder that holds the articles"
            )
        return await self._dated(articles)

    def _read_all(self, files: Sequence[Path]) -> list[SourcedArticle | Problem]:
        return [_read(path, path.relative_to(self._folder).as_posix()) for path in files]

    async def _dated(self, articles: Sequence[SourcedArticle]) -> Delivery:
        """Give articles that name no date the one that git tells."""
        if all(one.article.last_modified_ms is not None for one in articles):
            return Delivery(articles=tuple(articles))
        dates = await git_dates(self._folder)
        return Delivery(
            articles=tuple(self._with_date(one, dates) for one in articles),
            remarks=(dates.remark,) if dates.remark else (),
        )

    def _with_date(self, one: SourcedArticle, dates: GitDates) -> SourcedArticle:
        if one.article.last_modified_ms is not None:
            return one
        is_changed = one.origin in dates.changed
        at_ms = _saved_ms(self._folder / one.origin) if is_changed else dates.written_ms.get(one.origin)
        return replace(one, article=replace(one.article, last_modified_ms=at_ms))


def _files(folder: Path) -> Iterator[Path]:
    if not folder.exists():
        raise SourceRejected(f"{folder}: there is no such folder; name the one that holds the articles")
    if not folder.is_dir():
        raise SourceRejected(f"{folder}: is a file; name the folder that holds the articles")
    yield from _walk(folder, above=frozenset())


def _walk(folder: Path, *, above: frozenset[Path]) -> Iterator[Path]:
    """Yield article files by path; SourceRejected on a folder that cannot be listed or that contains itself."""
    real = folder.resolve()
    if real in above:
        raise SourceRejected(f"{folder}: is a link to a folder that contains it; remove the link")
    try:
        entries = sorted(folder.iterdir())
    except OSError as exc:
        raise SourceRejected(f"{folder}: cannot be listed ({exc.strerror}); let this user read it") from exc
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(entry, above=above | {real})
        elif entry.suffix.lower() in _SUFFIXES:
            yield entry


def _saved_ms(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except OSError:
        return None  # it was moved away since it was read


def _read(path: Path, origin: str) -> SourcedArticle | Problem:
    if not path.is_file() and path.exists():
        return Problem(origin=origin, problem="is no file", remedy="remove it")
    try:
        data = path.read_bytes()
    except OSError as exc:
        return Problem(
            origin=origin, problem=f"cannot be read ({exc.strerror})", remedy="let this user read it"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = data.count(b"\n", 0, exc.start) + 1
        return Problem(origin=f"{origin}:{line}", problem="is not UTF-8 text", remedy="save it as UTF-8")
    return _parsed(text, origin)


def _parsed(text: str, origin: str) -> SourcedArticle | Problem:
    front, body, problem = _split(text)
    if problem:
        return Problem(
            origin=origin, problem=problem, remedy="begin it with lines `---`, `id: …`, `title: …`, `---`"
        )
    try:
        fields = _fields(front)
        return SourcedArticle(
            article=as_delivered(fields, _body(fields, body)), origin=origin, is_clean=False
        )
    except yaml.YAMLError as exc:
        return _yaml_problem(exc, origin)
    except InputRejected as exc:
        line = _line_of(exc.field, front)
        return Problem(origin=f"{origin}:{line}", problem=f"its {exc.field} {exc.problem}", remedy=exc.remedy)


def _split(text: str) -> tuple[str, str, str]:
    """Return front matter, body, and what is wrong with their form (empty when nothing is)."""
    if not text.strip():
        return "", "", "is empty"
    lines = text.splitlines(keepends=True)
    if not _FENCE.fullmatch(lines[0].strip("\r\n")):
        return "", "", "has no front matter"
    for number, line in enumerate(lines[1:], start=1):
        if _FENCE.fullmatch(line.strip("\r\n")):
            return "".join(lines[1:number]), "".join(lines[number + 1 :]), ""
    return "", "", "its front matter has no end"


def _fields(front: str) -> Fields:
    try:
        loaded: object = yaml.load(front, Loader=_PlainLoader)  # noqa: S506 - a safe loader that resolves less
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as exc:
        # A tag such as !!timestamp on another text, or a thousand open brackets, ends in an error that is not YAML's.
        raise yaml.YAMLError(f"{type(exc).__name__}, {exc}") from exc
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise yaml.YAMLError("it is not a list of `name: value` lines")
    return {str(name): value for name, value in loaded.items()}


def _body(fields: Fields, below: str) -> str | None:
    """Return the text below the front matter; None when it is blank and a field may hold the body."""
    return below if below.strip() or not {"body", "text"} & fields.keys() else None


def _yaml_problem(exc: yaml.YAMLError, origin: str) -> Problem:
    remedy = "correct it; a value with a colon or a quotation mark must be quoted"
    if isinstance(exc, yaml.MarkedYAMLError) and exc.problem_mark is not None:
        place = f"{origin}:{exc.problem_mark.line + 2}"  # counted from 0, below the line ---
        return Problem(origin=place, problem=f"its front matter cannot be read: {exc.problem}", remedy=remedy)
    return Problem(origin=origin, problem=f"its front matter cannot be read: {exc}", remedy=remedy)


def _line_of(field: str, front: str) -> int:
    """Return the line of the file that sets *field*, the first when none does."""
    for number, line in enumerate(front.splitlines(), start=2):
        if line.startswith(f"{field}:"):
            return number
    return 1
