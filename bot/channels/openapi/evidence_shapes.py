"""What the console's routes answer about turns, and the desk's numbers."""

from typing import Literal

from bot.channels.openapi.operations import Shape
from bot.core.conversation import Role
from bot.core.outcome import ReasonCode, Triage
from bot.core.records import Route
from bot.core.turn import Stage, StageStatus


class UsedMessage(Shape):
    seq: int
    role: Role
    text: str


class UnusedMessage(Shape):
    seq: int
    why: str
    why_text: str
    text: str


class SearchedText(Shape):
    """What was searched for, and which messages it was made of."""

    text: str
    bare: str
    """The customer's last words by themselves."""
    used: list[UsedMessage]
    dropped: list[UnusedMessage]
    window_weight: float
    """The share of `text` beside that of `bare`: 0 to 1."""


class ConsideredPassage(Shape):
    article_id: str
    title: str
    url: str | None
    text: str
    cosine: float | None
    """How near it is to what was searched for: -1 to 1."""
    freshness: float | None
    """How recent its article is: 0 to 1."""
    score: float | None
    """What it was ordered by."""
    blended: bool
    """Whether freshness decided among close matches."""
    passed: bool
    """Whether it was good enough to answer from."""


class StageReport(Shape):
    name: Stage
    name_text: str
    status: StageStatus
    status_text: str
    ms: float
    """How long it took, milliseconds."""
    error: str | None
    finding: str | None


class Failing(Shape):
    """The stage that ended the turn."""

    stage_text: str
    error: str | None


class AskedStatement(Shape):
    sql: str
    ms: float
    """How long it took, milliseconds."""
    error: str | None
    """What the check or the database said of it; null when it worked."""
    rows: int | None
    """How many rows were read; null when it failed."""


class AskedRecords(Shape):
    """What was asked of the customer's own records."""

    route: Route | None
    """Where the answer was looked for in the end; null when nobody could say."""
    route_text: str | None
    statements: list[AskedStatement]
    """In the order in which they were tried; at most two."""
    model: str | None
    prompt_digest: str | None


class Evidence(Shape):
    """The record of one turn of the bot: why it did what it did. For agents only."""

    turn: str
    outcome: Literal["answer", "ask", "courtesy", "handoff"]
    reason: ReasonCode | None
    """Why it handed over; null when it did not, as the next five."""
    reason_text: str | None
    rule: str | None
    detail: str | None
    triage: Triage | None
    triage_text: str | None
    query: SearchedText | None
    """Null when the turn was decided without a search."""
    passages: list[ConsideredPassage]
    """Best first."""
    threshold: float | None
    """The cosine from which on the bot answers."""
    best_cosine: float | None
    fingerprint: str | None
    """The embedding model that the index is of."""
    generation: str | None
    """The state of the articles that was searched."""
    stages: list[StageReport]
    """In the order in which they ran."""
    failing: Failing | None
    records: AskedRecords | None
    """Null when it was no question about the customer's own records."""
    prompt_digest: str | None
    model: str | None
    settled_at: int
    """When the turn ended, Unix milliseconds."""
    truthful: bool
    """Whether the record bears the reason out."""


class WaitingNow(Shape):
    queued: int
    claimed: int
    longest_ms: int
    """How long the customer who waits longest has waited, milliseconds."""


class ReasonCount(Shape):
    reason: str
    reason_text: str
    count: int


class HandedOver(Shape):
    total: int
    by_reason: list[ReasonCount]


class AnsweredAloneCount(Shape):
    """Conversations that no person was needed for."""

    confirmed: int
    """The customer said that it helped."""
    silent: int
    """The customer said nothing more, which proves nothing."""
    came_back: int
    """The customer asked again later."""


class Satisfied(Shape):
    """How customers rated what was finished."""

    count: int
    mean: float | None
    """1 to 5; null without ratings."""


class Today(Shape):
    handed_over: HandedOver
    answered_alone: AnsweredAloneCount
    first_reply_median_ms: int | None
    """The median wait for an agent's first reply, milliseconds; null without one."""
    untruthful: int
    """Handoffs whose reason the record does not bear out; must be 0."""
    satisfaction: Satisfied


class DayReport(Shape):
    day: str
    """Year, month and day in the zone of BUSINESS_HOURS."""
    by_reason: dict[str, int]
    answered_alone: AnsweredAloneCount


class NumbersReport(Shape):
    now: int
    """Unix milliseconds."""
    waiting: WaitingNow
    today: Today
    days: list[DayReport]
    """Oldest first; the last is today."""
    reasons: dict[str, str]
    """The words for every code that occurs."""


EVIDENCE = {
    "turn": "5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60",
    "outcome": "handoff",
    "reason": "customer_asked",
    "reason_text": "The customer asked for a person",
    "rule": None,
    "detail": None,
    "triage": None,
    "triage_text": None,
    "query": None,
    "passages": [],
    "threshold": None,
    "best_cosine": None,
    "fingerprint": None,
    "generation": None,
    "stages": [
        {
            "name": "route",
            "name_text": "Deciding who takes the message",
            "status": "stopped",
            "status_text": "done, and ended the turn",
            "ms": 0.2,
            "error": None,
            "finding": None,
        }
    ],
    "failing": None,
    "records": None,
    "prompt_digest": None,
    "model": None,
    "settled_at": 1_796_036_400_000,
    "truthful": True,
}
ALONE = {"confirmed": 1, "silent": 2, "came_back": 0}
NUMBERS = {
    "now": 1_796_036_400_000,
    "waiting": {"queued": 1, "claimed": 0, "longest_ms": 60_000},
    "today": {
        "handed_over": {
            "total": 1,
            "by_reason": [
                {"reason": "no_evidence", "reason_text": "No article covers it", "count": 1},
            ],
        },
        "answered_alone": ALONE,
        "first_reply_median_ms": 90_000,
        "untruthful": 0,
        "satisfaction": {"count": 2, "mean": 4.5},
    },
    "days": [{"day": "2026-11-30", "by_reason": {"no_evidence": 1}, "answered_alone": ALONE}],
    "reasons": {"no_evidence": "No article covers it"},
}
