"""Articles, passages and runs with defaults; a test states only what it is about."""

import math

from bot.core.gate import blend_of
from bot.core.knowledge import Article, Calibration, FoundPassage, Passage, Vector
from bot.core.policy import RetrievalPolicy
from bot.sync_ports import RunRecord


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
    return RunRecord(**{"id": run_id, "source": "articles", "started_ms": 1_000, "ended_ms": 2_000, **fields})


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
