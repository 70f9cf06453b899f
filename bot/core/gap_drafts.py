"""A gap as a draft of an article, in the form that a folder of Markdown is synced from. Pure.

It quotes what agents answered and makes nothing up; its status is draft, so that nothing is published before a person has written it.
"""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.core.gap_assembly import one_line
from bot.core.gaps import Gap, QuotedReply
from bot.core.hidden import HIDING
from bot.core.knowledge import ArticleId, ArticleStatus

TAG = "knowledge gap"
QUESTIONS_LISTED = 10
_ID_LENGTH = 12  # of a gap's id


@dataclass(frozen=True, slots=True, kw_only=True)
class GapDraft:
    """A draft as a file."""

    id: ArticleId
    text: str

    @property
    def file_name(self) -> str:
        """Return a name for the file that holds it."""
        return f"{self.id}.md"


def gap_draft(gap: Gap, *, taken: Collection[ArticleId]) -> GapDraft:
    """Return the draft; its id is none of *taken*, and the same for a gap as long as the one before is not taken up."""
    article = _fresh_id(gap, taken)
    parts = (_front_matter(gap, article), _intro(gap), _asked(gap), _answered(gap.replies))
    return GapDraft(id=article, text="\n".join(parts))


def day(at_ms: int) -> str:
    """Return the day of a moment, UTC."""
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).date().isoformat()


def _fresh_id(gap: Gap, taken: Collection[ArticleId]) -> ArticleId:
    letters = "".join(c for c in gap.id if c.isascii() and c.isalnum())[:_ID_LENGTH]
    first, number = ArticleId(f"gap-{letters}"), 2
    article = first
    while article in taken:
        article, number = ArticleId(f"{first}-{number}"), number + 1
    return article


def _front_matter(gap: Gap, article: ArticleId) -> str:
    lines = (
        f"id: {article}",
        f"title: {_quoted(_plain(gap.label[0]))}",
        f"locale: {_quoted(gap.locale)}",
        f"status: {ArticleStatus.DRAFT}",
        "tags:",
        f"  - {TAG}",
    )
    return "\n".join(("---", *lines, "---", ""))


def _intro(gap: Gap) -> str:
    asked = "one customer" if gap.count == 1 else f"{gap.count} customers"
    return f"No article answered this. Asked by {asked}, last on {day(gap.last_ms)}.\n"


def _asked(gap: Gap) -> str:
    texts = (*gap.label, *(one_line(question.text) for question in gap.questions))
    listed = list(dict.fromkeys(_plain(text) for text in texts))[:QUESTIONS_LISTED]
    return "\n".join(("## What customers asked", "", *(f"- {text}" for text in listed), ""))


def _answered(replies: Collection[QuotedReply]) -> str:
    heading = "## What agents answered\n"
    if not replies:
        return f"{heading}\nNo agent has answered this yet.\n"
    return "\n".join((heading, *(_quotation(reply) for reply in replies)))


def _quotation(reply: QuotedReply) -> str:
    lines = (f"> {line}".rstrip() for line in _plain(reply.text).splitlines())
    return "\n".join((f"In conversation {reply.conversation} on {day(reply.at_ms)}:", "", *lines, ""))


def _plain(text: str) -> str:
    """Leave out what cannot be seen but changes what is read."""
    return "".join(c for c in text if c in "\n\t" or (c not in HIDING and unicodedata.category(c) != "Cc"))


def _quoted(text: str) -> str:
    """Return *text* as YAML reads it back, whatever is in it."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08X}"
