"""What the model is asked: evidence as citable search results, history and question as marked data. Pure.

Nothing that a customer or an article wrote can forge a mark or a label: both carry a nonce that is made for one request and taken
out of everything that goes in.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from anthropic.types import (
    ContentBlockParam,
    MessageParam,
    SearchResultBlockParam,
    TextBlockParam,
    ThinkingConfigParam,
    ToolChoiceAutoParam,
    ToolParam,
)

from bot.adapters.claude.blocks import SAYS_SOMETHING
from bot.adapters.claude.prompt import AnswerPrompt
from bot.core.conversation import Message, Role
from bot.core.knowledge import PassageId, RankedPassage
from bot.core.markdown import sentences_of
from bot.core.prompt import AnswerRequest
from bot.core.quantities import without_invisible

HAND_OVER = "hand_over"
ASK_CUSTOMER = "ask_customer"
TOOLS: tuple[ToolParam, ...] = (
    {
        "name": HAND_OVER,
        "description": "Declare that the search results do not answer the customer's question. Nothing else is written then.",
        "input_schema": {
            "type": "object",
            "properties": {
                "why": {"type": "string", "description": "For the support team: what is missing, in one sentence."}
            },
            "required": ["why"],
            "additionalProperties": False,
        },
    },
    {
        "name": ASK_CUSTOMER,
        "description": "Ask the customer for the one thing that decides which answer is right.",
        "input_schema": {
            "type": "object",
            "properties": {
                "question": {"type": "string", "description": "One short question that states nothing."},
                "options": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Two to four short answers to choose from, in the customer's language.",
                },
            },
            "required": ["question", "options"],
            "additionalProperties": False,
        },
    },
)  # fmt: skip
TOOL_CHOICE: ToolChoiceAutoParam = {"type": "auto", "disable_parallel_tool_use": True}
LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
# These think by default and can be told not to; the others think always, and refuse to be told.
TOLD_NOT_TO_THINK = ("haiku", "sonnet")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLabel:
    """The name under which the model sees a passage in one request."""

    label: str
    passage: PassageId


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeRequest:
    """One request, and what its labels stand for, in the order of the search results."""

    system: tuple[TextBlockParam, ...]
    messages: tuple[MessageParam, ...]
    sources: tuple[SourceLabel, ...]
    nonce: str


def claude_request(request: AnswerRequest, prompt: AnswerPrompt, *, nonce: str) -> ClaudeRequest:
    """Translate a request; the same arguments give the same request."""
    locale = request.locale if LOCALE.fullmatch(request.locale) else "en"
    passages = request.evidence.passages
    sources = tuple(_label(ranked, number, nonce) for number, ranked in enumerate(passages, start=1))
    results = [_search_result(p, source, nonce) for p, source in zip(passages, sources, strict=True)]
    return ClaudeRequest(
        system=(
            {"type": "text", "text": prompt.fixed, "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": prompt.filled(nonce=nonce, locale=locale)},
        ),
        messages=tuple(_messages(request.history, results, request.question, nonce)),
        sources=sources,
        nonce=nonce,
    )


def thinking_of(model: str) -> ThinkingConfigParam | None:
    """Return how *model* is told to spend its tokens and its time on the answer; None for one that cannot be told."""
    return {"type": "disabled"} if any(family in model for family in TOLD_NOT_TO_THINK) else None


def citable_parts(text: str) -> tuple[str, ...]:
    """Cut a passage into sentences and steps that are the passage again when put together.

    What says nothing alone, such as the number of a step, stays with what follows it.
    """
    starts = [0]
    at = 0
    for sentence in sentences_of(text):
        at = text.index(sentence, at)
        if SAYS_SOMETHING.search(text, starts[-1], at):
            starts.append(at)
        at += len(sentence)
    parts = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    if len(parts) > 1 and not SAYS_SOMETHING.search(parts[-1]):
        parts[-2:] = ["".join(parts[-2:])]
    return tuple(parts)


def without_nonce(text: str, nonce: str) -> str:
    """Take the nonce out, also where taking it out would leave another one."""
    while nonce.casefold() in text.casefold():
        text = re.sub(re.escape(nonce), "", text, flags=re.IGNORECASE)
    return text


def _label(ranked: RankedPassage, number: int, nonce: str) -> SourceLabel:
    rival = "-rival" if ranked.rival else ""
    return SourceLabel(label=f"source-{nonce}-{number}{rival}", passage=ranked.found.passage.id)


def _search_result(ranked: RankedPassage, source: SourceLabel, nonce: str) -> SearchResultBlockParam:
    found = ranked.found
    names = [found.title, *(name for name in found.passage.headings if name != found.title)]
    title = without_nonce(" > ".join(name for name in names if name.strip()), nonce)
    return {
        "type": "search_result",
        "source": source.label,
        "title": title.strip() or "Article",
        "content": [
            {"type": "text", "text": part}
            for part in citable_parts(without_nonce(found.passage.text, nonce))
            if part.strip()
        ],
        "citations": {"enabled": True},
    }


def _messages(
    history: Sequence[Message], results: Sequence[SearchResultBlockParam], question: str, nonce: str
) -> Iterator[MessageParam]:
    """Yield the conversation: a customer's message first and last, neighbours of one role merged, no blank text."""
    said: list[tuple[bool, list[ContentBlockParam]]] = [
        (
            message.role is Role.CUSTOMER,
            [_said(message.text, nonce, by_customer=message.role is Role.CUSTOMER)],
        )
        for message in history
        if not is_blank(without_nonce(message.text, nonce))
    ]
    asked = "" if is_blank(question) else question
    said.append((True, [*results, _said(asked, nonce, by_customer=True)]))
    first = next(at for at, (by_customer, _) in enumerate(said) if by_customer)
    for by_customer, turns in groupby(said[first:], key=lambda turn: turn[0]):
        content = [block for _, blocks in turns for block in blocks]
        if by_customer:
            yield {"role": "user", "content": content}
        else:
            yield {"role": "assistant", "content": content}


def _said(text: str, nonce: str, *, by_customer: bool) -> TextBlockParam:
    plain = without_nonce(text, nonce).strip()
    marked = f"<customer-{nonce}>\n{plain}\n</customer-{nonce}>"
    return {"type": "text", "text": marked if by_customer else plain}


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen: the model's provider refuses such a message."""
    return not without_invisible(text).strip()
