"""The stream of one answer as pieces of a draft: blocks as they become whole, and an end only when it says how it ended. Pure.

What the provider sends is not believed to have the form that its client's types promise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from anthropic.lib.streaming import ParsedMessageStreamEvent
from pydantic import Field

from bot.adapters.claude.blocks import Joining
from bot.adapters.claude.requests import ASK_CUSTOMER, HAND_OVER, SourceLabel, is_blank, without_nonce
from bot.adapters.claude.untrusted import ToolInput, Untrusted
from bot.core.knowledge import PassageId
from bot.core.prompt import Abstained, Asked, Block, Citation, DraftPiece, Finished, Stop, Usage

WHOLE = frozenset({"end_turn", "stop_sequence"})
CUT_OFF = frozenset({"max_tokens", "model_context_window_exceeded"})
LONGEST_WHY = 300
MOST_OPTIONS = 4
# What the provider charges for writing a text to its cache and for reading it, in parts of the price of input.
CACHE_WRITE, CACHE_READ = 1.25, 0.1
PER_PRICE = 1_000_000  # prices are for so many tokens


class NotAnAnswer(Exception):
    """What came is complete, or will not get better, and is no draft."""


class StreamBroken(Exception):
    """The stream ended without saying that the answer was complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """USD for a million tokens."""

    input_usd: float
    output_usd: float


class _Location(Untrusted):
    type: Literal["search_result_location"]
    source: str
    search_result_index: int
    cited_text: str


class _Text(Untrusted):
    text: str
    citations: tuple[_Location, ...] | None = Field(default=None, strict=False)


class _Call(Untrusted):
    name: str
    input: dict[str, object]


class _Question(ToolInput):
    question: str
    options: list[str]


class Counted(Untrusted):
    """What the provider counted."""

    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Message(Untrusted):
    model: str
    stop_reason: str | None = None
    usage: Counted


@dataclass(slots=True, kw_only=True)
class DraftReader:
    """Reads one stream; `ended` once it has said how the answer ended."""

    sources: Sequence[SourceLabel]
    nonce: str
    prompt_digest: str
    prices: Prices
    ended: bool = False
    _joining: Joining = field(default_factory=Joining)
    _wrote: bool = False
    _calls: list[_Call] = field(default_factory=list)

    def read(self, event: "ParsedMessageStreamEvent[None]") -> list[DraftPiece]:
        """Return the pieces that are whole with this event."""
        if event.type == "content_block_stop":
            return [*self._content(event.content_block.to_dict(warnings=False))]
        if event.type == "message_stop":
            self.ended = True
            return self._end(_Message.model_validate(event.message.to_dict(warnings=False)))
        return []

    def _content(self, block: dict[str, Any]) -> list[Block]:
        match block.get("type"):
            case "text":
                text = _Text.model_validate(block)
                self._wrote = self._wrote or not is_blank(text.text)
                return self._joining.add(text.text, [self._citation(c) for c in text.citations or ()])
            case "tool_use":
                # What it says counts only when the message ends well: a cut one can be valid and half.
                self._calls.append(_Call.model_validate(block))
                return []
            case "thinking" | "redacted_thinking":
                return []
            case other:
                raise NotAnAnswer(f"a content block of type {other!r}")

    def _citation(self, location: _Location) -> Citation:
        """Return what is cited; a place that is not in the request is a passage that nobody knows."""
        at = location.search_result_index
        known = self.sources[at] if 0 <= at < len(self.sources) else None
        is_ours = known is not None and known.label == location.source
        passage = known.passage if known is not None and is_ours else PassageId("not in the request")
        return Citation(passage=passage, quote=location.cited_text)

    def _end(self, message: _Message) -> list[DraftPiece]:
        usage = usage_of(message.usage, self.prices)
        if message.stop_reason == "tool_use":
            return [*self._joining.rest(), self._called(usage)]
        stop = _stop_of(message.stop_reason)
        if stop is Stop.COMPLETE and (self._calls or not self._wrote):
            raise NotAnAnswer("an unanswered tool call" if self._calls else "an empty answer")
        end = Finished(
            stop=stop, model=f"claude/{message.model}", prompt_digest=self.prompt_digest, usage=usage
        )
        return [*self._joining.rest(), end] if stop is Stop.COMPLETE else [end]

    def _called(self, usage: Usage) -> Asked | Abstained:
        if len(self._calls) != 1:
            raise NotAnAnswer(f"{len(self._calls)} tool calls")
        (call,) = self._calls
        if call.name == HAND_OVER:
            why = call.input.get("why")
            kept = without_nonce(why, self.nonce)[:LONGEST_WHY] if isinstance(why, str) else ""
            return Abstained(why=kept, prompt_digest=self.prompt_digest, usage=usage)
        if call.name != ASK_CUSTOMER:
            raise NotAnAnswer("a call of a tool that it was not given")
        asked = _Question.model_validate(call.input)
        options = tuple(option.strip() for option in asked.options if not is_blank(option))[:MOST_OPTIONS]
        return Asked(
            text=asked.question.strip(), options=options, prompt_digest=self.prompt_digest, usage=usage
        )


def _stop_of(reason: str | None) -> Stop:
    if reason in WHOLE:
        return Stop.COMPLETE
    if reason in CUT_OFF:
        return Stop.CUT_OFF
    if reason == "refusal":
        return Stop.REFUSED
    raise NotAnAnswer(f"the stop reason {reason!r}")


def usage_of(counted: Counted, prices: Prices) -> Usage:
    """Return what a message used, at *prices*."""
    written, read = counted.cache_creation_input_tokens or 0, counted.cache_read_input_tokens or 0
    full_price = counted.input_tokens + CACHE_WRITE * written + CACHE_READ * read
    return Usage(
        input_tokens=counted.input_tokens + written + read,
        output_tokens=counted.output_tokens,
        cost_usd=(full_price * prices.input_usd + counted.output_tokens * prices.output_usd) / PER_PRICE,
    )
