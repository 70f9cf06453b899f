"""What is written into a generation while it is built. Its documents carry the token of the sync that wrote them.

A sync that lost its lock is told so at its next call. What it may still be writing then can replace nothing of the one that took over,
because a document is replaced only by a token that is not older; and what it may still add is in no manifest, and is never read.
"""

from collections import Counter
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
from bot.adapters.mongo.knowledge_state import ATTEMPTS, State, StateDocument
from bot.core.indexing import Standing, passage_digest, statuses_in_force
from bot.core.knowledge import Article, ArticleId, Passage, Vector
from bot.errors import RetrievalUnavailable
from bot.sync_ports import GenerationState

VECTORS, MANIFESTS = "vectors", "manifests"
_LIGHT = {"body": 0, "terms": 0}


def digests_of(database: BlockingDatabase, state: State, generation: str) -> dict[ArticleId, str]:
    """Return the digest of each article of a generation that is not retired."""
    ours = {"retired": 0, **state.counting(generation)}
    found = database.find(articles_in(generation), ours, fields={"digest": 1})
    return {ArticleId(one["_id"]): one["digest"] for one in found}


def retired_of(database: BlockingDatabase, state: State, generation: str) -> frozenset[ArticleId]:
    """Return the articles that a generation keeps as retired."""
    ours = {"retired": 1, **state.counting(generation)}
    found = database.find(articles_in(generation), ours, fields={"retired": 1})
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
    where: tuple[State, str],
    article: Article,
    cut: tuple[str, Sequence[Passage]],
    *,
    at_ms: int,
) -> None:
    """Put one article into the build of a state; *cut* is its digest and passages."""
    (state, build), (digest, passages) = where, cut
    fingerprint = state.build(build).fingerprint
    vectors = known_vectors(database, fingerprint, [passage_digest(one.embedded_text) for one in passages])
    texts = {passage_digest(one.embedded_text) for one in passages}
    if missing := len(texts - vectors.keys()):
        raise RetrievalUnavailable(f"article {article.id}: {missing} of its texts have no vector")
    before = next(iter(_live_articles(database, state, {"_id": article.id})), None)
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
    state: State,
    build: str,
    articles: Sequence[ArticleId],
) -> None:
    """Copy articles of the live generation into a build; of another model only those that are retired, without their passages."""
    live = state.in_state(GenerationState.LIVE)
    if live is None:
        return
    with_passages = live.fingerprint == state.build(build).fingerprint
    for start in range(0, len(articles), SLICE):
        some = list(articles[start : start + SLICE])
        wanted: dict[str, object] = (
            {"_id": {"$in": some}} if with_passages else {"_id": {"$in": some}, "retired": 1}
        )
        found = _live_articles(database, state, wanted)
        theirs = {"article_id": {"$in": [one["_id"] for one in found]}, **state.counting(live.id)}
        rows = database.find(passages_in(live.id), theirs) if with_passages else []
        _put_all(database, build, token, found, rows)


def retire(
    database: BlockingDatabase, token: int, state: State, build: str, articles: Sequence[ArticleId]
) -> None:
    """Keep articles of a build as retired; those that it lacks come from the live generation, without their passages."""
    there = {
        one["_id"]
        for one in database.find(articles_in(build), {"_id": {"$in": list(articles)}}, fields={"_id": 1})
    }
    missing = [one for one in articles if one not in there]
    if missing:
        _put_all(database, build, token, _live_articles(database, state, {"_id": {"$in": missing}}), [])
    of_ours: dict[str, object] = {"_id": {"$in": list(articles)}, "token": {"$lte": token}}
    database.update_all(articles_in(build), of_ours, {"$set": {"retired": 1, "token": token}})


