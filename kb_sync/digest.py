"""What tells whether an article changed since the last sync (FAULTS K8)."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping

from bot.core.knowledge import Article, ArticleId
from kb_sync.sources.cleaning import CLEANER

_TO_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def article_digest(article: Article) -> str:
    """Return the same digest for the same article however its text is composed, broken into lines or padded.

    It is that of the body as it was delivered, so the cleaner's version is part of it. A list in canonical JSON keeps fields apart, which joined text would not: "ab" + "c" is "a" + "bc".
    """
    fields = [
        _canonical(article.title),
        _canonical(article.body),
        _canonical(article.url),
        _canonical(article.category),
        [_canonical(tag) for tag in article.tags],
        article.locale,
        article.status.value,
        list(article.supersedes),
        article.last_modified_ms,
        article.evergreen,
        CLEANER,
    ]
    return hashlib.sha256(_TO_JSON(fields).encode("utf-8", "surrogatepass")).hexdigest()


def source_digest(digests: Mapping[ArticleId, str], withdrawn: Iterable[ArticleId] = ()) -> str:
    """Return what stands for a whole source, in whatever order it delivers: a state that was rolled back is known by it."""
    pairs = sorted([*digests.items(), *((one, "") for one in withdrawn)])
    return hashlib.sha256(_TO_JSON(pairs).encode()).hexdigest()


def _canonical(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
