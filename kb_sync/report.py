"""What a sync came to, as data, as sentences and as JSON. Pure: nothing is printed here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.knowledge import ArticleId, ArticleStatus

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

_ANEW = "Another embedding model than before: every passage is embedded anew."
_IN_USE = "Customers are answered from this now."
_NAMED = 10  # articles in one list of the text; JSON has them all
_KEPT_OUT: Mapping[ArticleStatus, tuple[str, str]] = {
    ArticleStatus.DRAFT: ("draft is", "drafts are"),
    ArticleStatus.SUPERSEDED: ("superseded article is", "superseded articles are"),
    ArticleStatus.RETIRED: ("retired article is", "retired articles are"),
}


class RunOutcome(StrEnum):
    """How a run ended; DONE and ROLLED_BACK alone are a success."""

    RUNNING = "running"
    DONE = "done"
    WITHHELD = "withheld"
    FAILED = "failed"
    BUSY = "busy"
    HELD = "held"
    STOPPED = "stopped"
    ROLLED_BACK = "rolled_back"

    @property
    def exit_code(self) -> int:
        """Return 0 when everything was done, 1 for anything partial."""
        return 0 if self in {RunOutcome.DONE, RunOutcome.ROLLED_BACK} else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something of the source that has nothing to search for; without an id when it is no article."""

    origin: str
    reason: str
    id: ArticleId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptOut:
    """An article of the source that customers are not answered from, because it is not active."""

    id: ArticleId
    title: str
    status: ArticleStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsAsked:
    """How many recorded questions find their article among the first three, of how many."""

    hits: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync did, or would do when `is_dry_run`; `previous` is the generation that it replaced, if it did."""

    source: str
    fingerprint: str
    is_dry_run: bool = False
    is_held: bool = False
    is_anew: bool = False
    seen: int = 0
    added: tuple[ArticleId, ...] = ()
    changed: tuple[ArticleId, ...] = ()
    unchanged: int = 0
    retired: tuple[ArticleId, ...] = ()
    withheld: tuple[ArticleId, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    kept_out: tuple[KeptOut, ...] = ()
    source_remarks: tuple[str, ...] = ()
    passages: int = 0
    embedded_passages: int = 0
    embedded_tokens: int = 0
    questions: QuestionsAsked | None = None
    seconds: float = 0.0
    generation: str = ""
    previous: str = ""

    @property
    def outcome(self) -> RunOutcome:
        if self.is_held:
            return RunOutcome.HELD
        return RunOutcome.WITHHELD if self.withheld else RunOutcome.DONE


def rows(report: SyncReport) -> tuple[tuple[str, str], ...]:
    """Return the counts with their names, in the order a person reads them."""
    would = "would be " if report.is_dry_run else ""
    return (
        ("articles seen", _number(report.seen)),
        (f"{would}added", _number(len(report.added))),
        (f"{would}changed", _number(len(report.changed))),
        ("unchanged", _number(report.unchanged)),
        (f"{would}retired", _number(len(report.retired))),
        *((("withheld", _number(len(report.withheld))),) if report.withheld else ()),
        ("skipped", _number(len(report.skipped))),
        (f"passages {would}embedded", _number(report.embedded_passages)),
        (f"tokens {would}embedded", _number(report.embedded_tokens)),
        ("seconds", f"{report.seconds:.1f}"),
    )


def remarks(report: SyncReport) -> tuple[str, ...]:
    """Return, line by line, what a person must know beyond the counts."""
    skipped = [f"skipped {_place(one)}: {one.reason}" for one in report.skipped]
    retired = "would be retired" if report.is_dry_run else "retired"
    return (
        *_named(skipped),
        *_named([f"{retired} {article}" for article in report.retired]),
        *_named(report.source_remarks),
        *_kept_out_lines(report),
        *([_ANEW] if report.is_anew else ()),
        *filter(None, [_questions_sentence(report.questions), withheld_sentence(report), _closing(report)]),
    )


def withheld_sentence(report: SyncReport) -> str:
    """Return why nothing was retired and what to do, or the empty text."""
    if not report.withheld:
        return ""
    count = len(report.withheld)
    kept = (
        "they would be kept, and everything else applied"
        if report.is_dry_run
        else ("they were kept, and everything else was applied")
    )
    return (
        f"{count} articles vanished from the source, among them {', '.join(report.withheld[:3])}; "
        f"{kept}. If they were withdrawn on purpose, run again "
        f"with --approve-retirements {count}."
    )


def to_json(report: SyncReport) -> Mapping[str, Json]:
    """Return the report as one JSON object."""
    return {
        "outcome": report.outcome.value,
        "exit_code": report.outcome.exit_code,
        "dry_run": report.is_dry_run,
        "source": report.source,
        "fingerprint": report.fingerprint,
        "generation": report.generation,
        "previous": report.previous,
        "seen": report.seen,
        "added": list(report.added),
        "changed": list(report.changed),
        "unchanged": report.unchanged,
        "retired": list(report.retired),
        "withheld": list(report.withheld),
        "skipped": [{"id": one.id, "origin": one.origin, "reason": one.reason} for one in report.skipped],
        "failed": 0,
        "kept_out": [
            {"id": one.id, "title": one.title, "status": one.status.value} for one in report.kept_out
        ],
        "remarks": list(report.source_remarks),
        "passages": report.passages,
        "embedded_passages": report.embedded_passages,
        "embedded_tokens": report.embedded_tokens,
        "questions": _questions_json(report.questions),
        "seconds": round(report.seconds, 3),
    }


def failure_to_json(outcome: RunOutcome, error: str) -> Mapping[str, Json]:
    """Return what went wrong as one JSON object."""
    return {"outcome": outcome.value, "exit_code": outcome.exit_code, "error": error}


def _kept_out_lines(report: SyncReport) -> Iterator[str]:
    for status, (one, several) in _KEPT_OUT.items():
        found = [f"  {each.id} {each.title}" for each in report.kept_out if each.status is status]
        if found:
            yield f"{len(found)} {one if len(found) == 1 else several} kept out of answers:"
            yield from _named(found, indent="  ")


def _named(lines: Sequence[str], *, indent: str = "") -> Iterator[str]:
    yield from lines[:_NAMED]
    if (more := len(lines) - _NAMED) > 0:
        yield f"{indent}and {more} more; --json names them all"


def _place(skipped: Skipped) -> str:
    return skipped.origin if skipped.id is None else f"{skipped.origin} ({skipped.id})"


def _questions_sentence(questions: QuestionsAsked | None) -> str:
    if questions is None:
        return ""
    return f"{questions.hits} of the {questions.of} questions it was checked with find their article among the first three."


def _questions_json(questions: QuestionsAsked | None) -> Json:
    return None if questions is None else {"hits": questions.hits, "of": questions.of}


def _closing(report: SyncReport) -> str:
    """Return what is in use now, so that nobody need wonder whether a run changed anything."""
    if report.is_dry_run:
        held = "This state of the source was rolled back: it is published only with --forward."
        return held if report.is_held else "Nothing was written."
    if report.previous:
        return f"{_IN_USE} `python -m kb_sync --rollback` goes back to what was before."
    if report.added:
        return _IN_USE
    return "" if report.withheld else "Nothing had to be changed."


def _number(count: int) -> str:
    return f"{count:,}"
