"""The calibration that ships is found by the embedder's fingerprint, and a damaged one is not passed over."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.core.knowledge import Calibration
from bot.errors import Misconfigured
from bot.knowledge_wiring import opened_knowledge, shipped_calibration
from bot.settings import Settings
from tests.knowledge_builders import begin_build

MEASURED = Calibration(
    fingerprint="local/m/384/unit/c",
    strict=0.4,
    permissive=0.3,
    lowest=0.1,
    highest=0.9,
    blend={"window_weight": 0.5, "bare_reply_words": 4.0},
    answerable=10,
    unanswerable=10,
    answerable_passed=0.9,
    near_topic_passed=0.1,
    off_topic_passed=0.0,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "calibration.json"
    file.write_text(json.dumps([asdict(MEASURED)]))
    return file


def test_the_calibration_of_the_fingerprint_is_returned(file):
    assert shipped_calibration("local/m/384/unit/c", file) == MEASURED


def test_another_fingerprint_has_none(file):
    assert shipped_calibration("local/m/384/unit/other", file) is None


def test_without_the_file_there_is_none(tmp_path):
    assert shipped_calibration("local/m/384/unit/c", tmp_path / "no.json") is None


def test_a_damaged_file_is_named(file):
    file.write_text("[{}]")

    with pytest.raises(Misconfigured, match="is no list of calibrations"):
        shipped_calibration("local/m/384/unit/c", file)


async def test_index_and_embedder_agree_on_the_fingerprint(tmp_path):
    async with opened_knowledge(Settings(data_dir=tmp_path)) as knowledge:
        build = begin_build(knowledge.writer, str(knowledge.embedder.fingerprint), ())

        assert knowledge.writer.article_digests(build) == {}
        assert (await knowledge.index.status()).detail.startswith("the first sync is not finished")
