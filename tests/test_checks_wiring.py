"""What `/readyz` says of the age of the articles: a late sync is said, and makes nothing unready (FAULTS K2)."""

from dataclasses import replace

import pytest

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.conversations import MemoryConversationStore
from bot.checks_wiring import checks_of
from bot.errors import RecordsUnavailable
from bot.planner_wiring import RecordsSide
from bot.settings import Settings
from bot.turn_wiring import Parts, language
from tests.service.records_rig import ScriptedPlanner, ScriptedRecords
from tests.service.shelf import ARTICLES, Shelf

HOUR_MS = 3_600_000
SYNCED_MS = 2_000  # when the shelf's run ended


@pytest.fixture
def parts() -> Parts:
    shelf, spoken = Shelf.holding(ARTICLES), language()
    return Parts(
        index=shelf.index,
        embedder=shelf.embedder,
        answerer=ExtractiveAnswerer(spoken.replies, spoken.rules),
        clock=ManualClock(now_ms=SYNCED_MS + 3 * HOUR_MS),
    )


async def knowledge_base(parts, settings):
    return await checks_of(settings, MemoryConversationStore(), parts).by_name()["knowledge_base"]()


async def test_a_late_sync_is_degraded_and_ready_with_what_to_do(parts):
    found = await knowledge_base(parts, Settings(kb_sync_every="1h"))

    assert (found["seconds_since_last_sync"], found["late"], found["status"]) == (10_800, True, "degraded")
    assert found["problem"] == (
        "the last good sync was 3 hours ago, and one is due every 60 minutes;"
        " see why `python -m kb_sync` does not finish, and run it"
    )


@pytest.mark.parametrize("settings", [Settings(kb_sync_every="6h"), Settings()], ids=["in time", "by hand"])
async def test_a_sync_that_is_not_late_is_not_degraded(parts, settings):
    found = await knowledge_base(parts, settings)

    assert (found["late"], "status" in found, "problem" in found) == (False, False, False)


async def test_records_that_are_down_are_degraded_and_take_nothing_away(parts):
    records = ScriptedRecords()
    parts = replace(parts, records=RecordsSide(records=records, planner=ScriptedPlanner()))
    look = checks_of(Settings(), MemoryConversationStore(), parts).by_name()["records"]

    before = await look()
    records.at_query.fails = RecordsUnavailable("connection refused")

    assert before == {"status": "ok"}
    assert await look() == {"status": "degraded", "problem": "connection refused"}


def test_where_there_are_no_records_nobody_asks_for_them(parts):
    assert "records" not in checks_of(Settings(), MemoryConversationStore(), parts).by_name()
