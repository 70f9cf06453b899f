"""Two configurations on one conversation: is the new one better, and why, by a rule that a person can check.

With labels, in falling order: right (an answer or question from an article that answers it; for a question that no article
answers, no answer at all; for an expected reason, that reason), an honest handoff, wrong (any other answer). Without
labels there is no verdict, only that something changed.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import assert_never

from bot.core.outcome import Answer, Ask, Courtesy, Handoff, Outcome, ReasonCode
from bot.core.turn import Turn
from bot.evaluation.traffic import PastConversation


class Standing(IntEnum):
    """How good an outcome is for a labelled conversation."""

    WRONG = 0
    HANDED_OVER = 1
    RIGHT = 2


class Verdict(StrEnum):
    """What the new configuration does to a conversation; CHANGED is for those without labels."""

    UNCHANGED = "unchanged"
    IMPROVED = "improved"
    CHANGED = "changed"
    WORSE = "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An outcome in words, and its standing; None when nobody said what is right."""

    said: str
    standing: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One conversation under both configurations."""

    conversation: PastConversation
    old: Turn
    new: Turn
    verdict: Verdict
    why: str
    was_right: bool | None


def compared(conversation: PastConversation, old: Turn, new: Turn) -> Comparison:
    """Compare the turns that one conversation came to."""
    before, after = judged(conversation, old.outcome), judged(conversation, new.outcome)
    is_same = _shown(old.outcome) == _shown(new.outcome)
    verdict = _verdict(before.standing, after.standing, is_same=is_same)
    return Comparison(
        conversation=conversation,
        old=old,
        new=new,
        verdict=verdict,
        why=_why(before.said, after.said, is_same=is_same),
        was_right=None if before.standing is None else before.standing is Standing.RIGHT,
    )


def judged(conversation: PastConversation, outcome: Outcome) -> Judged:
    """Say how *outcome* stands. An expected reason decides first, then whether the question is answerable.

    An answerable question without gold articles has no verdict: nobody said which answer would be right.
    """
    said = in_words(outcome)
    if conversation.reason is not None:
        return _by_reason(conversation.reason, outcome, said)
    if conversation.answerable is None or (conversation.answerable and not conversation.gold):
        return Judged(said=said, standing=None)
    if conversation.answerable:
        return _by_gold(frozenset(conversation.gold), outcome, said)
    if claims_to_answer(outcome):
        return Judged(said=f"{said}, though no article answers it", standing=Standing.WRONG)
    return Judged(said=f"{said}, rightly", standing=Standing.RIGHT)


def _by_reason(expected: str, outcome: Outcome, said: str) -> Judged:
    if reason_of(outcome) == expected:
        return Judged(said=f"{said}, rightly", standing=Standing.RIGHT)
    standing = Standing.HANDED_OVER if reason_of(outcome) else Standing.WRONG
    return Judged(said=f"{said} instead of {expected}", standing=standing)


def _by_gold(gold: frozenset[str], outcome: Outcome, said: str) -> Judged:
    if quotes(outcome) & gold:
        return Judged(said=f"{said}, rightly", standing=Standing.RIGHT)
    standing = Standing.HANDED_OVER if reason_of(outcome) else Standing.WRONG
    verb = "answers" if len(gold) == 1 else "answer"
    return Judged(said=f"{said}, though {_listed(sorted(gold))} {verb} it", standing=standing)


def _verdict(old: Standing | None, new: Standing | None, *, is_same: bool) -> Verdict:
    if old is None or new is None:
        return Verdict.UNCHANGED if is_same else Verdict.CHANGED
    if old == new:
        return Verdict.UNCHANGED
    return Verdict.IMPROVED if new > old else Verdict.WORSE


def _why(before: str, after: str, *, is_same: bool) -> str:
    if is_same:
        return f"{after}, as before"
    return f"was {before}; is {after}" if before != after else f"{after}, in other words than before"


def claims_to_answer(outcome: Outcome) -> bool:
    """Return whether the customer is told something about the question: an answer, or a question that rests on an article."""
    return isinstance(outcome, Answer) or bool(quotes(outcome))


def quotes(outcome: Outcome) -> frozenset[str]:
    """Return the articles that an answer or a question rests on."""
    return frozenset(s.id for s in outcome.sources) if isinstance(outcome, Answer | Ask) else frozenset()


def reason_of(outcome: Outcome) -> str | None:
    """Return the reason of a handoff; an offer to rephrase says no_evidence too. None for what hands nothing over."""
    match outcome:
        case Handoff(reason=reason):
            return reason
        case Ask(offer=True):
            return ReasonCode.NO_EVIDENCE
        case Answer() | Ask() | Courtesy():
            return None
        case _:
            assert_never(outcome)


def in_words(outcome: Outcome) -> str:
    """Return an outcome as a report's sentence has it."""
    match outcome:
        case Answer(sources=sources):
            return f"answered from {_listed([s.id for s in sources])}"
        case Ask(offer=True):
            return "told that nothing was found"
        case Ask(sources=sources):
            return f"asked back from {_listed([s.id for s in sources])}"
        case Courtesy(kind=kind):
            return f"met with a {kind}"
        case Handoff(reason=reason):
            return f"handed over ({reason})"
        case _:
            assert_never(outcome)


def _listed(articles: Sequence[str]) -> str:
    return " and ".join(articles) or "no article"


def _shown(outcome: Outcome) -> tuple[object, ...]:
    """Return what the customer gets and, of a handoff, its reason; details and triage are for others."""
    match outcome:
        case Answer(text=text, sources=sources, options=options):
            return "answer", text, sources, options
        case Ask(text=text, sources=sources, options=options, offer=offer):
            return "ask", text, sources, options, offer
        case Courtesy(kind=kind):
            return "courtesy", kind
        case Handoff(reason=reason):
            return "handoff", reason
        case _:
            assert_never(outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Verdicts counted: of conversations that the old configuration got wrong, of those it got right, and of those without labels."""

    known_failures: Counter[Verdict]
    known_good: Counter[Verdict]
    unlabelled: Counter[Verdict]

    @property
    def worse(self) -> int:
        """Return how many conversations the new configuration makes worse."""
        return self.known_failures[Verdict.WORSE] + self.known_good[Verdict.WORSE]

    def __str__(self) -> str:
        failures, good, unlabelled = self.known_failures, self.known_good, self.unlabelled
        plural = "" if failures.total() == 1 else "s"
        return "; ".join(
            f"{counts.total()} {name}: " + ", ".join(f"{counts[v]} {v}" for v in verdicts)
            for name, counts, verdicts in (
                (f"known failure{plural}", failures, (Verdict.IMPROVED, Verdict.UNCHANGED, Verdict.WORSE)),
                ("known good", good, (Verdict.UNCHANGED, *([Verdict.WORSE] if good[Verdict.WORSE] else []))),
                ("unlabelled", unlabelled, (Verdict.UNCHANGED, Verdict.CHANGED)),
            )
            if counts
        )


def summary(comparisons: Iterable[Comparison]) -> Summary:
    """Count the verdicts."""
    every = tuple(comparisons)
    return Summary(
        known_failures=Counter(c.verdict for c in every if c.was_right is False),
        known_good=Counter(c.verdict for c in every if c.was_right is True),
        unlabelled=Counter(c.verdict for c in every if c.was_right is None),
    )
