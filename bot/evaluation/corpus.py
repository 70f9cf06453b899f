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
    kb: str | None = None


def read_corpus(path: Path, *, kb: str | None = None) -> tuple[Article, ...]:
    """Read a file of articles, or only those that *kb* names or that name no knowledge base.

    InputRejected names the line and the field, an id that stands twice, or a file without such an article.
    """
    articles: dict[ArticleId, Article] = {}
    for place, row in read_json_lines(path, _Row, _FORM):
        if kb is not None and row.kb not in {None, kb}:
            continue
        article = _to_article(row)
        if article.id in articles:
            raise InputRejected(place, f"id: {article.id} stands in an earlier line too", _FORM)
        articles[article.id] = article
    if not articles:
        whose = "" if kb is None else f" of the knowledge base {kb}"
        raise InputRejected(str(path), f"holds no article{whose}", "write one JSON object a line")
    return tuple(articles.values())


def _to_article(row: _Row) -> Article:
    return Article(id=ArticleId(row.id), title=row.title, body=row.text or row.body or "", url=row.url)
