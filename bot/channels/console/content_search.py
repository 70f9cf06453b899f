"""The search tester and the what-if as the content page shows them: what was embedded and found, and what would have come of it. Pure."""

from collections.abc import Sequence

from bot.channels.console.evidence import finite, to_query
from bot.channels.events import Event
from bot.channels.rendering import safe_url
from bot.channels.wording import reason_in_words
from bot.core.article_pages import link_to
from bot.core.conversation import Message, Role
from bot.core.knowledge import RankedPassage
from bot.core.outcome import CourtesyKind
from bot.core.replies import Replies
from bot.core.traffic import QuestionTurn
from bot.core.turn import RetrievalQuery
from bot.core.what_if import CurvePoint
from bot.service.supposing import Supposition
from bot.service.trying import Tried

COURTESIES = frozenset(CourtesyKind)
COURTESY = "a courtesy, which is answered with a fixed sentence"


def to_tried(tried: Tried, said: Sequence[tuple[Role, str]], replies: Replies, locale: str) -> Event:
    """Translate an attempt; *said* are the messages that it was made with, whose places are their seq."""
    return {
        "query": _to_tried_query(tried.query, said) if tried.query else None,
        "passages": [_to_rank(rank, one) for rank, one in enumerate(tried.passages, start=1)],
        "best": finite(tried.best),
        "threshold": finite(tried.threshold),
        "passes": tried.passes,
        "fingerprint": tried.fingerprint,
        "generation": tried.generation,
        "routed": _routed_in_words(tried.routed, replies, locale),
        "problem": tried.problem or None,
    }


def to_supposed(supposed: Supposition, replies: Replies, locale: str) -> Event:
    """Translate what another threshold would have done; of the turns only the surest come, and all of them are counted."""
    return {
        "threshold": finite(supposed.threshold),
        "current": finite(supposed.current),
        "lowest": finite(supposed.lowest),
        "highest": finite(supposed.highest),
        "n": supposed.n,
        "others": supposed.others,
        "unread": supposed.unread,
        "stopped": supposed.stopped,
        "answered": supposed.answered,
        "passes_count": supposed.passes,
        "handed_over_count": supposed.handed_over,
        "passes": [_to_turn(turn, replies, locale) for turn in supposed.passing_turns],
        "handed_over": [_to_turn(turn, replies, locale) for turn in supposed.handed_over_turns],
        "curve": [_to_point(point) for point in supposed.curve],
        "problem": supposed.problem or None,
    }


def _to_tried_query(query: RetrievalQuery, said: Sequence[tuple[Role, str]]) -> Event:
    messages = [Message(seq=seq, role=role, text=text) for seq, (role, text) in enumerate(said, start=1)]
    return {**to_query(query, messages), "own": query.own}


def _to_rank(rank: int, ranked: RankedPassage) -> Event:
    found = ranked.found
    return {
        "rank": rank,
        "article_id": found.article_id,
        "title": found.title,
        "url": safe_url(link_to(found.article_id, found.url)),
        "headings": list(found.passage.headings),
        "text": found.passage.text,
        "cosine": finite(found.cosine),
        "freshness": finite(ranked.freshness),
        "score": finite(ranked.score),
        "rival": ranked.rival,
    }


def _routed_in_words(routed: str, replies: Replies, locale: str) -> str | None:
    """Say with what a turn would have ended before any search; None when it would have searched."""
    if not routed:
        return None
    return COURTESY if routed in COURTESIES else reason_in_words(routed, replies, locale)


def _to_turn(turn: QuestionTurn, replies: Replies, locale: str) -> Event:
    return {
        "conversation": turn.conversation,
        "turn": turn.turn,
        "question": turn.question,
        "at": turn.settled_ms,
        "best_cosine": finite(turn.best_cosine),
        "threshold": finite(turn.threshold),
        "outcome": turn.outcome,
        "reason": turn.reason,
        "reason_text": reason_in_words(turn.reason, replies, locale) if turn.reason else None,
        "article": turn.articles[0] if turn.articles else None,
    }


def _to_point(point: CurvePoint) -> Event:
    return {"threshold": point.threshold, "passes": point.passes, "handed_over": point.handed_over}
