"""Which answerer the settings choose, and what may stop a start: a threshold that calibration never saw."""

import subprocess
import sys

import pytest
from pydantic import SecretStr

from bot.adapters.extractive import ExtractiveAnswerer
from bot.adapters.memory.clock import ManualClock
from bot.adapters.memory.embedder import HashEmbedder
from bot.adapters.memory.knowledge import MemoryKnowledgeWriter
from bot.adapters.memory.passages import MemoryPassageIndex
from bot.checks_wiring import check_gate
from bot.core.policy import TurnPolicy
from bot.errors import Misconfigured, RetrievalUnavailable
from bot.model_wiring import opened_answerer
from bot.settings import Settings
from bot.turn_wiring import PROMPTS, Parts, language
from tests.knowledge_builders import a_calibration

NEVER_SEEN = TurnPolicy(gate_threshold=0.99)


@pytest.fixture
def index():
    return MemoryPassageIndex(MemoryKnowledgeWriter(), fingerprint="local/test")


@pytest.fixture
def parts(index):
    spoken = language()
    answerer = ExtractiveAnswerer(spoken.replies, spoken.rules)
    return Parts(index=index, embedder=HashEmbedder(), answerer=answerer, clock=ManualClock())


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


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(), "extractive"),
        (Settings(anthropic_api_key=SecretStr("k")), "claude/claude-haiku-5-5"),
        (Settings(anthropic_api_key=SecretStr("k"), anthropic_model="claude-opus-5-5"), "claude/claude-opus-5-5"),
    ],
    ids=["no key", "a key", "another model"],
)  # fmt: skip
async def test_a_key_chooses_claude_without_a_call(settings, name):
    async with opened_answerer(settings, language(), PROMPTS, ManualClock()) as answerer:
        assert answerer.name == name


def test_the_client_of_the_model_is_not_imported_unless_it_is_chosen():
    code = "import sys, bot.terminal.serving; print({'anthropic', 'httpx2'} & set(sys.modules))"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "set()"
