"""What an answerer is given, and the pieces that it gives back."""

from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import Message
from bot.core.knowledge import PassageId, RankedPassage


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The passages that passed the evidence gate, best first, rivals of those among them, and the threshold, if there was one."""

    passages: tuple[RankedPassage, ...]
    threshold: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """The bare message, its evidence, and the last customer-visible text messages, the customer's first.

    `deadline_s` is the clock's monotonic time at which nobody waits for the draft any more. `nonce` marks what is data in this one
    request; a draft that holds it shows what no customer may see.
    """

    question: str
    evidence: Evidence
    history: tuple[Message, ...]
    locale: str = "en"
    deadline_s: float | None = None
    nonce: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quotation that a block rests on; `quote` must stand verbatim in the passage."""

    passage: PassageId
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A complete piece of a draft: Markdown text and what it rests on; `fixed` marks a sentence from replies.toml."""

    text: str
    citations: tuple[Citation, ...] = ()
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a draft consumed, as its provider counted it."""

    input_tokens: int
    output_tokens: int
    cost_usd: float

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The draft is a question to the customer; `options` are answers to tap."""

    text: str
    options: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    prompt_digest: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstained:
    """The answerer declares that the evidence does not answer the question."""

    why: str = ""
    prompt_digest: str | None = None
    usage: Usage | None = None


class Stop(StrEnum):
    """Why a draft ended; only COMPLETE may become an answer."""

    COMPLETE = "complete"
    CUT_OFF = "cut_off"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The end of a draft. `options` are tappable answers to a question at its end."""

    stop: Stop
    options: tuple[str, ...] = ()
    model: str | None = None
    prompt_digest: str | None = None
    usage: Usage | None = None


DraftPiece = Block | Asked | Abstained | Finished
