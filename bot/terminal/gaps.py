"""`gaps`: what customers asked and no article answers. It reads, and writes only the file that is asked for."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from bot.adapters.matrix_clusters import MatrixClusters
from bot.core.gap_drafts import GapDraft, day
from bot.core.gaps import Gap, GapQuestion, GapReport
from bot.errors import InputRejected, Misconfigured, Refused
from bot.places import require_data
from bot.service.gaps import Gaps
from bot.settings import Settings
from bot.store_wiring import opened_stores
from bot.terminal.texts import isolated, titled
from bot.turn_wiring import answering, language, opened_parts, turn_policy

ASKED_AT_ONCE = 3_000  # nobody waits for anything else in this process
SHORT_ID = 12


@asynccontextmanager
async def opened_gaps(settings: Settings) -> AsyncIterator[Gaps]:
    """Open the gaps over the data file; Refused when there is none."""
    require_data(settings)
    spoken, policy = language(), turn_policy(settings)
    async with opened_parts(settings, spoken) as parts:
        if parts.catalogue is None:
            raise Misconfigured("no catalogue of articles is kept here")
        async with opened_stores(settings) as stores:
            yield Gaps.over(
                stores.traffic,
                parts.catalogue,
                answering(parts, spoken, policy),
                MatrixClusters,
                unpublished=parts.unpublished,
                asked_at_once=ASKED_AT_ONCE,
            )


async def report(settings: Settings, *, days: int) -> GapReport:
    """Return the gaps of the last days."""
    async with opened_gaps(settings) as gaps:
        return await gaps.report(days)


async def table(settings: Settings, *, days: int) -> str:
    """Return the gaps of the last days for a spreadsheet."""
    async with opened_gaps(settings) as gaps:
        return await gaps.csv(days)


async def draft(settings: Settings, gap: str, *, days: int) -> GapDraft:
    """Return a draft of an article on a gap; Refused when there is no such gap."""
    async with opened_gaps(settings) as gaps:
        found = await gaps.draft(gap, days)
    if found is None:
        raise Refused(
            f"the last {days} days have no gap {gap!r}, or more than one that begins so; "
            "`python -m bot gaps` lists them"
        )
    return found


def keep(written: GapDraft, to: Path) -> Path:
    """Write a draft to a new file, in a folder under a name of its own; InputRejected when that cannot be done."""
    file = to / written.file_name if to.is_dir() else to
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(written.text)
    except FileExistsError as exc:
        raise InputRejected(
            str(file), "is there already", "name another file, or move that one away"
        ) from exc
    except OSError as exc:
        raise InputRejected(str(file), f"cannot be written ({exc.strerror})", "name another file") from exc
    return file


def to_json(found: GapReport) -> Mapping[str, object]:
    """Return what `gaps --json` prints; times are milliseconds since 1970."""
    return {
        "since": found.since_ms,
        "until": found.until_ms,
        "gaps": [_to_gap(gap) for gap in found.gaps],
        "questions": found.questions,
        "left_out": found.left_out,
        "not_asked": found.not_asked,
        "problem": found.problem,
    }


def show(found: GapReport, console: Console, *, days: int) -> None:
    """Print the gaps for a person, those that most customers met first."""
    rows = titled(f"What no article answers, asked in the last {days} days")
    for heading in ("gap", "customers", "last", "why"):
        rows.add_column(heading, no_wrap=True, justify="right" if heading == "customers" else "left")
    rows.add_column("customers asked", overflow="fold", ratio=1)
    for gap in found.gaps:
        label = isolated("\n".join(gap.label))
        rows.add_row(isolated(gap.id[:SHORT_ID]), str(gap.count), day(gap.last_ms), _why(gap), label)
    if found.gaps:
        console.print(rows)
    console.print(_summary(found))


def _summary(found: GapReport) -> Text:
    answered = sum(gap.answered_by is not None for gap in found.gaps)
    said = [f"{found.questions} questions in {len(found.gaps)} gaps, {answered} of them answered by now."]
    if found.left_out:
        said.append(f"{found.left_out} older questions were left out.")
    if found.problem is not None:
        said.append(f"Today's articles could not be asked ({found.problem}): the rest is as it was recorded.")
    elif found.not_asked:
        said.append(f"{found.not_asked} gaps are told as they were recorded.")
    return Text(" ".join(said))


def _why(gap: Gap) -> Text:
    if gap.answered_by is not None:
        return Text(f"answered by {gap.answered_by}", style="green")
    return Text("did not help" if gap.triage is None else gap.triage.replace("_", " "))


def _to_gap(gap: Gap) -> Mapping[str, object]:
    return {
        "id": gap.id,
        "label": list(gap.label),
        "count": gap.count,
        "last": gap.last_ms,
        "locale": gap.locale,
        "triage": gap.triage,
        "answered_by": gap.answered_by,
        "questions": [_to_question(question) for question in gap.questions],
        "replies": [
            {"conversation": one.conversation, "agent": one.agent, "text": one.text, "at": one.at_ms}
            for one in gap.replies
        ],
    }


def _to_question(question: GapQuestion) -> Mapping[str, object]:
    return {
        "conversation": question.conversation,
        "turn": question.turn,
        "text": question.text,
        "at": question.at_ms,
        "reason": question.sign,
        "marked": question.marked,
        "triage": question.triage_now,
        "best_cosine": question.best_cosine,
        "threshold": question.threshold,
        "article": question.article,
    }
