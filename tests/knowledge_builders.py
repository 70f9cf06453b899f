"""Articles, passages, runs and generations with defaults; a test states only what it is about."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from bot.core.gate import blend_of
from bot.core.indexing import passage_digest
from bot.core.knowledge import Article, ArticleId, Calibration, FoundPassage, Passage, Vector
from bot.core.policy import RetrievalPolicy
from bot.sync_ports import GenerationCheck, GenerationState, KnowledgeWriter, RunRecord

Written = tuple[Article, Sequence[tuple[Passage, Vector]]]


def an_article(article_id="KB1", **fields) -> Article:
    return Article(**{"id": article_id, "title": "Rescheduling", "body": "Open My Lessons.", **fields})


def a_passage(passage_id="KB1#0", **fields) -> Passage:
    defaults = {
        "id": passage_id,
        "article_id": str(passage_id).partition("#")[0],
        "position": 0,
        "headings": ("Rescheduling",),
        "text": "Open My Lessons.",
        "embedded_text": "Rescheduling\n\nOpen My Lessons.",
    }
    return Passage(**{**defaults, **fields})


def a_found_passage(passage_id="KB1#0", *, cosine=0.8, **fields) -> FoundPassage:
    passage_fields = {name: fields.pop(name) for name in tuple(fields) if name in Passage.__slots__}
    passage = a_passage(passage_id, **passage_fields)
    return FoundPassage(
        **{"passage": passage, "title": "Rescheduling", "url": "", "cosine": cosine, **fields}
    )


def toward(degrees: float) -> Vector:
    """Return the unit vector at this angle; two of them have the cosine of the angle between."""
    return (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))


def a_run(run_id="r1", **fields) -> RunRecord:
    """Return a run that is done, or one that goes on when it has no end."""
    given = {"id": run_id, "source": "articles", "started_ms": 1_000, "ended_ms": 2_000, **fields}
    outcome = "running" if given["ended_ms"] is None else "done"
    return RunRecord(**{"outcome": outcome, **given})


def a_check(**fields) -> GenerationCheck:
    return GenerationCheck(**{"articles": 1, "passages": 1, **fields})


def a_calibration(fingerprint="local/test", **fields) -> Calibration:
    defaults = {
        "strict": 0.55,
        "permissive": 0.4,
        "lowest": 0.05,
        "highest": 0.95,
        "blend": blend_of(RetrievalPolicy()),
        "answerable": 120,
        "unanswerable": 110,
        "answerable_passed": 0.8,
        "near_topic_passed": 0.14,
        "off_topic_passed": 0.01,
    }
    return Calibration(fingerprint=fingerprint, **{**defaults, **fields})


def a_digest(article: Article, passages: Sequence[Passage]) -> str:
    """Return another digest for each text of an article."""
    return f"digest of {article.id} {passage_digest(repr((article, passages)))[:8]}"


def a_token(writer: KnowledgeWriter) -> int:
    """Take the lock with a lease that is over at once, so that the next one who asks gets it."""
    return writer.take_lock("a test", now_ms=1, until_ms=1)


def live_generation(writer: KnowledgeWriter) -> str | None:
    live = (one.id for one in writer.generations() if one.state is GenerationState.LIVE)
    return next(live, None)


def begin_build(
    writer: KnowledgeWriter, fingerprint: str, written: Iterable[Written], *, at_ms: int = 1_000
) -> str:
    """Open a build, or take one up again, and write articles into it."""
    token = a_token(writer)
    build = writer.open_build(token, fingerprint, at_ms=at_ms)
    for article, passages in placed(writer, fingerprint, written):
        digest = a_digest(article, passages)
        writer.replace_article(token, build, article, digest, passages, at_ms=at_ms)
    return build


def publish_build(writer: KnowledgeWriter, build: str, *, run: RunRecord | None = None) -> str:
    writer.publish(a_token(writer), build, run or a_run(), a_check())
    return build


def publish_articles(
    writer: KnowledgeWriter, fingerprint: str, written: Iterable[Written], *, run: RunRecord | None = None
) -> str:
    """Publish a generation of these articles and no other."""
    return publish_build(writer, begin_build(writer, fingerprint, written), run=run)


def publish_changes(
    writer: KnowledgeWriter,
    fingerprint: str,
    written: Sequence[Written] = (),
    *,
    retired: Collection[str] = (),
) -> str:
    """Publish a generation that is like the live one, but for what is written and retired."""
    build = begin_build(writer, fingerprint, written)
    token, live = a_token(writer), live_generation(writer)
    before = () if live is None else (*writer.article_digests(live), *writer.retired_articles(live))
    others = {*before} - {article.id for article, _ in written} - {*retired}
    writer.carry_over(token, build, sorted(others))
    writer.retire_articles(token, build, [ArticleId(one) for one in retired])
    return publish_build(writer, build)


def placed(
    writer: KnowledgeWriter, fingerprint: str, written: Iterable[Written]
) -> Iterator[tuple[Article, list[Passage]]]:
    """Remember the vectors of passages. One text has one vector: where a test wants two, dots tell the texts apart."""
    for article, passages in written:
        vectors: dict[str, Vector] = {}
        cut = [_placed(writer, fingerprint, passage, vector, vectors) for passage, vector in passages]
        writer.remember_vectors(fingerprint, vectors)
        yield article, cut


def _placed(
    writer: KnowledgeWriter, fingerprint: str, passage: Passage, vector: Vector, vectors: dict[str, Vector]
) -> Passage:
    digest = passage_digest(passage.embedded_text)
    known = vectors.get(digest) or writer.known_vectors(fingerprint, [digest]).get(digest, vector)
    if math.dist(known, vector) > 1e-6:
        apart = replace(passage, embedded_text=f"{passage.embedded_text} .")
        return _placed(writer, fingerprint, apart, vector, vectors)
    vectors[digest] = vector
    return passage
