"""Data for the tests of the core beyond what every test uses: passages of several articles, stages, calibrations."""

from dataclasses import replace

from bot.core.failures import is_outage
from bot.core.gate import blend_of
from bot.core.knowledge import ArticleId, Calibration, FoundPassage, IndexState, PassageId, RankedPassage
from bot.core.policy import RetrievalPolicy
from bot.core.truth import DEFECT
from bot.core.turn import IndexSeen, Stage, StageRecord, StageStatus
from tests.builders import NOON_MS, a_found_passage, a_passage

DAY_MS = 86_400_000


def passage_of(article: str, cosine: float, *, position: int = 0, days_old: int | None = None, **fields):
    """Return a found passage of *article*, last changed *days_old* days before noon; None when it is undated."""
    passage = a_passage(
        id=PassageId(f"{article}#{position}"), article_id=ArticleId(article), position=position
    )
    changed = None if days_old is None else NOON_MS - days_old * DAY_MS
    return a_found_passage(cosine, passage=passage, last_modified_ms=changed, **fields)


def ranked_as_found(*found: FoundPassage, rivals: frozenset[str] = frozenset()) -> tuple[RankedPassage, ...]:
    """Return *found* in the given order; the passages of the articles in *rivals* are marked."""
    return tuple(
        RankedPassage(found=f, freshness=None, score=f.cosine, rival=f.article_id in rivals) for f in found
    )


def a_stage(name: Stage, status: StageStatus = StageStatus.OK, **fields) -> StageRecord:
    """Return the record of a stage that worked."""
    return replace(StageRecord(name=name, status=status, ms=1.0), **fields)


def an_index_seen(state: IndexState = IndexState.READY, **fields) -> IndexSeen:
    """Return a calibrated index as a turn saw it."""
    return replace(IndexSeen(state=state, fingerprint="f1", generation="1", calibrated=True), **fields)


def a_calibration(**fields) -> Calibration:
    """Return a calibration whose best scores lay between 0.12 and 0.86."""
    calibration = Calibration(
        fingerprint="local/minilm/384/unit/c1",
        strict=0.55,
        permissive=0.42,
        lowest=0.12,
        highest=0.86,
        blend=blend_of(RetrievalPolicy()),
        answerable=140,
        unanswerable=120,
        answerable_passed=0.8,
        near_topic_passed=0.12,
        off_topic_passed=0.01,
    )
    return replace(calibration, **fields)


def a_record(*worked: Stage, ends: StageRecord | None = None) -> tuple[StageRecord, ...]:
    """Return the record of a turn whose stages *worked* and that ended in the stage *ends*."""
    return (*map(a_stage, worked), *(() if ends is None else (ends,)))


def a_broken_stage(name: Stage, failure: Exception) -> StageRecord:
    """Return the record of a stage in which *failure* was raised, as a turn writes it."""
    timed_out = isinstance(failure, TimeoutError)
    return a_stage(
        name,
        StageStatus.TIMED_OUT if timed_out else StageStatus.FAILED,
        error=type(failure).__name__,
        finding=None if is_outage(failure) else DEFECT,
    )
