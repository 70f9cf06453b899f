"""What may stop a start: a threshold that calibration never saw, and nothing else about the passage index."""

import pytest

from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter, MemoryPassageIndex
from bot.core.policy import TurnPolicy
from bot.errors import Misconfigured, RetrievalUnavailable
from bot.turn_wiring import Parts, answers_with, check_gate, language
from tests.knowledge_builders import a_calibration

NEVER_SEEN = TurnPolicy(gate_threshold=0.99)


@pytest.fixture
def index():
    return MemoryPassageIndex(MemoryKnowledgeWriter(), fingerprint="local/test")


@pytest.fixture
def parts(index):
    return Parts(index=index, embedder=HashEmbedder(), answerer=answers_with(language()), clock=ManualClock())


async def test_a_threshold_that_calibration_never_saw_stops_the_start(index, parts):
    index._writer.store_calibration(a_calibration("local/test"))

    with pytest.raises(Misconfigured):
        await check_gate(parts, NEVER_SEEN)


async def test_an_index_without_calibration_does_not(parts):
    await check_gate(parts, NEVER_SEEN)


async def test_an_index_that_cannot_be_read_does_not(index, parts):
    index._writer.store_calibration(a_calibration("local/test"))
    index.fails = RetrievalUnavailable("disk I/O error")

    await check_gate(parts, NEVER_SEEN)
