"""The service's rig with Claude behind it: everything is real but the provider, which a local server plays."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.adapters.claude.opening import ClaudeAccess, Surroundings, opened_claude
from bot.core.policy import TurnPolicy
from tests.service.rig import PROMPTS, Rig, a_rig
from tests.service.shelf import ARTICLES
from tests.vendors.anthropic_server import AnthropicServer, anthropic_server
from tests.vendors.local_server import Reply

NONCE = "5f0c2a9e41d7b386"


@asynccontextmanager
async def a_claude_rig(
    *replies: Reply, policy: TurnPolicy | None = None, articles=ARTICLES
) -> AsyncIterator[tuple[Rig, AnthropicServer]]:
    """Open a rig whose answers Claude writes, with a provider that plays *replies*. Waiting moves the rig's clock only."""
    rig = await a_rig(policy=policy, articles=articles)
    around = Surroundings(
        monotonic_s=rig.clock.monotonic_s, sleep=rig.clock.sleep, jitter=lambda: 1.0, nonce=lambda: NONCE
    )
    async with anthropic_server(*replies) as server:
        access = ClaudeAccess(
            api_key="k", base_url=server.url, model="claude-haiku-5-5", max_tokens=600, input_usd=0.1, output_usd=0.5
        )  # fmt: skip
        async with opened_claude(access, PROMPTS, around) as claude:
            rig.answerer.inner, rig.answerer.can_abstain = claude, True
            yield rig, server
            assert all(truthful for _, truthful in rig.observer.settled)
