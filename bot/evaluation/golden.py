"""Golden conversations: JSONL as DESIGN §8 defines it, read into what a turn reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.core.asking import start_after
from bot.core.conversation import Kind, Message, Role
from bot.core.knowledge import ArticleId
from bot.core.turn import TurnStart
from bot.errors import InputRejected
from bot.evaluation.json_lines import read_json_lines
from bot.evaluation.moment import start_of

_GOLDEN_FORM = "see the form of golden conversations in the README"
_HISTORY_FORM = 'write {"role": "customer", "bot" or "agent", "text": …} a line'


class Topic(StrEnum):
    """What kind of question it is, for the gate: unanswerable ones may be near the knowledge base's topics or off them."""

    ANSWERABLE = "answerable"
    NEAR = "near"
    OFF = "off"
    ROUTED = "routed"


_TOPICS: Mapping[str, Topic] = {
    "OFF_TOPIC": Topic.OFF,
    "OOD_OOS": Topic.OFF,
    "HUMAN_REQUEST": Topic.ROUTED,
    "CHITCHAT": Topic.ROUTED,
    "COMPUTED": Topic.ROUTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenConversation:
    """One labelled question with the conversation before it; `gold` are the articles that answer it, best first.

    Questions of one conversation share its id, because they are no independent samples. `rewrite` is the question in words
    that need no history; None when the file has none. `asked_ms` is when the question counts as asked, None for now.
    `fields` are the row's short values as text, to group rows by.
    """

    id: str
    conversation_id: str
    start: TurnStart
    gold: tuple[ArticleId, ...]
    topic: Topic
    label: str = ""
    tag: str = ""
    reason: str | None = None
    rewrite: str | None = None
    asked_ms: int | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


class Line(BaseModel):
    """One message as it stands in a file: of a golden conversation, of a history, or of exported traffic."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["customer", "bot", "agent"]
    text: str
    kind: Kind = Kind.TEXT
    refusal: bool = False
    options: tuple[str, ...] = ()


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow", coerce_numbers_to_str=True)

    id: str
    conversation_id: str | None = None
    turns: list[Line] = Field(min_length=1)
    gold: list[str] = []
    answerable: bool
    label: str = ""
    tag: str = ""
    reason: str | None = None
    rewrite: str | None = None
    asked_on: date | None = None


def read_golden(path: Path) -> tuple[GoldenConversation, ...]:
    """Read a file of golden conversations; InputRejected names the line, the field and the remedy."""
    return tuple(_to_golden(row, place) for place, row in read_json_lines(path, _Row, _GOLDEN_FORM))


def read_history(path: Path) -> tuple[Message, ...]:
    """Read earlier messages, oldest first, one JSON object a line; InputRejected names the line, the field and the remedy."""
    return to_messages([line for _, line in read_json_lines(path, Line, _HISTORY_FORM)])


def _to_golden(row: _Row, where: str) -> GoldenConversation:
    if row.turns[-1].role != "customer":
        raise InputRejected(where, "the last of its turns is not the customer's", "end with the question")
    return GoldenConversation(
        id=row.id,
        conversation_id=row.conversation_id or row.id,
        start=start_after(row.id, to_messages(row.turns), locale="en"),
        gold=tuple(ArticleId(g) for g in row.gold),
        topic=Topic.ANSWERABLE if row.answerable else _TOPICS.get(row.label, Topic.NEAR),
        label=row.label,
        tag=row.tag,
        reason=row.reason,
        rewrite=row.rewrite,
        asked_ms=None if row.asked_on is None else start_of(row.asked_on),
        fields=_fields(row),
    )


def _fields(row: _Row) -> dict[str, str]:
    """Return what rows may be grouped by. A value counts up to its first comma: "MTRAG-UN, some/repository@commit" is MTRAG-UN."""
    values = {"label": row.label, "tag": row.tag, **(row.model_extra or {})}
    texts = {name: _text(value) for name, value in values.items()}
    return {name: text for name, text in texts.items() if text}


def _text(value: object) -> str:
    text = str(value) if isinstance(value, str | int | float) else ""
    return text.partition(",")[0].strip()


def to_messages(lines: Sequence[Line]) -> tuple[Message, ...]:
    """Return the messages of a conversation, numbered in the order of *lines*."""
    return tuple(
        Message(
            seq=seq,
            role=Role(line.role),
            text=line.text,
            kind=line.kind,
            refusal=line.refusal,
            options=line.options,
        )
        for seq, line in enumerate(lines, start=1)
    )