def leave_out(database: BlockingDatabase, token: int, build: str, articles: Sequence[ArticleId]) -> None:
    """Take articles out of a build."""
    of_ours = {"token": {"$lte": token}}
    database.delete(passages_in(build), {"article_id": {"$in": list(articles)}, **of_ours})
    database.delete(articles_in(build), {"_id": {"$in": list(articles)}, **of_ours})


def take_over(database: BlockingDatabase, token: int, build: str) -> None:
    """Give every whole article of an interrupted build the token of the sync that goes on with it.

    One whose passages are not all there is taken out, to be written again: whoever wrote it before may still have been at it.
    """
    older = {"token": {"$lt": token}}
    database.update_all(passages_in(build), older, {"$set": {"token": token}})
    database.update_all(articles_in(build), older, {"$set": {"token": token}})
    ours = {"token": token}
    fields = {"article_id": 1, "article_digest": 1}
    there = Counter(
        (one["article_id"], one["article_digest"])
        for one in database.find(passages_in(build), ours, fields=fields)
    )
    found = database.find(articles_in(build), {**ours, "retired": 0}, fields={"digest": 1, "passages": 1})
    torn = [ArticleId(one["_id"]) for one in found if there[one["_id"], one["digest"]] != one["passages"]]
    if torn:
        leave_out(database, token, build, torn)


def drop_late(database: BlockingDatabase, state: State, build: str) -> None:
    """Drop what a sync wrote into a build after another had opened it."""
    late = {"token": {"$lt": state.opened.get(build, 0)}}
    database.delete(passages_in(build), late)
    database.delete(articles_in(build), late)


def settle(database: BlockingDatabase, state: State, generation: str, *, token: int) -> None:
    """Let the passages of each article carry the status in force, which depends on the other articles and on decisions.

    Those of a sync that is newer than *token* are left alone: it has seen more.
    """
    for article, status in statuses_in_force(standings_of(database, state, generation)).items():
        others = {"article_id": article, "status": {"$ne": str(status)}, "token": {"$lte": token}}
        database.update_all(passages_in(generation), others, {"$set": {"status": str(status)}})


def settle_as_decided(state: StateDocument, generation: str, *, token: int) -> None:
    """Settle what is live, and once more when somebody has decided meanwhile: the statuses of the last decision must stay."""
    for _ in range(ATTEMPTS):
        before = state.read()
        settle(state.database, before, generation, token=token)
        if state.read().decisions == before.decisions:
            return


def standings_of(database: BlockingDatabase, state: State, generation: str) -> tuple[Standing, ...]:
    """Return what each article of a generation says, with what people decided."""
    fields = {"status": 1, "supersedes": 1, "retired": 1}
    found = database.find(articles_in(generation), state.counting(generation), fields=fields)
    return state.decided(map(to_standing, found))


def write_manifest(database: BlockingDatabase, state: State, generation: str, *, token: int) -> None:
    """Write down what a generation consists of; a sync that another has followed changes nothing of that one's."""
    found = database.find(articles_in(generation), state.counting(generation), fields={"digest": 1})
    members = [[one["_id"], one["digest"]] for one in found]
    manifest = {"_id": generation, "token": token, "members": members}
    not_newer = {"_id": generation, "token": {"$lte": token}}
    for _ in range(2):  # of two that insert at once, the newer one replaces the other's
        if database.replace(MANIFESTS, not_newer, manifest) or database.insert(MANIFESTS, manifest):
            return


def counted(database: BlockingDatabase, state: State, generation: str) -> tuple[int, int]:
    """Return how many articles a generation has that are not retired, and their passages."""
    ours = {"retired": 0, **state.counting(generation)}
    found = database.find(articles_in(generation), ours, fields={"passages": 1})
    return len(found), sum(int(one["passages"]) for one in found)


def _live_articles(database: BlockingDatabase, state: State, wanted: Mapping[str, object]) -> list[Document]:
    live = state.in_state(GenerationState.LIVE)
    return [] if live is None else database.find(articles_in(live.id), {**wanted, **state.counting(live.id)})


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
