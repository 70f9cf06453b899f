"""What a source of articles is, and how it says what is wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bot.core.knowledge import Article
from bot.errors import SourceRejected
from kb_sync.sources.fields import cleaned_article

Read = TypeVar("Read")

_NAMED_PROBLEMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedArticle:
    """An article and where in its source it is, for messages to people.

    Its body may be as the author wrote it, and is cleaned only when it has changed: cleaning takes ten times as long as all the rest.
    """

    article: Article
    origin: str
    is_clean: bool = True

    def clean(self) -> Article:
        """Return the article as it is stored."""
        return self.article if self.is_clean else cleaned_article(self.article)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something of a source that is no article, and why."""

    origin: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Everything that a source holds; `remarks` are sentences for the report."""

    articles: tuple[SourcedArticle, ...]
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[str, ...] = ()


class Reading(Protocol):
    """Who watches a source being read."""

    def read(self, pieces: int) -> None:
        """Say that so many more files, records or pages were read."""
        ...


class Source(Protocol):
    """Articles as their authors keep them."""

    @property
    def name(self) -> str:
        """Return what run records and reports call the source."""
        ...

    async def read(self, progress: Reading) -> Delivery:
        """Return every article, with ids that are unique.

        SourceRejected when any cannot be trusted, SourceUnavailable when any could not be fetched: an article that is
        not delivered was withdrawn by its author.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is wrong with one file or record, and what its author can do."""

    origin: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.problem}; {self.remedy}"


def divided(read: Iterable[Read | Problem], kind: type[Read]) -> tuple[list[Read], list[Problem]]:
    """Return what could be read, of type *kind*, and the problems, each in its order."""
    good: list[Read] = []
    problems: list[Problem] = []
    for one in read:
        if isinstance(one, kind):
            good.append(one)
        elif isinstance(one, Problem):
            problems.append(one)
    return good, problems


def rejection(problems: Iterable[Problem]) -> SourceRejected:
    """Return the error that names the problems, the first ones in full."""
    lines = [str(problem) for problem in problems]
    named = lines[:_NAMED_PROBLEMS]
    if more := len(lines) - len(named):
        named.append(f"and {more} more")
    return SourceRejected("\n".join(named))


def duplicates(articles: Iterable[SourcedArticle]) -> list[Problem]:
    """Return a problem for each article whose id an earlier one has."""
    first: dict[str, str] = {}
    problems = []
    for one in articles:
        earlier = first.setdefault(one.article.id, one.origin)
        if earlier != one.origin:
            problems.append(
                Problem(
                    origin=one.origin,
                    problem=f"its id {one.article.id} is also that of {earlier}",
                    remedy="give one of them another id",
                )
            )
    return problems
