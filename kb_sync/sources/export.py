"""A file that some other system exported, one record for each article: JSONL, JSON, CSV or TSV.

Anything that cannot be read rejects the whole file: an article that is missing by accident must never look withdrawn.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from bot.errors import InputRejected, SourceRejected
from kb_sync.sources.export_records import Record, lines_to_records, list_to_records
from kb_sync.sources.export_table import table_to_records
from kb_sync.sources.export_text import text_of
from kb_sync.sources.fields import as_delivered
from kb_sync.sources.source import (
    Delivery,
    Problem,
    Reading,
    SourcedArticle,
    divided,
    duplicates,
    rejection,
)

_AT_ONCE = 100  # records between two reports of progress
_MOST_BYTES = 1_000_000_000
_READERS: Mapping[str, Callable[[str, str], Iterator[Record | Problem]]] = {
    ".jsonl": lines_to_records,
    ".ndjson": lines_to_records,
    ".json": list_to_records,
    ".csv": partial(table_to_records, delimiter=","),
    ".tsv": partial(table_to_records, delimiter="\t"),
}
EXPORT_SUFFIXES = frozenset(_READERS)


class ArticleExport:
    """The articles of a file, in its order."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def name(self) -> str:
        return str(self._file)

    async def read(self, progress: Reading) -> Delivery:
        records, problems = divided(await asyncio.to_thread(self._records), Record)
        articles: list[SourcedArticle] = []
        for start in range(0, len(records), _AT_ONCE):
            read = await asyncio.to_thread(_articles, records[start : start + _AT_ONCE])
            good, bad = divided(read, SourcedArticle)
            articles.extend(good)
            problems.extend(bad)
            progress.read(len(read))
        problems.extend(duplicates(articles))
        if problems:
            raise rejection(problems)
        if not articles:
            raise SourceRejected(f"{self._file.name}: holds no articles; export it again")
        return Delivery(articles=tuple(articles))

    def _records(self) -> list[Record | Problem]:
        text = text_of(self._bytes(), self._file.name)
        if isinstance(text, Problem):
            return [text]
        return list(_READERS[self._file.suffix.lower()](text, self._file.name))

    def _bytes(self) -> bytes:
        try:
            if self._file.exists() and not self._file.is_file():
                raise SourceRejected(f"{self._file}: is no file; name the one that holds the articles")
            if self._file.stat().st_size > _MOST_BYTES:
                raise SourceRejected(f"{self._file}: is larger than 1 GB; export fewer articles")
            return self._file.read_bytes()
        except FileNotFoundError as exc:
            raise SourceRejected(
                f"{self._file}: there is no such file; name the one that holds the articles"
            ) from exc
        except OSError as exc:
            raise SourceRejected(
                f"{self._file}: cannot be read ({exc.strerror}); let this user read it"
            ) from exc


def _articles(records: Sequence[Record]) -> list[SourcedArticle | Problem]:
    return [_article(record) for record in records]


def _article(record: Record) -> SourcedArticle | Problem:
    try:
        return SourcedArticle(article=as_delivered(record.fields), origin=record.origin, is_clean=False)
    except InputRejected as exc:
        return Problem(origin=record.origin, problem=f"its {exc.field} {exc.problem}", remedy=exc.remedy)
