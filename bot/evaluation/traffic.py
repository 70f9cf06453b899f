"""Conversations to replay, and Candor's own turns as such: golden conversations with what the bot did, as JSON lines.

Labels are optional: what was exported says what happened, and only a person can add what should have.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from bot.core.asking import start_after
from bot.core.conversation import Kind, Message, Role, customer_visible
from bot.core.knowledge import ArticleId
from bot.core.outcome import Answer, Ask, Handoff, ReasonCode, outcome_name
from bot.core.revisions import revised
from bot.core.turn import Turn, TurnStart
from bot.errors import InputRejected
from bot.evaluation.golden import Line, to_messages
from bot.evaluation.json_lines import read_json_lines
from bot.evaluation.moment import start_of
from bot.service.turns import HISTORY

_FORM = "see the form of conversations to replay in the README"


class RecordedPassage(BaseModel):
    """A passage as a turn ranked it."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True, frozen=True)

    article_id: str
    cosine: float | None


class Recorded(BaseModel):
    """What a turn of the running service came to; `best_cosine` is None when the turn ended before the gate."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    outcome: str
    reason: str | None = None
    offer: bool = False
    text: str = ""
    query: str | None = None
    threshold: float | None = None
    best_cosine: float | None = None
    fingerprint: str | None = None
    passages: tuple[RecordedPassage, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether the gate stopped the turn; an offer to rephrase says so too."""
        return self.reason == ReasonCode.NO_EVIDENCE or self.offer

    @property
    def answered(self) -> bool:
        """Whether the customer had an answer, or a question that rests on an article."""
        return self.outcome in {"answer", "ask"} and not self.offer


@dataclass(frozen=True, slots=True, kw_only=True)
class PastConversation:
    """A conversation whose last question is asked again.

    `gold` are the articles that answer it and `answerable` says whether any does, None when nobody said; `reason` is the
    handoff's expected one. `asked_ms` is when the question counts as asked, None for now. `recorded` is None unless
    Candor exported it.
    """

    id: str
    start: TurnStart
    gold: tuple[ArticleId, ...] = ()
    answerable: bool | None = None
    reason: str | None = None
    asked_ms: int | None = None
    recorded: Recorded | None = None

    @property
    def question(self) -> str:
        """Return what the customer wrote last."""
        return self.start.unanswered[-1].text

    @property
    def locale(self) -> str:
        """Return the customer's language."""
        return self.start.conversation.locale


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: str
    turns: list[Line] = Field(min_length=1)
    covers: int = Field(default=1, ge=1)
    locale: str = "en"
    gold: list[str] = []
    answerable: bool | None = None
    reason: ReasonCode | None = None
    asked_on: date | None = None
    recorded: Recorded | None = None


def read_conversations(path: Path) -> tuple[PastConversation, ...]:
    """Read golden conversations or an export; InputRejected names the line, the field and the remedy, or an empty file."""
    read = tuple(_to_conversation(row, place) for place, row in read_json_lines(path, _Row, _FORM))
    if not read:
        raise InputRejected(str(path), "holds no conversation", "write one JSON object a line")
    return read


def _to_conversation(row: _Row, place: str) -> PastConversation:
    messages = to_messages(row.turns)
    customers = [m for m in messages if m.role is Role.CUSTOMER]
    if messages[-1].role is not Role.CUSTOMER:
        raise InputRejected(place, "the last of its turns is not the customer's", "end with the question")
    if row.covers > len(customers):
        raise InputRejected(
            place, f"covers: {row.covers} messages, but the customer wrote {len(customers)}", _FORM
        )
    return PastConversation(
        id=row.id,
        start=start_after(row.id, messages, locale=row.locale, unanswered=customers[-row.covers :]),
        gold=tuple(ArticleId(g) for g in row.gold),
        answerable=True if row.answerable is None and row.gold else row.answerable,
        reason=row.reason,
        asked_ms=None if row.asked_on is None else start_of(row.asked_on),
        recorded=row.recorded,
    )


def to_row(turn: Turn, messages: Sequence[Message], *, locale: str) -> Mapping[str, object]:
    """Return a turn with the messages that it read, as `export` writes it; *messages* are the conversation's, oldest first.

    Notes of agents are left out whatever *messages* holds. What the customer has written since is left out too.
    """
    seen = [m for m in messages if customer_visible(m)]
    covered = set(turn.covers)
    read = revised(m for m in seen if m.seq <= turn.covers[-1])
    kept = [m for m in read[:-HISTORY] if m.seq in covered] + list(read[-HISTORY:])
    return {
        "id": turn.id,
        "conversation_id": turn.fence.conversation,
        "locale": locale,
        "turns": [_to_line(m) for m in kept],
        "covers": len(turn.covers),
        "gold": [],
        "answerable": None,
        "recorded": _to_recorded(turn, seen),
    }


def _to_line(message: Message) -> Mapping[str, object]:
    line: dict[str, object] = {"role": message.role, "text": message.text}
    if message.kind is not Kind.TEXT:
        line["kind"] = message.kind
    if message.refusal:
        line["refusal"] = True
    if message.options:
        line["options"] = list(message.options)
    return line


def _to_recorded(turn: Turn, seen: Sequence[Message]) -> Mapping[str, object]:
    outcome = turn.outcome
    told = [m.text for m in seen if m.turn == turn.id and m.role is Role.BOT and not m.interrupted]
    sources = outcome.sources if isinstance(outcome, Answer | Ask) else ()
    return {
        "outcome": outcome_name(outcome),
        "reason": outcome.reason if isinstance(outcome, Handoff) else None,
        "offer": isinstance(outcome, Ask) and outcome.offer,
        "text": told[-1] if told else "",
        "sources": [{"id": s.id, "title": s.title, "url": s.url} for s in sources],
        "query": turn.query.text if turn.query else None,
        "threshold": _finite(turn.threshold),
        "best_cosine": _finite(turn.best_cosine),
        "fingerprint": turn.index.fingerprint if turn.index else None,
        "passages": [
            {"article_id": p.found.article_id, "cosine": _finite(p.found.cosine)} for p in turn.ranked
        ],
    }


def _finite(score: float | None) -> float | None:
    """JSON knows no NaN, and a broken score is as good as none."""
    return score if score is not None and math.isfinite(score) else None
