"""A turn to JSON and back, exactly. The kind of outcome is kept by name, because an Ask and an Answer look alike."""

import json

from pydantic import TypeAdapter
from pydantic_core import to_json

from bot.core.outcome import Answer, Ask, Courtesy, Handoff, Outcome
from bot.core.turn import Turn

_TURN = TypeAdapter(Turn)
_OUTCOMES: dict[str, TypeAdapter[Outcome]] = {
    "answer": TypeAdapter(Answer),
    "ask": TypeAdapter(Ask),
    "courtesy": TypeAdapter(Courtesy),
    "handoff": TypeAdapter(Handoff),
}


def from_turn(turn: Turn) -> str:
    """Return *turn* as JSON."""
    return to_json(turn, inf_nan_mode="constants").decode()


def to_turn(outcome_name: str, record: str) -> Turn:
    """Read a turn whose outcome has the name that `outcome_name` gives."""
    fields = json.loads(record)
    fields["outcome"] = _OUTCOMES[outcome_name].validate_python(fields["outcome"])
    return _TURN.validate_python(fields)
