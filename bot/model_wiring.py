"""Opens what the settings choose to answer with, and what a model does beside: summaries for agents, verdicts on answers.

The model's client is imported only when it is chosen: that takes seconds.
"""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.prompt_files import Language
from bot.errors import Misconfigured
from bot.model_ports import Answerer, Summarizer
from bot.ports import Clock
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.claude.client import Surroundings
    from bot.adapters.claude.opening import ClaudeAccess
    from bot.evaluation.judging import Judge

NONCE_BYTES = 8


def claude_access(settings: Settings) -> "ClaudeAccess":
    """Return what the settings say about Claude; Misconfigured without a key."""
    if settings.anthropic_api_key is None:
        raise Misconfigured("ANTHROPIC_API_KEY is not set; set it to let Claude judge")
    from bot.adapters.claude.opening import ClaudeAccess  # noqa: PLC0415

    return ClaudeAccess(
        api_key=settings.anthropic_api_key.get_secret_value(),
        base_url=settings.anthropic_base_url,
        model=settings.anthropic_model,
        max_tokens=settings.anthropic_max_tokens,
        input_usd=settings.anthropic_input_price,
        output_usd=settings.anthropic_output_price,
    )


def surroundings(clock: Clock) -> "Surroundings":
    """Return real waits, chance and nonces."""
    from bot.adapters.claude.client import Surroundings  # noqa: PLC0415

    return Surroundings(
        monotonic_s=clock.monotonic_s,
        sleep=asyncio.sleep,
        jitter=random.random,
        nonce=lambda: secrets.token_hex(NONCE_BYTES),
    )


@asynccontextmanager
async def opened_answerer(
    settings: Settings, spoken: Language, prompts: Path, clock: Clock
) -> AsyncIterator[Answerer]:
    """Open the answerer that the settings choose: Claude where there is a key, else the articles' own words."""
    if settings.anthropic_api_key is None:
        yield ExtractiveAnswerer(spoken.replies, spoken.rules)
        return
    from bot.adapters.claude.opening import opened_claude  # noqa: PLC0415

    async with opened_claude(claude_access(settings), prompts, surroundings(clock)) as claude:
        yield claude


@asynccontextmanager
async def opened_summarizer(
    settings: Settings, prompts: Path, clock: Clock
) -> AsyncIterator[Summarizer | None]:
    """Open the model that sums up handoffs; None without a key."""
    if settings.anthropic_api_key is None:
        yield None
        return
    from bot.adapters.claude.prompt import load_prompt  # noqa: PLC0415
    from bot.adapters.claude.summary import SUMMARY_FILE, ClaudeSummarizer  # noqa: PLC0415
    from bot.adapters.claude.tool_calls import opened_tool_caller  # noqa: PLC0415

    prompt = load_prompt(prompts / SUMMARY_FILE)
    async with opened_tool_caller(claude_access(settings), surroundings(clock)) as caller:
        yield ClaudeSummarizer(caller=caller, prompt=prompt)


@asynccontextmanager
async def opened_judge(settings: Settings, prompts: Path, clock: Clock) -> "AsyncIterator[Judge]":
    """Open the model that judges answers; Misconfigured without a key."""
    access = claude_access(settings)
    from bot.adapters.claude.judging import JUDGE_FILE, ClaudeJudge  # noqa: PLC0415
    from bot.adapters.claude.prompt import load_prompt  # noqa: PLC0415
    from bot.adapters.claude.tool_calls import opened_tool_caller  # noqa: PLC0415

    prompt = load_prompt(prompts / JUDGE_FILE)
    async with opened_tool_caller(access, surroundings(clock)) as caller:
        yield ClaudeJudge(caller=caller, prompt=prompt)
