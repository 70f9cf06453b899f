"""`replay --threshold`: what another threshold would have done to the turns that `export` wrote."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from bot.core.what_if import Change, WhatIf
from bot.evaluation.what_if import Supposed
from bot.terminal.texts import isolated, titled

_TITLES: Mapping[Change, str] = {
    Change.PASSES: "Handed over with no_evidence, would have passed the gate",
    Change.IS_HANDED_OVER: "Answered, would have been handed over with no_evidence",
}


def to_json(supposed: WhatIf[Supposed]) -> Mapping[str, object]:
    """Return the turns as `replay --threshold --json` prints them."""
    return {
        "threshold": supposed.threshold,
        "n": len(supposed.turns),
        "no_evidence": supposed.stopped,
        "answered": supposed.answered,
        "would_have_passed": [_row(one) for one in supposed.of(Change.PASSES)],
        "would_have_been_handed_over": [_row(one) for one in supposed.of(Change.IS_HANDED_OVER)],
    }


def _row(one: Supposed) -> Mapping[str, object]:
    recorded = one.recorded
    return {
        "id": one.conversation.id,
        "question": one.conversation.question,
        "outcome": recorded.outcome,
        "reason": recorded.reason,
        "best_cosine": recorded.best_cosine,
        "threshold": recorded.threshold,
        "article_id": recorded.passages[0].article_id if recorded.passages else None,
    }


def show(supposed: WhatIf[Supposed], console: Console) -> None:
    """Print what would have changed, the surest first, and the counts."""
    for change, title in _TITLES.items():
        if turns := supposed.of(change):
            console.print(_table(turns, title))
    passed, handed_over = (len(supposed.of(change)) for change in _TITLES)
    console.print(
        f"At {supposed.threshold:.3f}, of {len(supposed.turns)} turns: {passed} of {supposed.stopped} handoffs with "
        f"no_evidence would have passed the gate, {handed_over} of {supposed.answered} answers would have been handed "
        "over. Whether an answer would have followed, only a replay says."
    )


def _table(turns: Sequence[Supposed], title: str) -> Table:
    table = titled(title)
    table.add_column("turn", width=9, no_wrap=True, overflow="ellipsis")
    table.add_column("best", justify="right")
    table.add_column("was", justify="right")
    table.add_column("article", overflow="fold")
    table.add_column("question", overflow="fold", ratio=1)
    for one in turns:
        recorded = one.recorded
        table.add_row(
            isolated(one.conversation.id),
            _number(recorded.best_cosine),
            _number(recorded.threshold),
            isolated(recorded.passages[0].article_id if recorded.passages else ""),
            isolated(one.conversation.question),
        )
    return table


def _number(cosine: float | None) -> str:
    return "" if cosine is None else f"{cosine:.3f}"
