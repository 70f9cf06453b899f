"""Folders of articles for tests, and sources that need no folder."""

from dataclasses import dataclass, replace
from pathlib import Path

from bot.core.knowledge import Article, ArticleId
from kb_sync.sources.source import Delivery, Reading, SourcedArticle


def an_article(number: int = 1, **fields) -> Article:
    """Return an article that differs from that of every other number."""
    article = Article(
        id=ArticleId(f"KB{number}"),
        title=f"Article {number}",
        body=f"Open the calendar and choose day {number}.",
    )
    return replace(article, **fields)


@dataclass
class ListSource:
    """A source that holds what a test says; `fails` is raised instead when it is set."""

    articles: list[Article]
    fails: Exception | None = None
    name: str = "a list"

    async def read(self, progress: Reading) -> Delivery:
        if self.fails is not None:
            raise self.fails
        progress.read(len(self.articles))
        return Delivery(
            articles=tuple(SourcedArticle(article=one, origin=f"{one.id}.md") for one in self.articles)
        )


@dataclass
class CountedReading:
    """How many pieces of a source were read."""

    pieces: int = 0

    def read(self, pieces: int) -> None:
        self.pieces += pieces


def write_article(folder: Path, name: str, front: str, body: str = "Open the calendar.") -> Path:
    """Write a Markdown file with front matter."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\n{front.strip()}\n---\n\n{body}\n", encoding="utf-8")
    return file
