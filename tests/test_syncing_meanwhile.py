"""End to end: the service over its real file, and a real sync of it that ends while an answer is being written (FAULTS K13)."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bot.core.conversation import Channel, Message, Role
from bot.core.outcome import Answer, ReasonCode
from bot.core.prompt import AnswerRequest, DraftPiece
from bot.core.turn import Turn
from bot.model_ports import Answerer
from bot.settings import Settings
from bot.turn_wiring import Parts
from bot.wiring import opened
from tests.builders import a_customer_message
from tests.faults.knowledge import QUESTION, calibrate, write_articles
from tests.kb_sync.folders import write_article
from tests.synced_sample import sync
from tests.waiting import wait_until

NEW_HOURS = "Support is open from 9 to 17 on workdays."
Work = Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Waiting:
    """The installation's own answerer, which works at something else before its first word, once."""

    inner: Answerer
    works: list[Work]

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def can_abstain(self) -> bool:
        return self.inner.can_abstain

    @property
    def streams(self) -> bool:
        return self.inner.streams

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        if self.works:
            await self.works.pop()()
        async for piece in self.inner.draft(request):
            yield piece


@pytest.fixture
async def data_dir(tmp_path: Path) -> Path:
    await sync(write_articles(tmp_path / "articles"), tmp_path / "data", with_calibration=False)
    await calibrate(tmp_path / "data")
    return tmp_path / "data"


async def asked_while(work: Work, data_dir: Path) -> tuple[Turn, tuple[Message, ...]]:
    """Ask the service when support is open, and let *work* be done before its answer; return the turn, and what was told."""

    def wrap(parts: Parts) -> Parts:
        return replace(parts, answerer=Waiting(parts.answerer, [work]))

    async with opened(Settings(data_dir=data_dir), wrap=wrap) as candor:
        conversation = (await candor.customers.open(channel=Channel.WIDGET, locale="en")).id
        await candor.customers.receive(a_customer_message(QUESTION, conversation=conversation))

        async def settled() -> tuple[Turn, ...]:
            return await candor.store.turns(conversation)

        found: tuple[Turn, ...] = await wait_until(settled, deadline_s=20)
        messages = (await candor.customers.snapshot(conversation, after=0)).messages
    return found[0], tuple(message for message in messages if message.role is Role.BOT)


async def test_an_article_that_is_rewritten_meanwhile_is_answered_from_as_it_is_now(tmp_path, data_dir):
    async def rewrites() -> None:
        write_article(tmp_path / "articles", "hours.md", "id: 1\ntitle: When support is open", NEW_HOURS)
        await sync(tmp_path / "articles", data_dir, with_calibration=False)

    turn, told = await asked_while(rewrites, data_dir)

    assert isinstance(turn.outcome, Answer)
    assert [source.id for source in turn.outcome.sources] == ["1"]
    assert "9 to 17" in told[0].text
    assert not any("8 to 20" in message.text for message in told)


async def test_an_article_that_is_withdrawn_meanwhile_is_not_cited(tmp_path, data_dir):
    async def withdraws() -> None:
        (tmp_path / "articles" / "hours.md").unlink()
        await sync(tmp_path / "articles", data_dir, with_calibration=False)

    turn, told = await asked_while(withdraws, data_dir)

    assert [message.reason for message in told] == [ReasonCode.NO_EVIDENCE]
    assert not any(one.found.article_id == "1" for one in turn.ranked)
