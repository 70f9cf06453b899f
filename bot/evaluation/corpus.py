"""Articles as evaluation sets hold them: JSONL with id, title and text or body."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bot.core.knowledge import Article, ArticleId
from bot.errors import InputRejected
from bot.evaluation.json_lines import read_json_lines

_FORM = "give each article an id of its own and a text"


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: str
    title: str = ""
    text: str | None = None
    body: str | None = None
    url: str = ""


def read_corpus(path: Path) -> tuple[Article, ...]:
    """Read a file of articles; InputRejected names the line and the field, an id that stands twice, or an empty file."""
    articles: dict[ArticleId, Article] = {}
    for place, row in read_json_lines(path, _Row, _FORM):
        article = _to_article(row)
        if article.id in articles:
            raise InputRejected(place, f"id: {article.id} stands in an earlier line too", _FORM)
        articles[article.id] = article
    if not articles:
        raise InputRejected(str(path), "holds no article", "write one JSON object a line")
    return tuple(articles.values())


def _to_article(row: _Row) -> Article:
    return Article(id=ArticleId(row.id), title=row.title, body=row.text or row.body or "", url=row.url)
