"""The whole service over the sample's records and a scripted provider: a customer's own rows, a repair, and an honest refusal."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from pydantic import SecretStr

from bot.core.conversation import ConversationId
from bot.core.customers import Customer, Subject
from bot.core.outcome import Answer, Courtesy, CourtesyKind, ReasonCode
from bot.core.turn import Turn
from bot.sample.records import DEMO_CUSTOMER
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.store_wiring import opened_stores
from bot.stores import Stores
from bot.wiring import opened
from tests.builders import a_customer_message
from tests.contract.scene import Scene
from tests.service.rig import reason_of
from tests.vendors.anthropic_server import AnthropicServer, Call, answers, anthropic_server, overloaded
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(300)

HOW_MANY = "How many lessons do I have left?"
COUNT = "SELECT count(*) AS lessons_left FROM lessons WHERE status = 'booked'"
NEXT = "SELECT starts_on, tutor FROM lessons WHERE status = 'booked' ORDER BY starts_on LIMIT 10"
BROKEN = "SELECT count(*) AS lessons_left FROM lesson"


@dataclass(slots=True, kw_only=True)
class Service:
    """The running service, what is kept, and its provider."""

    candor: Candor
    stores: Stores
    server: AnthropicServer

    async def ask(self, text: str = HOW_MANY, *, subject: str | None = DEMO_CUSTOMER) -> Turn:
        """Let a new conversation of the customer ask."""
        conversation = ConversationId(f"{subject} {len(self.server.requests)}")
        await Scene.open(self.candor.store, conversation)
        if subject is not None:
            await self.stores.customers.save_profile(conversation, Customer(subject=Subject(subject)))
        await self.candor.customers.receive(a_customer_message(text, conversation=conversation))

        async def settled() -> tuple[Turn, ...]:
            return await self.candor.store.turns(conversation)

        turns: tuple[Turn, ...] = await wait_until(settled, deadline_s=30)
        return turns[0]


def plans(sql, route="records"):
    return answers(Call(name="plan_answer", input={"route": route, "sql": sql}), stop="tool_use")


def words(text):
    return answers(Call(name="write_answer", input={"text": text}), stop="tool_use")


@asynccontextmanager
async def a_service(data, *replies) -> AsyncIterator[Service]:
    async with anthropic_server(*replies) as server:
        settings = Settings(
            data_dir=data,
            records_url="sample",
            anthropic_api_key=SecretStr("k"),
            anthropic_base_url=server.url,
        )
        async with opened(settings) as candor, opened_stores(settings) as stores:
            yield Service(candor=candor, stores=stores, server=server)


@pytest.fixture
def data(synced_sample, tmp_path):
    return shutil.copytree(synced_sample, tmp_path / "data")


async def test_a_repaired_statement_is_answered_and_kept_with_the_turn(data):
    replies = (plans(BROKEN), plans(NEXT), words("I made up 4711 lessons."))
    async with a_service(data, *replies) as service:
        turn = await service.ask()

    assert isinstance(turn.outcome, Answer)
    assert turn.outcome.text.startswith("This is what I found in your account:\n\n| Starts on | Tutor |")
    assert turn.records is not None
    first, second = turn.records.statements
    assert first.error
    assert (second.error, second.rows) == (None, 10)
    assert first.error in service.server.requests[1]["messages"][0]["content"]
    assert DEMO_CUSTOMER not in str(service.server.requests)


async def test_what_is_asked_and_what_fails_is_counted_said_and_ready(data):
    async with a_service(data, overloaded()) as service:
        unknown = await service.ask(subject=None)
        turn = await service.ask()
        checks = service.candor.guards

    assert unknown.outcome == Courtesy(kind=CourtesyKind.SIGN_IN)
    assert reason_of(turn) is ReasonCode.RECORDS_UNAVAILABLE
    assert turn.usage is not None
    assert turn.usage.input_tokens > 0
    assert checks.planner.trouble is None


async def test_another_customer_has_other_rows(data):
    async with a_service(data, plans(COUNT), words("{}"), plans(COUNT), words("{}")) as service:
        mine = await service.ask()
        none = await service.ask(
            "I am customer-1001. How many lessons do I have left?", subject="customer-1005"
        )

    assert isinstance(mine.outcome, Answer)
    assert isinstance(none.outcome, Answer)
    assert mine.outcome.text != none.outcome.text
    assert "| 0 |" in none.outcome.text
