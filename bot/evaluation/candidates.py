"""Candidates for the golden conversations: the turns that agents marked as wrong, or as a gap in the articles. Pure.

Which articles would have answered, only a person can fill in.
"""

from collections.abc import Iterable, Mapping, Sequence

from bot.core.conversation import Message
from bot.core.desk import Mark
from bot.core.outcome import Handoff
from bot.core.turn import Turn
from bot.evaluation.traffic import to_row


def to_candidates(
    turns: Sequence[Turn], messages: Sequence[Message], marks: Iterable[Mark], *, locale: str
) -> tuple[Mapping[str, object], ...]:
    """Return a row for each marked turn of one conversation, oldest first, with every mark that it bears.

    A mark that is about no turn, because the bot had not said anything, makes no row.
    """
    borne: dict[str, list[Mark]] = {}
    for mark in marks:
        if (turn := marked_turn(mark, turns, messages)) is not None:
            borne.setdefault(turn.id, []).append(mark)
    return tuple(
        {
            **to_row(turn, messages, locale=locale),
            "tag": _tag(borne[turn.id]),
            "marks": _marks(borne[turn.id]),
        }
        for turn in turns
        if turn.id in borne
    )


def marked_turn(mark: Mark, turns: Sequence[Turn], messages: Sequence[Message]) -> Turn | None:
    """Return the turn that said the marked message; for a mark on a conversation the last handoff before it, else the last turn."""
    said_in = {message.seq: message.turn for message in messages}.get(mark.seq)
    asked = [turn for turn in turns if turn.covers]
    if said_in is not None:
        return next((turn for turn in asked if turn.id == said_in), None)
    earlier = [turn for turn in asked if turn.settled_ms <= mark.at_ms]
    handed_over = [turn for turn in earlier if isinstance(turn.outcome, Handoff)]
    return next(iter([*handed_over[-1:], *earlier[-1:]]), None)


def _tag(marks: Sequence[Mark]) -> str:
    """`evaluate` groups its measures by this."""
    return marks[-1].kind


def _marks(marks: Iterable[Mark]) -> list[Mapping[str, object]]:
    return [{"kind": mark.kind, "at_ms": mark.at_ms, "remark": mark.remark} for mark in marks]
