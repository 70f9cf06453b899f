"""How much the bot may do in a day, in one conversation and over all, and what it has used of that. At a cap people answer.

A draft is counted before it is asked for, with the most that it can use, and again when its provider has said what it did use:
what is dropped, cut off or lost in a crash stays counted.
"""

import math
from dataclasses import dataclass, field

from bot.core.conversation import ConversationId, TurnId
from bot.core.prompt import Usage

DAY_MS = 86_400_000
MICRO = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What may be used in a day; None is without limit."""

    turns: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What one conversation may use, and all of them together (FAULTS L10)."""

    conversation: Allowance = field(default_factory=lambda: Allowance(turns=40))
    overall: Allowance = field(default_factory=Allowance)

    @property
    def count_drafts(self) -> bool:
        """Whether a cap needs what drafts use, and not only how many turns a conversation had."""
        here = self.conversation
        return self.overall != Allowance() or here.tokens is not None or here.cost_usd is not None


UNCAPPED = Caps(conversation=Allowance())


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was used: turns, tokens in and out, and millionths of a dollar, so that sums are exact."""

    turns: int = 0
    tokens: int = 0
    micro_usd: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentInADay:
    """What one conversation used, and what all did."""

    conversation: Spent = field(default_factory=Spent)
    overall: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What one turn uses."""

    turn: TurnId
    conversation: ConversationId
    usage: Usage
    at_ms: int

    @property
    def tokens(self) -> int:
        """Return the tokens of both directions."""
        return self.usage.input_tokens + self.usage.output_tokens

    @property
    def micro_usd(self) -> int:
        """Return the cost, never less than it is."""
        return math.ceil(self.usage.cost_usd * MICRO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tariff:
    """What a draft costs, USD for a million tokens, and how long one can get."""

    input_usd: float
    output_usd: float
    output_tokens: int

    def at_most(self, input_tokens: int) -> Usage:
        """Return what a draft of so much input uses when it gets as long as it may."""
        cost_usd = (input_tokens * self.input_usd + self.output_tokens * self.output_usd) / MICRO
        return Usage(input_tokens=input_tokens, output_tokens=self.output_tokens, cost_usd=cost_usd)


def cap_reached(caps: Caps, spent: SpentInADay) -> str | None:
    """Name the cap that leaves nothing more to use; None while there is something."""
    if reached := _reached(caps.conversation, spent.conversation):
        return reached
    return overall_cap_reached(caps, spent)


def overall_cap_reached(caps: Caps, spent: SpentInADay) -> str | None:
    """Name the cap that stops the bot in every conversation."""
    reached = _reached(caps.overall, spent.overall)
    return f"{reached} over all conversations" if reached else None


def allowed(caps: Caps) -> str:
    """Say in words what may be used in a day."""
    here, overall = _allowed(caps.conversation), _allowed(caps.overall)
    return f"in a day {here} in a conversation, {overall} over all"


def _allowed(allowance: Allowance) -> str:
    turns = () if allowance.turns is None else (f"{allowance.turns:,} turns",)
    tokens = () if allowance.tokens is None else (f"{allowance.tokens:,} tokens",)
    cost = () if allowance.cost_usd is None else (f"{allowance.cost_usd:.2f} USD",)
    return " and ".join((*turns, *tokens, *cost)) or "no limit"


def _reached(allowed: Allowance, spent: Spent) -> str | None:
    if allowed.turns is not None and spent.turns >= allowed.turns:
        return f"{allowed.turns} turns in a day"
    if allowed.tokens is not None and spent.tokens >= allowed.tokens:
        return f"{allowed.tokens} tokens in a day"
    if allowed.cost_usd is not None and spent.micro_usd >= allowed.cost_usd * MICRO:
        return f"{allowed.cost_usd:.2f} USD in a day"
    return None
