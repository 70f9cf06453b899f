"""The published incident, against PostgreSQL: "How many lessons do I have?", then "Which 10 are next?", whose first SELECT compares a date with a text.

There it fell through to the articles, and the customer was told that nothing existed.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from bot.adapters.claude.client import Surroundings
from bot.adapters.claude.opening import ClaudeAccess
from bot.adapters.claude.records import ClaudePlanner, load_records_prompts
from bot.adapters.claude.tool_calls import opened_tool_caller
from bot.adapters.records.description import load_description
from bot.adapters.records.postgres import PostgresRecords
from bot.adapters.system_clock import SystemClock
from bot.core.conversation import ConversationId
from bot.core.customers import Subject
from bot.core.outcome import Answer, ReasonCode
from bot.core.truth import is_truthful
from bot.core.turn import Turn
from bot.sample import records as sample
from bot.service.own_records import RecordsOfOne
from bot.service.records_route import RecordsParts
from tests.browser.lessons_drive import booked_days
from tests.service.rig import PROMPTS, REPLIES, Rig, a_rig, reason_of
from tests.vendors.anthropic_server import AnthropicServer, anthropic_server
from tests.vendors.postgres_server import sample_records
from tests.vendors.records_planner import BROKEN, HOW_MANY, NEXT, WHICH_TEN, marked, plans_and_words

OPERATOR = "operator does not exist: date >= text"
FIVE_TIMES = pytest.mark.parametrize("time", range(5))
TODAY = datetime.fromtimestamp(SystemClock().now_ms() / 1000, UTC).date()  # PostgreSQL's own CURRENT_DATE


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """Opens the records to the demo customer, whatever the conversation is."""

    records: PostgresRecords

    @property
    def schema(self):
        return self.records.schema

    async def of(self, _conversation: ConversationId) -> RecordsOfOne:
        return RecordsOfOne(records=self.records, subject=Subject(sample.DEMO_CUSTOMER))


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One conversation of the demo customer, and the model that is asked."""

    rig: Rig
    model: AnthropicServer

    async def ask(self, question: str) -> Turn:
        turn = await self.rig.ask(question)
        assert is_truthful(turn)
        return turn

    async def told(self) -> str:
        return "\n".join(message.text for message in await self.rig.told())


@pytest.fixture(scope="module")
def records(postgres):
    with sample_records(postgres, TODAY, "incident") as address:
        yield address


@asynccontextmanager
async def an_incident(records: str, *, repairs: bool) -> AsyncIterator[Incident]:
    """Open a conversation; everything is real but the store, and the provider behind the model's client."""
    rig = await a_rig()
    around = Surroundings(
        monotonic_s=rig.clock.monotonic_s, sleep=rig.clock.sleep, jitter=lambda: 1.0, nonce=rig.clock.new_id
    )
    async with anthropic_server(plans_and_words(repairs=repairs)) as model:
        access = ClaudeAccess(
            api_key="k", base_url=model.url, model="claude-haiku-5-5", max_tokens=600, input_usd=0.1, output_usd=0.5
        )  # fmt: skip
        async with opened_tool_caller(access, around) as caller:
            planner = ClaudePlanner(caller=caller, prompts=load_records_prompts(PROMPTS), max_tokens=600)
            entrance = Entrance(records=PostgresRecords(records, load_description(sample.DESCRIPTION)))
            parts = RecordsParts(records=entrance, planner=planner, replies=REPLIES)
            answering = replace(rig.turns.answering, records=parts)
            rig.runner.turns = replace(rig.turns, answering=answering)
            yield Incident(rig=rig, model=model)


def _asked(model: AnthropicServer, tool: str) -> list[str]:
    """Return what was asked of the model with that tool."""
    return [one["messages"][0]["content"] for one in model.requests if one["tools"][0]["name"] == tool]


@FIVE_TIMES
async def test_the_incident_is_answered_with_a_count_and_with_ten_rows_with_dates(records, time):
    async with an_incident(records, repairs=True) as incident:
        counted = await incident.ask(HOW_MANY)
        assert counted.outcome == Answer(text="You have 14 lessons booked.", sources=())

        ranked = await incident.ask(WHICH_TEN)

        assert isinstance(ranked.outcome, Answer)
        rows = [line for line in ranked.outcome.text.splitlines() if "| L-" in line]
        assert [row.split(" | ")[0].lstrip("| ") for row in rows] == list(booked_days(TODAY)[:10])


async def test_postgresqls_own_words_reach_the_repair_with_the_statement_and_the_noun(records):
    async with an_incident(records, repairs=True) as incident:
        await incident.ask(HOW_MANY)
        ranked = await incident.ask(WHICH_TEN)

        *_, repair = _asked(incident.model, "plan_answer")
        assert OPERATOR in marked("error", repair)
        assert marked("statement", repair) == BROKEN["postgres"]
        assert "lessons" in marked("chat", repair)
        assert ranked.records is not None
        assert [(one.sql, one.rows) for one in ranked.records.statements] == [
            (BROKEN["postgres"], None),
            (NEXT, 10),
        ]


@FIVE_TIMES
async def test_a_model_that_stays_broken_ends_in_the_honest_sentence_and_nothing_else(records, time):
    async with an_incident(records, repairs=False) as incident:
        await incident.ask(HOW_MANY)

        ranked = await incident.ask(WHICH_TEN)

        assert reason_of(ranked) is ReasonCode.RECORDS_UNAVAILABLE
        assert await incident.told() == REPLIES.handoff(ReasonCode.RECORDS_UNAVAILABLE, "en")
        assert len(_asked(incident.model, "plan_answer")) == 3
        assert ranked.records is not None
        assert all(OPERATOR in (one.error or "") for one in ranked.records.statements)


async def test_nothing_is_searched_or_judged_by_the_evidence_gate(records):
    async with an_incident(records, repairs=False) as incident:
        await incident.ask(HOW_MANY)
        ranked = await incident.ask(WHICH_TEN)

    assert (ranked.ranked, ranked.best_cosine) == ((), None)
