"""What another threshold would have done to recorded turns: the gate's one comparison again, without any search.

It says who would have passed the gate, not what would have come of it; replay says that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.outcome import ReasonCode
from bot.errors import Refused
from bot.evaluation.traffic import PastConversation, Recorded


class Change(StrEnum):
    """What happens to a recorded turn under the other threshold."""

    PASSES = "passes"
    IS_HANDED_OVER = "is_handed_over"
    STAYS = "stays"


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """A recorded turn and what the other threshold does to it."""

    conversation: PastConversation
    recorded: Recorded
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """Every recorded turn under *threshold*; turns that ended neither at the gate nor with an answer stay."""

    threshold: float
    turns: tuple[Supposed, ...]

    @property
    def stopped(self) -> int:
        """Return how many turns the gate stopped."""
        return sum(was_stopped(one.recorded) for one in self.turns)

    @property
    def answered(self) -> int:
        """Return how many turns were answered, questions that rest on an article included."""
        return sum(was_answered(one.recorded) for one in self.turns)

    def of(self, change: Change) -> tuple[Supposed, ...]:
        """Return the turns with *change*, the surest first: by their best cosine's distance from the threshold."""
        chosen = [one for one in self.turns if one.change is change]
        return tuple(sorted(chosen, key=lambda one: (-self._distance(one), one.conversation.id)))

    def _distance(self, one: Supposed) -> float:
        best = one.recorded.best_cosine
        return 0.0 if best is None else abs(best - self.threshold)


def what_if(conversations: Sequence[PastConversation], threshold: float) -> WhatIf:
    """Put *threshold* in the place of each recorded one.

    Refused for a conversation without a recorded turn, and for scores of more than one embedding model.
    """
    turns = tuple(_supposed(conversation, threshold) for conversation in conversations)
    models = {one.recorded.fingerprint for one in turns if one.recorded.best_cosine is not None}
    if len(models) > 1:
        raise Refused(
            f"the recorded scores are of {len(models)} embedding models ({', '.join(sorted(map(str, models)))}), and no "
            "threshold means the same for both; export the turns since the change with --since"
        )
    return WhatIf(threshold=threshold, turns=turns)


def was_stopped(recorded: Recorded) -> bool:
    """Return whether the gate stopped the turn; an offer to rephrase says so too."""
    return recorded.reason == ReasonCode.NO_EVIDENCE or recorded.offer


def was_answered(recorded: Recorded) -> bool:
    """Return whether the customer had an answer, or a question that rests on an article."""
    return recorded.outcome in {"answer", "ask"} and not recorded.offer


def _supposed(conversation: PastConversation, threshold: float) -> Supposed:
    recorded = conversation.recorded
    if recorded is None:
        raise Refused(
            f"conversation {conversation.id} has no recorded turn, so there is no score to compare with; "
            "replay what `python -m bot export` wrote, or compare two configurations with --old and --new"
        )
    return Supposed(conversation=conversation, recorded=recorded, change=_change(recorded, threshold))


def _change(recorded: Recorded, threshold: float) -> Change:
    if recorded.best_cosine is None:
        return Change.STAYS
    passes = recorded.best_cosine >= threshold
    if was_stopped(recorded) and passes:
        return Change.PASSES
    if was_answered(recorded) and not passes:
        return Change.IS_HANDED_OVER
    return Change.STAYS
