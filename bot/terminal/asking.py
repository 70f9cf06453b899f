"""`ask`: one turn on the configured knowledge base, nothing kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from bot.adapters.prompt_files import Language
from bot.checks_wiring import check_gate
from bot.core.asking import question_after
from bot.core.conversation import TurnId
from bot.core.outcome import Handoff, outcome_name
from bot.core.turn import Turn
from bot.evaluation.golden import read_history
from bot.service.turns import to_message
from bot.settings import Settings
from bot.terminal.texts import isolated, passages_table
from bot.turn_wiring import answering, language, opened_parts, turn_policy


async def ask(settings: Settings, text: str, *, history: Path | None, locale: str) -> tuple[Turn, Language]:
    """Settle *text* after the messages in *history*."""
    spoken, policy = language(), turn_policy(settings)
    earlier = read_history(history) if history else ()
    async with opened_parts(settings, spoken) as parts:
        await check_gate(parts, policy)
        start = question_after(earlier, text, locale=locale)
        turn = await answering(parts, spoken, policy).settle(
            start, TurnId("asked"), capped=None, show=_unseen
        )
    return turn, spoken


async def _unseen(_texts: Sequence[str]) -> None:
    """Show nothing while the answer is made: it is printed whole."""


def to_json(turn: Turn, spoken: Language, *, locale: str) -> Mapping[str, object]:
    """Return the turn as `ask --json` prints it (DESIGN §8)."""
    outcome = turn.outcome
    said = to_message(outcome, spoken.replies, locale)
    return {
        "outcome": outcome_name(outcome),
        "reason": outcome.reason if isinstance(outcome, Handoff) else None,
        "text": said.text,
        "sources": [{"id": s.id, "title": s.title, "url": s.url} for s in said.sources],
        "evidence": _evidence(turn),
    }


def _evidence(turn: Turn) -> Mapping[str, object]:
    query = turn.query
    return {
        "query": query.text if query else None,
        "used": list(query.used) if query else [],
        "dropped": [{"seq": d.seq, "why": d.why} for d in query.dropped] if query else [],
        "passages": [
            {
                "article_id": p.found.article_id,
                "title": p.found.title,
                "cosine": round(p.found.cosine, 4),
                "score": round(p.score, 4),
            }
            for p in turn.ranked
        ],
        "threshold": turn.threshold,
        "fingerprint": turn.index.fingerprint if turn.index else None,
        "stages": [{"name": s.name, "status": s.status, "ms": s.ms, "error": s.error} for s in turn.stages],
    }


def show(turn: Turn, spoken: Language, console: Console, *, locale: str) -> None:
    """Print the turn for a person."""
    outcome = turn.outcome
    said = to_message(outcome, spoken.replies, locale)
    reason = f": {outcome.reason}" if isinstance(outcome, Handoff) else ""
    console.rule(f"{outcome_name(outcome)}{reason}", align="left")
    console.print(isolated(said.text))
    for source in said.sources:
        console.print(isolated(f"→ {source.title} ({source.id}) {source.url}"))
    for option in said.options:
        console.print(isolated(f"[ {option} ]"))
    if isinstance(outcome, Handoff) and outcome.detail:
        console.print(isolated(f"For the operator: {outcome.detail}"))
    if turn.query:
        console.print(passages_table(turn.ranked, turn.threshold, title=_searched(turn)))


def _searched(turn: Turn) -> str:
    query = turn.query.text if turn.query else ""
    threshold = "uncalibrated" if turn.threshold is None else f"threshold {turn.threshold:.3f}"
    return f"Searched with: {query}\n({threshold})"
