"""What remains of a turn's record once its evidence is old: how it ended and why, without what was asked and found. Pure."""

from dataclasses import replace

from bot.core.knowledge import RankedPassage
from bot.core.turn import Turn


def reduced(turn: Turn) -> Turn:
    """Return *turn* without its query, without the texts of its passages and without what its statements asked of records.

    Scores and the articles' ids stay: without them nobody could say any more whether a handoff's reason was true.
    """
    return replace(turn, query=None, records=None, ranked=tuple(map(_without_text, turn.ranked)))


def _without_text(ranked: RankedPassage) -> RankedPassage:
    passage = replace(ranked.found.passage, headings=(), text="", embedded_text="")
    return replace(ranked, found=replace(ranked.found, passage=passage))
