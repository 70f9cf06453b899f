"""Gaps as a table for a spreadsheet: CSV in UTF-8 with a byte order mark, without which Excel takes it for another encoding. Pure."""

import csv
import io
from collections.abc import Sequence

from bot.core.gap_drafts import day
from bot.core.gap_grouping import LABELS
from bot.core.gaps import Gap, GapReport

BYTE_ORDER_MARK = "\ufeff"
HEADINGS = (
    "gap", "customers", "last_asked", "triage", "answered_by",
    *(f"question_{number}" for number in range(1, LABELS + 1)),
    "first_reply", "replied_on", "conversation",
)  # fmt: skip
# What a spreadsheet takes for the beginning of a formula, in full width too.
_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_SPACE = "\t\r\n"


def to_csv(report: GapReport) -> str:
    """Return a row for each gap under the headings."""
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(HEADINGS)
    rows.writerows([_safe(cell) for cell in _row(gap)] for gap in report.gaps)
    return BYTE_ORDER_MARK + written.getvalue()


def _row(gap: Gap) -> Sequence[str]:
    labels = (*gap.label, *("" for _ in range(LABELS)))[:LABELS]
    reply = gap.replies[0] if gap.replies else None
    return (
        gap.id,
        str(gap.count),
        day(gap.last_ms),
        gap.triage or "",
        gap.answered_by or "",
        *labels,
        *((reply.text, day(reply.at_ms), reply.conversation) if reply else ("", "", "")),
    )


def _safe(cell: str) -> str:
    """A text that a spreadsheet would compute begins with an apostrophe instead, which makes it text to all of them."""
    begins = cell.lstrip(" \u00a0\u3000")[:1]
    return f"'{cell}" if begins in _FORMULA or (begins and begins in _SPACE) else cell
