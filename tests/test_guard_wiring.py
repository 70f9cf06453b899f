"""The whole service over a provider that refuses: people take over, `/readyz` names the part, and `/healthz` stays alive."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from bot.channels.web import serving
from bot.core.caps import UNCAPPED, Allowance, Caps, Tariff
from bot.core.conversation import ConversationId
from bot.core.outcome import Handoff, ReasonCode
from bot.core.turn import Turn
from bot.errors import RetrievalUnavailable
from bot.guard_wiring import caps_of, tariff_of
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.terminal.serving import UNUSABLE, _choices
from bot.wiring import opened
from tests.builders import a_customer_message
from tests.contract.scene import Scene
from tests.vendors.anthropic_server import anthropic_server, rejects_key
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(300)

RESCHEDULE = "How do I reschedule a lesson?"


@dataclass(slots=True, kw_only=True)
class Service:
    """The running service, its settings and its address."""

    settings: Settings
    candor: Candor
    address: str
    http: aiohttp.ClientSession

    async def get(self, path: str):
        async with self.http.get(self.address + path) as response:
            return response.status, await response.text()

    async def checks(self):
        async with self.http.get(f"{self.address}/readyz") as response:
            return (await response.json())["checks"]

    async def ask(self, name: str, text: str = RESCHEDULE):
        """Let a new customer ask, and return how the turn ended."""
        conversation = ConversationId(name)
        await Scene.open(self.candor.store, conversation)
        await self.candor.customers.receive(a_customer_message(text, conversation=conversation))

        async def settled() -> tuple[Turn, ...]:
            return await self.candor.store.turns(conversation)

        turns: tuple[Turn, ...] = await wait_until(settled, deadline_s=30)
        return turns[0].outcome


@pytest.fixture
def copy(synced_sample, tmp_path):
    """Return the data directory of the sample, to be written to."""
    return shutil.copytree(synced_sample, tmp_path / "data")


@asynccontextmanager
async def a_service(copy, **settings) -> AsyncIterator[Service]:
    chosen = Settings(data_dir=copy, **settings)
    async with (
        opened(chosen) as candor,
        serving(candor.web, host="127.0.0.1", port=0) as address,
        aiohttp.ClientSession() as http,
    ):
        yield Service(settings=chosen, candor=candor, address=address, http=http)


@asynccontextmanager
async def over_claude(copy, server):
    async with a_service(copy, anthropic_api_key=SecretStr("k"), anthropic_base_url=server.url) as service:
        yield service


async def test_a_key_that_is_wrong_at_the_start_is_said_before_anybody_asks(copy):
    async with anthropic_server(rejects_key()) as server, over_claude(copy, server) as service:
        server.lookup = rejects_key()
        await service.candor.guards.try_key(service.candor.parts)

        said = (await _choices(service.settings, service.candor))["answers"]
        outcome = await service.ask("first")
        assert said.startswith(f"{UNUSABLE}: claude/claude-haiku-5-5: its provider rejects the key")
        assert outcome.reason is ReasonCode.MODEL_UNAVAILABLE
        assert server.requests == []


async def test_a_key_that_is_revoked_is_one_request_and_one_alarm(copy):
    async with anthropic_server(rejects_key()) as server, over_claude(copy, server) as service:
        await service.candor.guards.try_key(service.candor.parts)
        ready_before = (await service.checks())["answerer"]

        with capture_logs() as lines:
            reasons = [(await service.ask(f"customer {n}")).reason for n in range(3)]

        assert (ready_before, set(reasons)) == ({"ok": True}, {ReasonCode.MODEL_UNAVAILABLE})
        assert len(server.requests) == 1
        assert [line["event"] for line in lines if line["log_level"] == "error"] == ["circuit_opened"]


async def test_it_is_alive_and_says_which_part_is_not_ready(copy):
    async with anthropic_server(rejects_key()) as server, over_claude(copy, server) as service:
        await service.ask("first")

        status, _ = await service.get("/readyz")
        checks = await service.checks()
        assert (status, (await service.get("/healthz"))[0]) == (503, 200)
        assert {name for name, check in checks.items() if not check["ok"]} == {"answerer"}
        assert "rejects the key" in checks["answerer"]["error"]
        assert 'circuit_open{dependency="answerer"} 1.0' in (await service.get("/metrics"))[1]


async def test_an_embedder_that_fails_is_named_too(copy):
    async with a_service(copy) as service:
        for _ in range(5):
            with pytest.raises(RetrievalUnavailable), service.candor.guards.embedder.call(late_at_s=None):
                raise RetrievalUnavailable("503")

        outcome = await service.ask("first")
        checks = await service.checks()
        assert outcome.reason is ReasonCode.RETRIEVAL_UNAVAILABLE
        assert {name for name, check in checks.items() if not check["ok"]} == {"embedder"}


@pytest.mark.parametrize(
    ("switch", "why"),
    [("bot_enabled", "BOT_ENABLED is off"), ("retrieval_enabled", "RETRIEVAL_ENABLED is off")],
)
async def test_a_switch_that_is_off_gives_questions_to_people(copy, switch, why):
    async with a_service(copy, **{switch: False}) as service:
        outcome = await service.ask("first")

    assert outcome == Handoff(reason=ReasonCode.BOT_PAUSED, detail=why)


def test_without_a_model_only_turns_are_counted():
    settings = Settings(max_turns_per_day=7)

    assert caps_of(settings) == Caps(conversation=Allowance(turns=40), overall=Allowance(turns=7))
    assert tariff_of(settings) is None


def test_with_a_model_tokens_and_money_are_counted_too():
    settings = Settings(anthropic_api_key=SecretStr("k"), max_conversation_spend_per_day=0.5)

    assert caps_of(settings) == Caps(
        conversation=Allowance(turns=40, tokens=200_000, cost_usd=0.5), overall=Allowance(cost_usd=20)
    )
    assert tariff_of(settings) == Tariff(
        input_usd=settings.anthropic_input_price,
        output_usd=settings.anthropic_output_price,
        output_tokens=settings.anthropic_max_tokens,
    )
    assert caps_of(settings) != UNCAPPED
