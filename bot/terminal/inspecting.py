"""`inspect`: what each text retrieves, and whether the gate would let it through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from bot.checks_wiring import check_gate
from bot.core.asking import question_after
from bot.core.gate import is_enough
from bot.core.knowledge import RankedPassage
from bot.core.routing import Question
from bot.service.trace import StageBroken, Trace
from bot.settings import Settings
from bot.terminal.texts import isolated, passages_table
from bot.turn_wiring import answering, language, opened_parts, turn_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """A text and what it found; `problem` says why it could not be searched."""

    text: str
    passages: tuple[RankedPassage, ...]
    threshold: float | None
    score: float | None = None
    problem: str = ""

    @property
    def passes(self) -> bool:
        """Whether the gate's score reaches the threshold."""
        return self.threshold is not None and is_enough(self.score, self.threshold)


async def inspect(settings: Settings, texts: Sequence[str]) -> tuple[Inspected, ...]:
    """Search with each text as it stands, without routing."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_parts(settings, spoken) as parts:
        await check_gate(parts, policy)
        steps = answering(parts, spoken, policy).retrieving
        found = []
        for text in texts:
            start = question_after((), text, locale=policy.kb_locale)
            trace = Trace(clock=parts.clock, started_ms=parts.clock.now_ms())
            question = Question(current=start.unanswered[0], bare=text)
            try:
                await steps.retrieve(start, question, trace, can_abstain=parts.answerer.can_abstain)
            except StageBroken as broken:
                found.append(_of(text, trace, problem=broken.handoff.detail))
            else:
                found.append(_of(text, trace))
    return tuple(found)


def _of(text: str, trace: Trace, *, problem: str = "") -> Inspected:
    return Inspected(
        text=text, passages=trace.ranked, threshold=trace.threshold, score=trace.best_cosine, problem=problem
    )


def to_json(inspected: Sequence[Inspected]) -> list[Mapping[str, object]]:
    """Return the texts as `inspect --json` prints them (DESIGN §8)."""
    return [
        {
            "text": one.text,
            "passages": [
                {
                    "rank": rank,
                    "article_id": p.found.article_id,
                    "title": p.found.title,
                    "cosine": round(p.found.cosine, 4),
                    "score": round(p.score, 4),
                }
                for rank, p in enumerate(one.passages, start=1)
            ],
            "threshold": one.threshold,
            "passes": one.passes,
            **({"problem": one.problem} if one.problem else {}),
        }
        for one in inspected
    ]


def show(inspected: Sequence[Inspected], console: Console) -> None:
    """Print the texts for a person, lettered A, B, C."""
    for number, one in enumerate(inspected):
        title = f"{chr(ord('A') + number % 26)}. {one.text}"
        if one.problem:
            console.print(isolated(title))
        else:
            console.print(passages_table(one.passages, one.threshold, title=title))
        console.print(_verdict(one), "\n")


def _verdict(one: Inspected) -> Text:
    if one.problem:
        return isolated(f"could not be searched: {one.problem}")
    if one.threshold is None:
        return Text("uncalibrated: run `python -m bot calibrate`", style="yellow")
    best = f" the gate: best cosine {one.score or 0:.3f}, threshold {one.threshold:.3f}"
    return Text.assemble(("passes", "green") if one.passes else ("does not pass", "red"), best)
