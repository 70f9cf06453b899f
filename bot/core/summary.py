"""What an agent reads first about a handoff: what is asked, what was said, what is open. Three lines, in the agents' language.

A model may write them; `extractive_summary` needs none, and stands in for one that fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.conversation import Kind, Message, Role
from bot.core.facts import emails_in, figures_in, figures_known_from, links_in
from bot.core.outcome import Handoff, ReasonCode
from bot.core.replies import Replies
from bot.core.revisions import revised
from bot.core.rules import Rules, signals
from bot.core.turn import Turn

LONGEST_LINE = 400  # characters; an agent reads three lines at a glance
LONGEST_QUOTE = 160
MESSAGES = 30  # of the conversation's end; more is not summed up in three lines
QUOTED = 3
PLEA_WORDS = 6  # a longer request for a person says what for


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The three lines without their labels."""

    asked: str
    said: str
    open: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """What the summary is made from: what the customer saw up to the handoff, oldest first, and why it came about.

    `nearest` is the title of the article that came closest, `locale` the agents' language.
    """

    messages: tuple[Message, ...]
    reason: ReasonCode
    rule: str | None = None
    nearest: str | None = None
    locale: str = "en"


def summary_request(
    messages: Sequence[Message], turn: Turn, handoff: Handoff, *, locale: str
) -> SummaryRequest:
    """Return the request for the handoff that *turn* ended in; what followed it is left out, but for later edits of what came before."""
    seqs = [m.seq for m in messages if m.turn == turn.id] or [turn.fence.last_customer_seq]
    until = [m for m in revised(messages) if (m.revises or m.seq) <= seqs[-1]]
    return SummaryRequest(
        messages=tuple(until[-MESSAGES:]),
        reason=handoff.reason,
        rule=handoff.rule,
        nearest=turn.ranked[0].found.title if turn.ranked else None,
        locale=locale,
    )


def in_lines(summary: Summary, replies: Replies, locale: str) -> str:
    """Return the text of the note: three lines, each with its label."""
    return "\n".join(
        (
            replies.note("asked", locale, asked=_line(summary.asked)),
            replies.note("said", locale, said=_line(summary.said)),
            replies.note("open", locale, open=_line(summary.open)),
        )
    )


def extractive_summary(request: SummaryRequest, replies: Replies, rules: Rules) -> Summary:
    """Return the customer's own last words, what the bot answered from, and why a person is needed."""
    locale = request.locale
    asked = _quoted(_questions(request.messages, rules))
    said = _quoted(_answers(request.messages))
    return Summary(
        asked=asked or replies.note("asked_nothing", locale),
        said=said or replies.note("said_nothing", locale),
        open=_open(request, replies),
    )


def rests_on(summary: Summary, request: SummaryRequest) -> bool:
    """Whether each line says something, and every figure, address and link in them was in what was summed up."""
    lines = (summary.asked, summary.said, summary.open)
    stated = "\n".join(lines)
    titles = [source.title for message in request.messages for source in message.sources]
    known = "\n".join([*(m.text for m in request.messages), *titles, request.nearest or ""])
    return (
        all(line.strip() for line in lines)
        and links_in(stated) <= links_in(known)
        and emails_in(stated) <= emails_in(known)
        and figures_in(stated) <= figures_known_from(known)
    )


def _questions(messages: Sequence[Message], rules: Rules) -> list[str]:
    """Return the customer's last messages, without courtesies and bare requests for a person unless there is nothing else."""
    written = [m.text for m in messages if m.role is Role.CUSTOMER and m.kind is Kind.TEXT and m.text.strip()]
    return [text for text in written if not _says_little(text, rules)][-QUOTED:] or written[-1:]


def _says_little(text: str, rules: Rules) -> bool:
    read = signals(text, rules)
    is_plea = read.asks_for_person and len(text.split()) <= PLEA_WORDS
    return is_plea or read.is_bare_greeting or read.is_bare_thanks or not read.carries_text


def _answers(messages: Sequence[Message]) -> list[str]:
    """Return the titles of the articles that answers rest on; the bot's own words where there is none."""
    said: list[str] = []
    for message in messages:
        if message.role is Role.BOT and message.kind is Kind.TEXT and not message.refusal:
            said += [source.title for source in message.sources] or [message.text]
    return list(dict.fromkeys(said))[-QUOTED:]


def _open(request: SummaryRequest, replies: Replies) -> str:
    why = replies.reason(request.reason, request.locale)
    rule = f" ({request.rule})" if request.rule else ""
    near = replies.note("nearest", request.locale, title=_clipped(request.nearest)) if request.nearest else ""
    return "; ".join(filter(None, (why + rule, near)))


def _quoted(texts: Sequence[str]) -> str:
    return " · ".join(f"“{_clipped(text)}”" for text in texts)


def _clipped(text: str, longest: int = LONGEST_QUOTE) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _line(text: str) -> str:
    return _clipped("".join(c if c.isprintable() else " " for c in text), LONGEST_LINE)
