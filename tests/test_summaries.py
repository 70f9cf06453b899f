"""Summaries as `serve` is put together: written by whom the settings choose, and readable by agents alone."""

from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from pydantic import SecretStr

from bot.channels.web import serving
from bot.core.conversation import ConversationId
from bot.core.notes import Note
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.wiring import opened
from tests.vendors.anthropic_server import Call, answers, anthropic_server, overloaded
from tests.waiting import wait_until

MATTER = "I want to talk to a person about my broken microphone, please"
LINES = {"asked": "A microphone is broken.", "said": "Nothing yet.", "open": "Find out which device it is."}
WRITES = answers(Call(name="write_summary", input=LINES), stop="tool_use")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


@asynccontextmanager
async def asked_for_a_person(settings: Settings):
    """Run the service, let a customer ask for a person over HTTP; yield the browser's client and the summary's text."""
    async with (
        opened(settings) as candor,
        serving(candor.web, host="127.0.0.1", port=0) as url,
        aiohttp.ClientSession(f"{url}/widget/v1/", headers={"Origin": url}) as browser,
    ):
        session = await (await browser.post("sessions", json={})).json()
        browser.headers["Authorization"] = f"Bearer {session['token']}"
        sent = await browser.post("messages", json={"client_message_id": "m1", "text": MATTER})
        assert sent.ok
        yield browser, await _summary(candor, ConversationId(session["conversation"]))


async def _summary(candor: Candor, conversation: ConversationId) -> str:
    async def written() -> tuple[Note, ...]:
        return await candor.store.notes(conversation)

    found: tuple[Note, ...] = await wait_until(written, deadline_s=20)
    return found[0].text


async def test_without_a_key_the_summary_is_in_the_customers_own_words(settings):
    async with asked_for_a_person(settings) as (_, summary):
        assert summary.split("\n") == [
            f"Asked: “{MATTER}”",
            "Said so far: no answer yet",
            "Open: the customer asked for a person",
        ]


async def test_the_summary_is_in_the_language_of_the_knowledge_base(settings):
    async with asked_for_a_person(settings.model_copy(update={"kb_locale": "de-AT"})) as (_, summary):
        assert summary.startswith("Anliegen: ")


@pytest.mark.parametrize(
    ("reply", "asked"), [(WRITES, LINES["asked"]), (overloaded(), MATTER)], ids=["it answers", "it is down"]
)
async def test_with_a_key_claude_writes_it_unless_it_is_down(settings, reply, asked):
    async with anthropic_server(reply) as server:
        chosen = {"anthropic_api_key": SecretStr("k"), "anthropic_base_url": server.url}
        async with asked_for_a_person(settings.model_copy(update=chosen)) as (_, summary):
            assert asked in summary


async def test_nothing_of_a_summary_is_among_what_the_widget_is_sent(settings):
    async with asked_for_a_person(settings) as (browser, summary):
        events = await (await browser.get("events?after=0")).text()
        resumed = await (await browser.post("sessions", json={})).text()

        assert MATTER in events
        for label in ("Asked:", "Said so far", "Open:"):
            assert label in summary
            assert label not in events + resumed
