"""The evidence of one turn as agents see it: what was searched for, what was found, and what became of it. Pure.

It is there for every turn, answers included. Scores are for agents; no customer's channel uses this module.
"""

import math
from collections.abc import Mapping, Sequence

from bot.channels.events import Event
from bot.channels.evidence_wording import (
    ROUTES,
    STAGES,
    STATUSES,
    TRIAGES,
    dropped_in_words,
    error_in_words,
    finding_in_words,
    unsearched_in_words,
)
from bot.channels.rendering import safe_url
from bot.core.article_pages import link_to
from bot.core.conversation import Message
from bot.core.gate import evidence_gate
from bot.core.knowledge import FoundPassage, RankedPassage
from bot.core.outcome import Handoff, outcome_name
from bot.core.policy import GatePolicy
from bot.core.prompt import Evidence
from bot.core.records import RecordsSeen
from bot.core.replies import Replies
from bot.core.truth import is_truthful
from bot.core.turn import RetrievalQuery, Stage, StageRecord, StageStatus, Turn, failing_stage
from bot.service.suggesting import Suggestions

LONGEST_EXCERPT = 600


def to_evidence(turn: Turn, messages: Sequence[Message], replies: Replies, locale: str) -> Event:
    """Translate a turn's record; *messages* are the conversation's, and say what stood where the record has a seq."""
    failing = failing_stage(turn.stages)
    return {
        "turn": turn.id,
        "outcome": outcome_name(turn.outcome),
        **_to_reason(turn, replies, locale),
        "query": to_query(turn.query, messages) if turn.query else None,
        "passages": _to_passages(turn),
        "threshold": finite(turn.threshold),
        "best_cosine": finite(turn.best_cosine),
        "fingerprint": turn.index.fingerprint if turn.index else None,
        "generation": turn.index.generation if turn.index else None,
        "stages": [_to_stage(stage, replies, locale) for stage in turn.stages],
        "failing": _to_failing(failing) if failing else None,
        "records": _to_records(turn.records) if turn.records else None,
        "prompt_digest": turn.prompt_digest,
        "model": turn.model,
        "settled_at": turn.settled_ms,
        "truthful": is_truthful(turn),
    }


def to_suggestions(suggestions: Suggestions) -> Event:
    """Translate articles to answer with; `problem` says why there may be more, and null that there are not."""
    problem = suggestions.problem
    return {
        "articles": [_to_suggestion(passage) for passage in suggestions.passages],
        "problem": None if problem is None else {"code": problem, "text": unsearched_in_words(problem)},
    }


def _to_reason(turn: Turn, replies: Replies, locale: str) -> Mapping[str, object]:
    outcome = turn.outcome
    if not isinstance(outcome, Handoff):
        names = ("reason", "reason_text", "rule", "detail", "triage", "triage_text")
        return dict.fromkeys(names)
    return {
        "reason": outcome.reason,
        "reason_text": replies.reason(outcome.reason, locale),
        "rule": outcome.rule,
        "detail": outcome.detail or None,
        "triage": outcome.triage,
        "triage_text": TRIAGES[outcome.triage] if outcome.triage else None,
    }


def to_query(query: RetrievalQuery, messages: Sequence[Message]) -> Event:
    by_seq = {message.seq: message for message in messages}
    used = [by_seq[seq] for seq in query.used if seq in by_seq]
    return {
        "text": query.text,
        "bare": query.bare,
        "used": [{"seq": m.seq, "role": m.role, "text": _counted(m.text, query)} for m in used],
        "dropped": [
            {
                "seq": left.seq,
                "why": left.why,
                "why_text": dropped_in_words(left.why),
                "text": by_seq[left.seq].text if left.seq in by_seq else "",
            }
            for left in query.dropped
        ],
        "window_weight": query.window_weight,
    }


def _counted(text: str, query: RetrievalQuery) -> str:
    """Return what of a message was searched for: all of it, or the end, where of a long answer the question stands."""
    whole = text.strip()
    if whole in query.text:
        return whole
    words = whole.split()
    tails = (" ".join(words[start:]) for start in range(1, len(words)))
    return next((f"… {tail}" for tail in tails if tail in query.text), whole)


def _to_passages(turn: Turn) -> list[Event]:
    passed = _passed(turn)
    return [_to_passage(one, passed=one in passed) for one in turn.ranked]


def _passed(turn: Turn) -> tuple[RankedPassage, ...]:
    """Return the passages that the gate let through, by asking it again: its own decision is recorded as a stage only."""
    # A turn that was overtaken by a sync asked the gate twice.
    gate = next((s for s in reversed(turn.stages) if s.name is Stage.EVIDENCE_GATE), None)
    if gate is None or gate.status is not StageStatus.OK:
        return ()
    policy = GatePolicy(threshold=turn.threshold)
    # It let something through, so without a threshold the answerer was one that can abstain.
    gated = evidence_gate(turn.ranked, policy, score=turn.best_cosine, can_abstain=True)
    return gated.passages if isinstance(gated, Evidence) else ()


def _to_passage(ranked: RankedPassage, *, passed: bool) -> Event:
    found = ranked.found
    return {
        "article_id": found.article_id,
        "title": found.title,
        "url": safe_url(link_to(found.article_id, found.url)),
        "text": found.passage.text,
        "cosine": finite(found.cosine),
        "freshness": finite(ranked.freshness),
        "score": finite(ranked.score),
        "blended": ranked.score != found.cosine,  # whether freshness decided among close matches
        "passed": passed,
    }


def _to_stage(stage: StageRecord, replies: Replies, locale: str) -> Event:
    return {
        "name": stage.name,
        "name_text": STAGES[stage.name],
        "status": stage.status,
        "status_text": STATUSES[stage.status],
        "ms": stage.ms,
        "error": error_in_words(stage),
        "finding": finding_in_words(stage.finding, replies, locale),
    }


def _to_records(seen: RecordsSeen) -> Event:
    """Translate what the database was asked; which rows it had is in the answer alone."""
    return {
        "route": seen.route,
        "route_text": ROUTES[seen.route] if seen.route else None,
        "statements": [
            {"sql": one.sql, "ms": one.ms, "error": one.error, "rows": one.rows} for one in seen.statements
        ],
        "model": seen.model,
        "prompt_digest": seen.prompt_digest,
    }


def _to_failing(stage: StageRecord) -> Event:
    return {"stage_text": STAGES[stage.name], "error": error_in_words(stage)}


def _to_suggestion(found: FoundPassage) -> Event:
    return {
        "id": found.article_id,
        "title": found.title,
        "url": safe_url(link_to(found.article_id, found.url)),
        "excerpt": _excerpt(found.passage.text),
        "cosine": finite(found.cosine),
    }


def _excerpt(text: str) -> str:
    """Return the beginning of a passage, whole words, as an agent would send it."""
    if len(text) <= LONGEST_EXCERPT:
        return text
    return text[:LONGEST_EXCERPT].rpartition(" ")[0].rstrip() + " …"


def finite(score: float | None) -> float | None:
    """JSON knows no NaN, and a broken score is as good as none."""
    return score if score is not None and math.isfinite(score) else None
