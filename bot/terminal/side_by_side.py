"""Two turns on one question, beside each other: what was searched with, what was found, the gate, and what the customer got."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from bot.core.outcome import Answer, Ask, Handoff, outcome_name
from bot.core.replies import Replies
from bot.core.turn import Turn
from bot.evaluation.comparison import Comparison
from bot.service.turns import to_message
from bot.terminal.texts import isolated

_PASSAGES = 5  # of up to eight; the rest decides nothing that a person would look for first
_LETTERS = 300
_SAME = Text("the same", style="dim")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lines:
    """A turn as rows of text; `short` says whether long ones are cut."""

    turn: Turn
    said: str
    short: bool

    def rows(self) -> Mapping[str, str]:
        return {
            "searched": self._cut(self.turn.query.text) if self.turn.query else "nothing",
            "passages": self._passages(),
            "gate": _gate(self.turn),
            "outcome": _outcome(self.turn),
            "text": self._cut(self.said),
        }

    def _passages(self) -> str:
        shown = self.turn.ranked[:_PASSAGES] if self.short else self.turn.ranked
        lines = (
            f"{rank}. {p.found.article_id} {p.found.cosine:.3f}" for rank, p in enumerate(shown, start=1)
        )
        return "\n".join(lines) or "none"

    def _cut(self, text: str) -> str:
        return text if not self.short or len(text) <= _LETTERS else text[:_LETTERS].rstrip() + " …"


def side_by_side(one: Comparison, replies: Replies, *, verbose: bool) -> Table:
    """Return both turns as two columns; what is the same stands once. Long texts are cut unless *verbose*."""
    locale = one.conversation.locale
    old, new = (
        _Lines(turn=turn, said=to_message(turn.outcome, replies, locale).text, short=not verbose).rows()
        for turn in (one.old, one.new)
    )
    table = Table(box=None, padding=(0, 1, 0, 0), expand=True)
    table.add_column("", width=10)
    table.add_column("old", ratio=1, overflow="fold", justify="left")
    table.add_column("new", ratio=1, overflow="fold", justify="left")
    table.add_row("question", isolated(one.conversation.question), "")
    for name, was in old.items():
        table.add_row(name, isolated(was), _SAME if new[name] == was else isolated(new[name]))
    return table


def _gate(turn: Turn) -> str:
    if turn.best_cosine is None:
        return "not reached"
    if turn.threshold is None:
        return f"best {turn.best_cosine:.3f}, uncalibrated"
    # Four decimals: a threshold often stands right at a score, because one was its origin.
    if turn.best_cosine >= turn.threshold:
        return f"best {turn.best_cosine:.4f} ≥ {turn.threshold:.4f}: passes"
    return f"best {turn.best_cosine:.4f} < {turn.threshold:.4f}: stopped"


def _outcome(turn: Turn) -> str:
    outcome = turn.outcome
    if isinstance(outcome, Handoff):
        return f"handoff: {outcome.reason}"
    sources = [s.id for s in outcome.sources] if isinstance(outcome, Answer | Ask) else []
    return f"{outcome_name(outcome)} from {', '.join(sources)}" if sources else outcome_name(outcome)


def side_to_json(turn: Turn, replies: Replies, *, locale: str) -> Mapping[str, object]:
    """Return one turn as a program reads it, in the words of `ask --json`."""
    outcome = turn.outcome
    said = to_message(outcome, replies, locale)
    best, threshold = turn.best_cosine, turn.threshold
    return {
        "outcome": outcome_name(outcome),
        "reason": outcome.reason if isinstance(outcome, Handoff) else None,
        "text": said.text,
        "sources": [{"id": s.id, "title": s.title, "url": s.url} for s in said.sources],
        "query": turn.query.text if turn.query else None,
        "passages": [
            {"rank": rank, "article_id": p.found.article_id, "cosine": round(p.found.cosine, 4)}
            for rank, p in enumerate(turn.ranked, start=1)
        ],
        "best_cosine": best,
        "threshold": threshold,
        "passes": None if best is None or threshold is None else best >= threshold,
    }
