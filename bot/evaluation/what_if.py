"""Another threshold over exported turns (see `core.what_if`); replay says what would have come of those that pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.what_if import WhatIf
from bot.errors import Refused
from bot.evaluation.traffic import PastConversation, Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """A conversation and the turn that was recorded of its last question."""

    conversation: PastConversation
    recorded: Recorded

    @property
    def stopped(self) -> bool:
        """Whether the gate stopped the turn."""
        return self.recorded.stopped

    @property
    def answered(self) -> bool:
        """Whether the turn was answered."""
        return self.recorded.answered

    @property
    def best_cosine(self) -> float | None:
        """Return what the gate compared; None when the turn never came to it."""
        return self.recorded.best_cosine


def what_if(conversations: Sequence[PastConversation], threshold: float) -> WhatIf[Supposed]:
    """Put *threshold* in the place of each recorded one.

    Refused for a conversation without a recorded turn, and for scores of more than one embedding model.
    """
    turns = tuple(map(_supposed, conversations))
    models = {one.recorded.fingerprint for one in turns if one.best_cosine is not None}
    if len(models) > 1:
        raise Refused(
            f"the recorded scores are of {len(models)} embedding models ({', '.join(sorted(map(str, models)))}), and no "
            "threshold means the same for both; export the turns since the change with --since"
        )
    return WhatIf(threshold=threshold, turns=turns)


def _supposed(conversation: PastConversation) -> Supposed:
    if conversation.recorded is None:
        raise Refused(
            f"conversation {conversation.id} has no recorded turn, so there is no score to compare with; "
            "replay what `python -m bot export` wrote, or compare two configurations with --old and --new"
        )
    return Supposed(conversation=conversation, recorded=conversation.recorded)
