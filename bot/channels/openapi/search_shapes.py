"""What the routes of the content page answer about questions: gaps, attempts at a search, and what another threshold would have done."""

from bot.channels.openapi.evidence_shapes import SearchedText
from bot.channels.openapi.operations import Shape
from bot.core.gaps import GapSign
from bot.core.outcome import ReasonCode, Triage


class FoundToday(Shape):
    """What a question would find today."""

    passes: bool
    best_cosine: float | None
    threshold: float | None
    article: str | None
    title: str


class AskedQuestion(Shape):
    """A question as it was recorded."""

    conversation: str
    turn: str | None
    """Null for what was asked of an agent and never searched."""
    text: str
    at: int
    """Unix milliseconds."""
    locale: str
    reason: GapSign
    """How it shows that an article is missing."""
    reason_text: str
    marked: bool
    """Whether an agent marked the conversation."""
    remark: str
    triage: Triage | None
    triage_text: str | None
    best_cosine: float | None
    threshold: float | None
    article: str | None
    """The nearest one."""
    today: FoundToday | None
    """Null where it was not asked again."""


class GivenReply(Shape):
    conversation: str
    agent: str
    text: str
    at: int
    """Unix milliseconds."""


class GapReport(Shape):
    """Questions that mean the same."""

    id: str
    label: list[str]
    """The most typical of them, in the customers' words."""
    count: int
    """How many customers asked."""
    last: int
    """When one was asked last: Unix milliseconds."""
    locale: str
    triage: Triage | None
    triage_text: str | None
    answered_by: str | None
    """The article that answers it by now; null while it is open."""
    questions: list[AskedQuestion]
    """Newest first."""
    replies: list[GivenReply]
    """How agents answered."""


class GapsReport(Shape):
    gaps: list[GapReport]
    """Open ones first, those that most customers met first."""
    questions: int
    left_out: int
    """Older questions that were not looked at."""
    not_asked: int
    """Gaps that were not compared with today's articles."""
    problem: str | None
    """Why they were not, in words; null when they were."""


class TriedQuery(SearchedText):
    own: str
    """The customer's own words."""


class FoundPassage(Shape):
    rank: int
    article_id: str
    title: str
    url: str | None
    headings: list[str]
    text: str
    cosine: float | None
    """How near it is to what was searched for: -1 to 1."""
    freshness: float | None
    """How recent its article is, 0 to 1; null for an undated one."""
    score: float | None
    """What it was ordered by."""
    rival: bool
    """Whether it is so close to the first that both would be looked at."""


class Tried(Shape):
    """What a real message would have searched for and found. Nothing of it is kept."""

    query: TriedQuery | None
    passages: list[FoundPassage]
    """Best first."""
    best: float | None
    """The question's score, a cosine."""
    threshold: float | None
    """What it has to reach."""
    passes: bool
    fingerprint: str | None
    """The embedding model that the index is of."""
    generation: str | None
    """The state of the articles that was searched."""
    routed: str | None
    """With what a real message would have ended before any search, in words; null when it would have searched."""
    problem: str | None
    """Why nothing was searched, or why it could not be judged; null when all went well."""


class SupposedTurn(Shape):
    """A recorded turn that would have ended otherwise."""

    conversation: str
    turn: str
    question: str
    at: int
    """Unix milliseconds."""
    best_cosine: float | None
    threshold: float | None
    """Which was in force then."""
    outcome: str
    reason: ReasonCode | None
    reason_text: str | None
    article: str | None
    """The nearest one."""


class CurvePoint(Shape):
    threshold: float
    passes: int
    handed_over: int


class Supposed(Shape):
    """What another threshold would have done to recorded turns. Thresholds are cosines."""

    threshold: float | None
    current: float | None
    lowest: float | None
    """The lowest best cosine that calibration saw."""
    highest: float | None
    n: int
    """How many turns were compared."""
    others: int
    """How many are of another embedding model and were left out."""
    unread: bool
    """Whether the span has more turns than are read."""
    stopped: int
    """How many were handed over for want of evidence."""
    answered: int
    passes_count: int
    """How many of those stopped would have passed."""
    handed_over_count: int
    """How many of those answered would have been handed over."""
    passes: list[SupposedTurn]
    """The surest, at most 200."""
    handed_over: list[SupposedTurn]
    """The surest, at most 200."""
    curve: list[CurvePoint]
    problem: str | None
    """Why nothing could be compared; null when it could."""


GAPS = {
    "gaps": [
        {
            "id": "5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60",
            "label": ["Do you teach accordion?"],
            "count": 1,
            "last": 1_796_036_400_000,
            "locale": "en",
            "triage": "absent",
            "triage_text": "No article is about it",
            "answered_by": None,
            "questions": [
                {
                    "conversation": "0123456789abcdef0123456789abcdef",
                    "turn": "5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60",
                    "text": "Do you teach accordion?",
                    "at": 1_796_036_400_000,
                    "locale": "en",
                    "reason": "no_evidence",
                    "reason_text": "no article was found about this",
                    "marked": False,
                    "remark": "",
                    "triage": "absent",
                    "triage_text": "No article is about it",
                    "best_cosine": 0.21,
                    "threshold": 0.45,
                    "article": "KB000003",
                    "today": None,
                }
            ],
            "replies": [
                {
                    "conversation": "0123456789abcdef0123456789abcdef",
                    "agent": "Maria Lopez",
                    "text": "Yes, on Tuesdays.",
                    "at": 1_796_036_460_000,
                }
            ],
        }
    ],
    "questions": 1,
    "left_out": 0,
    "not_asked": 0,
    "problem": None,
}
TRIED = {
    "query": {
        "text": "Do you teach accordion?",
        "own": "Do you teach accordion?",
        "bare": "Do you teach accordion?",
        "used": [{"seq": 1, "role": "customer", "text": "Do you teach accordion?"}],
        "dropped": [],
        "window_weight": 0.7,
    },
    "passages": [
        {
            "rank": 1,
            "article_id": "KB000003",
            "title": "How do I reschedule a class?",
            "url": "/articles/KB000003",
            "headings": ["Rescheduling"],
            "text": "Open My Lessons and choose Reschedule.",
            "cosine": 0.21,
            "freshness": 0.9,
            "score": 0.34,
            "rival": False,
        }
    ],
    "best": 0.2,
    "threshold": 0.45,
    "passes": False,
    "fingerprint": "local/minilm/384/unit/v3",
    "generation": "g1",
    "routed": None,
    "problem": None,
}
SUPPOSED = {
    "threshold": 0.5,
    "current": 0.45,
    "lowest": 0.1,
    "highest": 0.9,
    "n": 230,
    "others": 0,
    "unread": False,
    "stopped": 40,
    "answered": 160,
    "passes_count": 0,
    "handed_over_count": 3,
    "passes": [],
    "handed_over": [],
    "curve": [{"threshold": 0.5, "passes": 0, "handed_over": 3}],
    "problem": None,
}
