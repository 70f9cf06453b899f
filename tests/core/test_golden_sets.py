"""The golden conversations keep their form: what they point at exists, and both halves hold the promised mix."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
import yaml

from bot.core.conversation import Kind, Role
from bot.core.outcome import ReasonCode

_GOLDEN = Path(__file__).parents[1] / "data" / "golden"
_ARTICLES = Path(__file__).parents[2] / "kb_sync" / "sample" / "articles"
_LABELS = {"ANSWER", "NO_KB_NEAR", "OFF_TOPIC", "HUMAN_REQUEST", "COMPUTED", "CHITCHAT"}
_REASONS: dict[str, set[ReasonCode | None]] = {
    "ANSWER": {None},
    "CHITCHAT": {None},
    "NO_KB_NEAR": {ReasonCode.NO_EVIDENCE},
    "OFF_TOPIC": {ReasonCode.NO_EVIDENCE},
    "HUMAN_REQUEST": {ReasonCode.CUSTOMER_ASKED, ReasonCode.ESCALATION_RULE},
    "COMPUTED": {ReasonCode.RECORDS_UNAVAILABLE},
}
_LEAST_PER_HALF = {"NO_KB_NEAR": 33, "OFF_TOPIC": 56, "HUMAN_REQUEST": 8, "COMPUTED": 8, "CHITCHAT": 3}
_LEAST_ANSWERABLE_PER_HALF = {
    "single": 23,
    "bare_reply": 15,
    "follow_up": 10,
    "refusal_echo": 4,
    "topic_switch": 4,
    "typo": 4,
    "vague": 2,
    "stale_winner": 5,
    "buried_canonical": 5,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    role: str
    text: str
    kind: str = Kind.TEXT.value
    refusal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Golden:
    id: str
    turns: tuple[_Turn, ...]
    gold: tuple[str, ...]
    answerable: bool
    label: str
    tag: str
    asked_on: str
    reason: str | None = None

    @property
    def question(self) -> str:
        return " ".join(re.findall(r"\w+", self.turns[-1].text.casefold()))


def _read(half: str) -> list[_Golden]:
    lines = (_GOLDEN / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_golden(**json.loads(line)) for line in lines]


def _golden(*, turns: list[dict[str, object]], gold: list[str], **fields: object) -> _Golden:
    """A field that the form does not know, or a missing one, fails here."""
    return _Golden(turns=tuple(_Turn(**turn) for turn in turns), gold=tuple(gold), **fields)


def _matters():
    for path in _ARTICLES.glob("*.md"):
        yield yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])


def _active_articles() -> set[str]:
    return {article["id"] for article in _matters() if article["status"] == "active"}


_HALVES = {half: _read(half) for half in ("dev", "test")}
_ROWS = [row for rows in _HALVES.values() for row in rows]


def test_every_conversation_has_an_id_of_its_own():
    assert [name for name, count in Counter(row.id for row in _ROWS).items() if count > 1] == []


def test_every_gold_article_is_there_and_active():
    active = _active_articles()

    assert {row.id: row.gold for row in _ROWS if not set(row.gold) <= active} == {}


def test_exactly_the_answerable_conversations_name_articles():
    assert [row.id for row in _ROWS if not row.answerable == bool(row.gold) == (row.label == "ANSWER")] == []


def test_no_article_is_named_twice_for_one_conversation():
    assert [row.id for row in _ROWS if len(set(row.gold)) != len(row.gold)] == []


def test_the_last_turn_is_the_text_of_a_customer():
    last = {row.id: row.turns[-1] for row in _ROWS}

    assert [name for name, turn in last.items() if (turn.role, turn.kind) != ("customer", "text")] == []


def test_every_turn_has_a_known_role_and_kind_and_words():
    wrong = [
        (row.id, turn)
        for row in _ROWS
        for turn in row.turns
        if turn.role not in set(Role) or turn.kind not in set(Kind) or not turn.text.strip()
    ]

    assert wrong == []


def test_only_the_bot_refuses():
    refusals = [(row.id, turn.role) for row in _ROWS for turn in row.turns if turn.refusal]

    assert [(name, role) for name, role in refusals if role != "bot"] == []


def test_labels_and_tags_are_known():
    known = {(label, tag) for label in _LABELS for tag in _LEAST_ANSWERABLE_PER_HALF}

    assert [row.id for row in _ROWS if (row.label, row.tag) not in known] == []


def test_the_expected_reason_fits_the_label():
    assert [row.id for row in _ROWS if row.reason not in _REASONS[row.label]] == []


def test_every_question_is_asked_on_one_day_when_all_articles_were_there():
    """Freshness would otherwise change the verdict on dated cases as the calendar moves on."""
    (day,) = {row.asked_on for row in _ROWS}

    assert date.fromisoformat(day) >= max(matter["last_modified"] for matter in _matters())


def test_single_questions_have_no_history_and_the_tags_about_history_have_one():
    about_history = {"follow_up", "bare_reply", "topic_switch", "refusal_echo"}

    assert [row.id for row in _ROWS if (len(row.turns) > 1) != (row.tag in about_history)] == []


@pytest.mark.parametrize("half", _HALVES)
def test_each_half_has_the_promised_number_of_each_label(half):
    counts = Counter(row.label for row in _HALVES[half])

    assert {label for label, least in _LEAST_PER_HALF.items() if counts[label] < least} == set()
    assert counts["NO_KB_NEAR"] + counts["OFF_TOPIC"] >= 55


@pytest.mark.parametrize("half", _HALVES)
def test_each_half_has_the_promised_number_of_answerable_questions_of_each_tag(half):
    counts = Counter(row.tag for row in _HALVES[half] if row.answerable)

    assert {tag for tag, least in _LEAST_ANSWERABLE_PER_HALF.items() if counts[tag] < least} == set()
    assert counts.total() >= 60


def test_refusals_in_the_history_are_partly_flagged_and_partly_only_words():
    echoes = [row for row in _ROWS if row.answerable and row.tag == "refusal_echo"]
    flagged = [row for row in echoes if any(turn.refusal for turn in row.turns)]

    assert len(flagged) >= 8
    assert len(echoes) - len(flagged) >= 3


def test_the_halves_are_of_about_equal_size():
    sizes = [len(rows) for rows in _HALVES.values()]

    assert sum(sizes) >= 260
    assert max(sizes) <= 1.1 * min(sizes)


def test_no_question_is_asked_twice_in_either_half():
    counts = Counter(row.question for row in _ROWS)

    assert [question for question, count in counts.items() if count > 1] == []
