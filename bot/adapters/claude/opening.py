"""Opens the client from plain values. No call is made: a key that is rejected is noticed by the first draft."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from anthropic import AsyncAnthropic

from bot.adapters.claude.client import TIMEOUT, ClaudeAnswerer, ClaudeModel, Surroundings
from bot.adapters.claude.events import Prices
from bot.adapters.claude.prompt import load_answer_prompt

__all__ = ["ClaudeAccess", "Surroundings", "opened_claude"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeAccess:
    """What an operator sets; prices are USD for a million tokens."""

    api_key: str
    base_url: str
    model: str
    max_tokens: int
    input_usd: float
    output_usd: float


def anthropic_client(access: ClaudeAccess) -> AsyncAnthropic:
    """Return a client of its own. Its own retries are off: they obey any wait that they are told, an hour too (FAULTS §3.3)."""
    return AsyncAnthropic(api_key=access.api_key, base_url=access.base_url, max_retries=0, timeout=TIMEOUT)


@asynccontextmanager
async def opened_claude(
    access: ClaudeAccess, prompts: Path, around: Surroundings
) -> AsyncIterator[ClaudeAnswerer]:
    """Read the instructions and open the client; Misconfigured when `answer.md` cannot be used."""
    prompt = load_answer_prompt(prompts)
    prices = Prices(input_usd=access.input_usd, output_usd=access.output_usd)
    model = ClaudeModel(name=access.model, max_tokens=access.max_tokens, prices=prices)
    async with anthropic_client(access) as client:
        yield ClaudeAnswerer(client=client, model=model, prompt=prompt, around=around)
