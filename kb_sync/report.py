"""What a sync came to, as data, as sentences and as JSON. Pure: nothing is printed here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.knowledge import ArticleId, ArticleStatus

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]

_NAMED = 10  # articles in one list of the text; JSON has them all
_KEPT_OUT: Mapping[ArticleStatus, tuple[str, str]] = {
    ArticleStatus.DRAFT: ("draft is", "drafts are"),
    ArticleStatus.SUPERSEDED: ("superseded article is", "superseded articles are"),
    ArticleStatus.RETIRED: ("retired article is", "retired articles are"),
}


class SyncOutcome(StrEnum):
    """How a sync ended; only DONE is a success."""

    DONE = "done"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An article of the source that has nothing to search for."""

    id: ArticleId
    origin: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptOut:
    """An article of the source that customers are not answered from, because it is not active."""

    id: ArticleId
    title: str
    status: ArticleStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a sync did, or would do when `is_dry_run`."""

    source: str
    fingerprint: str
    is_dry_run: bool = False
    seen: int = 0
    added: tuple[ArticleId, ...] = ()
    changed: tuple[ArticleId, ...] = ()
    unchanged: int = 0
    retired: tuple[ArticleId, ...] = ()
    withheld: tuple[ArticleId, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    kept_out: tuple[KeptOut, ...] = ()
    passages: int = 0
    embedded_passages: int = 0
    seconds: float = 0.0
    generation: str = ""

    @property
    def outcome(self) -> SyncOutcome:
        return SyncOutcome.WITHHELD if self.withheld else SyncOutcome.DONE


def rows(report: SyncReport) -> tuple[tuple[str, str], ...]:
    """Return the counts with their names, in the order a person reads them."""
    would = "would be " if report.is_dry_run else ""
    return (
        ("articles seen", str(report.seen)),
        (f"{would}added", str(len(report.added))),
        (f"{would}changed", str(len(report.changed))),
        ("unchanged", str(report.unchanged)),
        (f"{would}retired", str(len(report.retired))),
        ("skipped", str(len(report.skipped))),
        (f"passages {would}embedded", str(report.embedded_passages)),
        ("seconds", f"{report.seconds:.1f}"),
    )


def remarks(report: SyncReport) -> tuple[str, ...]:
    """Return, line by line, what a person must know beyond the counts."""
    skipped = [f"skipped {one.origin} ({one.id}): {one.reason}" for one in report.skipped]
    return (*_named(skipped), *_kept_out_lines(report), *filter(None, [withheld_sentence(report)]))


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


def withheld_sentence(report: SyncReport) -> str:
    """Return why nothing was retired and what to do, or the empty text."""
    if not report.withheld:
        return ""
    count = len(report.withheld)
    return (
        f"{count} articles vanished from the source, among them {', '.join(report.withheld[:3])}; "
        "they were kept, and everything else was applied. If they were withdrawn on purpose, run again "
        f"with --approve-retirements {count}."
    )


def to_json(report: SyncReport) -> Mapping[str, Json]:
    """Return the report as one JSON object."""
    return {
        "outcome": report.outcome.value,
        "dry_run": report.is_dry_run,
        "source": report.source,
        "fingerprint": report.fingerprint,
        "generation": report.generation,
        "seen": report.seen,
        "added": list(report.added),
        "changed": list(report.changed),
        "unchanged": report.unchanged,
        "retired": list(report.retired),
        "withheld": list(report.withheld),
        "skipped": [{"id": one.id, "origin": one.origin, "reason": one.reason} for one in report.skipped],
        "kept_out": [
            {"id": one.id, "title": one.title, "status": one.status.value} for one in report.kept_out
        ],
        "passages": report.passages,
        "embedded_passages": report.embedded_passages,
        "seconds": round(report.seconds, 3),
    }
