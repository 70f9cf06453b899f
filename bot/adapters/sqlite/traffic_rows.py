"""Rows of recorded turns, marks and replies to core values. Pure."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.core.conversation import AgentId, ConversationId, Message, TurnId
from bot.core.customers import Subject
from bot.core.knowledge import ArticleId
from bot.core.outcome import ReasonCode, Triage
from bot.core.traffic import GapMark, QuestionTurn, distinct, to_question_turn, typed, verdict_of
from bot.core.turn import Turn
from bot.stored_turns import to_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFields:
    """A turn before the messages that it covers are known."""

    conversation: str
    covers: tuple[int, ...]
    row: sqlite3.Row

    def turn(self, messages: Mapping[int, Message]) -> QuestionTurn:
        """Return the turn with its messages, which are by their seq; those that are gone are left out."""
        covered = [messages[seq] for seq in self.covers if seq in messages]
        if self.row["record"] is not None:
            subject = self.row["subject"]
            return to_question_turn(
                _whole(self.row),
                covered,
                locale=self.row["locale"],
                subject=None if subject is None else Subject(subject),
            )
        return _of_fields(self.row, covered)


def turn_fields(row: sqlite3.Row) -> TurnFields:
    """Read a turn's row."""
    covers = json.loads(row["fields"])[0] if row["record"] is None else _whole(row).covers
    return TurnFields(conversation=row["conversation"], covers=tuple(covers), row=row)


def to_mark(row: sqlite3.Row, written: Sequence[Message]) -> GapMark:
    """Read a mark with the texts that were typed before it."""
    return GapMark(
        conversation=ConversationId(row["conversation"]),
        asker=row["subject"] or row["conversation"],
        locale=row["locale"],
        agent=AgentId(row["agent"]),
        at_ms=row["at_ms"],
        asked_ms=written[-1].at_ms if written else row["at_ms"],
        remark=row["remark"],
        texts=tuple(message.text for message in written),
    )


def cited(row: sqlite3.Row) -> tuple[ArticleId, ...]:
    """Return the articles that a turn cites."""
    if row["record"] is not None:
        return to_question_turn(_whole(row), (), locale="", subject=None).cited
    return _cited(json.loads(row["sources"] or "[]"))


def _of_fields(row: sqlite3.Row, covered: Sequence[Message]) -> QuestionTurn:
    _, own, offer, triage, best_cosine, threshold, fingerprint, sources = json.loads(row["fields"])
    return QuestionTurn(
        conversation=ConversationId(row["conversation"]),
        turn=TurnId(row["id"]),
        asker=row["subject"] or row["conversation"],
        settled_ms=row["settled_ms"],
        locale=row["locale"],
        texts=typed(covered),
        outcome=row["outcome"],
        own=own,
        reason=None if row["reason"] is None else ReasonCode(row["reason"]),
        offer=bool(offer),
        triage=None if triage is None else Triage(triage),
        best_cosine=best_cosine,
        threshold=threshold,
        fingerprint=fingerprint,
        articles=distinct(map(ArticleId, json.loads(row["articles"]))),
        cited=_cited(sources or ()),
        verdict=verdict_of(covered),
    )


def _cited(sources: Sequence[Mapping[str, Any]]) -> tuple[ArticleId, ...]:
    return distinct(ArticleId(source["id"]) for source in sources)


def _whole(row: sqlite3.Row) -> Turn:
    return to_turn(row["outcome"], row["record"])
