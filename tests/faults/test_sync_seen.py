"""What a sync brought or took away is what the next question meets, in a service that went on serving (FAULTS K13, K14)."""

import asyncio
import sys
from pathlib import Path

import pytest

from bot.core.outcome import Answer
from tests.faults.customers import Customer
from tests.faults.knowledge import HOURS, QUESTION, write_articles
from tests.faults.soundness import assert_sound
from tests.kb_sync.folders import write_article
from tests.rules.tree import ROOT
from tests.waiting import wait_until

SEARCHED_WITHIN_S = 60.0
GONE_WITHIN_S = 300.0

pytestmark = pytest.mark.timeout(400)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The articles that are synced already."""
    return write_articles(tmp_path / "source")


async def sync(machine, source: Path, monkeypatch) -> None:
    monkeypatch.setenv("CANDOR_DATA_DIR", str(machine.data_dir))
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "kb_sync", str(source), cwd=ROOT)
    assert await process.wait() == 0


async def outcome(machine, http, address):
    """Ask as a new customer, and return how that turn ended."""
    customer = await Customer.open(http, address)
    await customer.say(address, QUESTION, message_id="m1")
    await customer.is_told(address)
    (turn,) = await assert_sound(machine.kept, customer)
    return turn.outcome


async def test_an_edit_is_answered_from_within_a_minute(machine, http, source, monkeypatch):
    """FAULTS K14."""
    address = await machine.start().address()
    assert "8 to 20" in (await outcome(machine, http, address)).text

    write_article(
        source, "hours.md", "id: 1\ntitle: When support is open", HOURS.replace("8 to 20", "9 to 17")
    )
    await sync(machine, source, monkeypatch)

    async def is_seen() -> bool:
        ended = await outcome(machine, http, address)
        return isinstance(ended, Answer) and "9 to 17" in ended.text

    await wait_until(is_seen, deadline_s=SEARCHED_WITHIN_S, every_s=0.5)


async def test_a_withdrawn_article_is_no_longer_cited(machine, http, source, monkeypatch):
    """FAULTS K13."""
    address = await machine.start().address()
    assert isinstance(await outcome(machine, http, address), Answer)

    (source / "hours.md").unlink()
    await sync(machine, source, monkeypatch)

    async def is_gone() -> bool:
        ended = await outcome(machine, http, address)
        return not isinstance(ended, Answer) or "1" not in {one.id for one in ended.sources}

    await wait_until(is_gone, deadline_s=GONE_WITHIN_S, every_s=0.5)
