"""What is written into a generation while it is built. Its documents carry the token of the sync that wrote them.

A sync that lost its lock is told so at its next call. What it may still be writing then can replace nothing of the one that took over,
because a document is replaced only by a token that is not older; and what it may still add is in no manifest, and is never read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.adapters.mongo.blocking import SLICE, BlockingDatabase, Document
from bot.adapters.mongo.knowledge_documents import (
    articles_in,
    from_article,
    from_passage,
    passages_in,
    to_standing,
)
from bot.adapters.mongo.knowledge_state import State
from bot.core.indexing import Standing, passage_digest, statuses_in_force
from bot.core.knowledge import Article, ArticleId, Passage, Vector
from bot.errors import RetrievalUnavailable

VECTORS, MANIFESTS = "vectors", "manifests"
_LIGHT = {"body": 0, "terms": 0}


def digests_of(database: BlockingDatabase, generation: str) -> dict[ArticleId, str]:
    """Return the digest of each article of a generation that is not retired."""
    found = database.find(articles_in(generation), {"retired": 0}, fields={"digest": 1})
    return {ArticleId(one["_id"]): one["digest"] for one in found}


def retired_of(database: BlockingDatabase, generation: str) -> frozenset[ArticleId]:
    """Return the articles that a generation keeps as retired."""
    found = database.find(articles_in(generation), {"retired": 1}, fields={"retired": 1})
    return frozenset(ArticleId(one["_id"]) for one in found)


def known_vectors(database: BlockingDatabase, fingerprint: str, digests: Sequence[str]) -> dict[str, Vector]:
    """Return the vectors that are remembered for texts with these digests."""
    known: dict[str, Vector] = {}
    wanted = [f"{fingerprint}:{one}" for one in dict.fromkeys(digests)]
    for start in range(0, len(wanted), SLICE * 10):
        for one in database.find(VECTORS, {"_id": {"$in": wanted[start : start + SLICE * 10]}}):
            known[one["digest"]] = tuple(one["vector"])
    return known


def replace_article(
    database: BlockingDatabase,
    token: int,
    where: tuple[str, str, str | None],
    article: Article,
    cut: tuple[str, Sequence[Passage]],
    *,
    at_ms: int,
) -> None:
    """Put one article into a build; *where* is the build, its fingerprint and the live generation, *cut* its digest and passages."""
    (build, fingerprint, live), (digest, passages) = where, cut
    vectors = known_vectors(database, fingerprint, [passage_digest(one.embedded_text) for one in passages])
    texts = {passage_digest(one.embedded_text) for one in passages}
    if missing := len(texts - vectors.keys()):
        raise RetrievalUnavailable(f"article {article.id}: {missing} of its texts have no vector")
    before = None if live is None else database.find_one(articles_in(live), {"_id": article.id})
    same = before is not None and before["digest"] == digest
    document = from_article(
        article,
        digest,
        passages,
        token=token,
        written_ms=before["written_ms"] if before is not None and same else at_ms,
        added_ms=at_ms if before is None else before["added_ms"],
    )
    rows = [
        from_passage(article, digest, one, vectors[passage_digest(one.embedded_text)], token=token)
        for one in passages
    ]
    _write(database, build, token, document, rows)


def carry_over(
    database: BlockingDatabase,
    token: int,
    build: str,
    live: str,
    articles: Sequence[ArticleId],
    *,
    with_passages: bool,
) -> None:
    """Copy articles of the live generation into a build; *with_passages* is false where they are of another model."""
    for start in range(0, len(articles), SLICE):
        some = list(articles[start : start + SLICE])
        wanted: dict[str, object] = (
            {"_id": {"$in": some}} if with_passages else {"_id": {"$in": some}, "retired": 1}
        )
        found = database.find(articles_in(live), wanted)
        theirs = [one["_id"] for one in found]
        rows = database.find(passages_in(live), {"article_id": {"$in": theirs}}) if with_passages else []
        _put_all(database, build, token, found, rows)


def retire(
    database: BlockingDatabase, token: int, build: str, live: str | None, articles: Sequence[ArticleId]
) -> None:
    """Keep articles of a build as retired; those that it lacks come from the live generation, without their passages."""
    there = {
        one["_id"]
        for one in database.find(articles_in(build), {"_id": {"$in": list(articles)}}, fields={"_id": 1})
    }
    missing = [one for one in articles if one not in there]
    if live is not None and missing:
        _put_all(database, build, token, database.find(articles_in(live), {"_id": {"$in": missing}}), [])
    of_ours: dict[str, object] = {"_id": {"$in": list(articles)}, "token": {"$lte": token}}
    database.update_all(articles_in(build), of_ours, {"$set": {"retired": 1, "token": token}})


def leave_out(database: BlockingDatabase, token: int, build: str, articles: Sequence[ArticleId]) -> None:
    """Take articles out of a build."""
    of_ours = {"token": {"$lte": token}}
    database.delete(passages_in(build), {"article_id": {"$in": list(articles)}, **of_ours})
    database.delete(articles_in(build), {"_id": {"$in": list(articles)}, **of_ours})


def take_over(database: BlockingDatabase, token: int, build: str) -> None:
    """Give every document of an interrupted build the token of the sync that goes on with it."""
    older = {"token": {"$lt": token}}
    database.update_all(articles_in(build), older, {"$set": {"token": token}})
    database.update_all(passages_in(build), older, {"$set": {"token": token}})


def settle(database: BlockingDatabase, state: State, generation: str) -> None:
    """Let the passages of each article carry the status in force, which depends on the other articles and on decisions."""
    for article, status in statuses_in_force(standings_of(database, state, generation)).items():
        database.update_all(
            passages_in(generation),
            {"article_id": article, "status": {"$ne": str(status)}},
            {"$set": {"status": str(status)}},
        )


def standings_of(database: BlockingDatabase, state: State, generation: str) -> tuple[Standing, ...]:
    """Return what each article of a generation says, with what people decided."""
    fields = {"status": 1, "supersedes": 1, "retired": 1}
    return state.decided(map(to_standing, database.find(articles_in(generation), {}, fields=fields)))


def write_manifest(database: BlockingDatabase, generation: str) -> None:
    """Write down what a generation consists of; what is written into its collections later is in it no more."""
    found = database.find(articles_in(generation), {}, fields={"digest": 1})
    members = [[one["_id"], one["digest"]] for one in found]
    database.put(MANIFESTS, {"_id": generation, "members": members})


def counted(database: BlockingDatabase, generation: str) -> tuple[int, int]:
    """Return how many articles a generation has that are not retired, and their passages."""
    found = database.find(articles_in(generation), {"retired": 0}, fields={"passages": 1})
    return len(found), sum(int(one["passages"]) for one in found)


def _put_all(
    database: BlockingDatabase, build: str, token: int, articles: Sequence[Document], rows: Sequence[Document]
) -> None:
    by_article: dict[str, list[Document]] = {one["_id"]: [] for one in articles}
    for row in rows:
        by_article[row["article_id"]].append({**row, "token": token})
    for one in articles:
        _write(database, build, token, {**one, "token": token}, by_article[one["_id"]])


def _write(
    database: BlockingDatabase, build: str, token: int, article: Mapping[str, Any], rows: Sequence[Document]
) -> None:
    """Write an article's passages, and then the article, which counts only with them."""
    of_ours = {"article_id": article["_id"], "token": {"$lte": token}}
    database.delete(passages_in(build), of_ours)
    database.insert_all(passages_in(build), rows)
    replaced = database.replace(
        articles_in(build), {"_id": article["_id"], "token": {"$lte": token}}, dict(article)
    )
    if not replaced:
        database.insert(articles_in(build), dict(article))
