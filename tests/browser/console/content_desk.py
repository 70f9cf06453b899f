"""The real service over a few articles, of which two contradict each other, and what customers and an agent have said."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.adapters.system_clock import SystemClock
from bot.core.conversation import Channel, ConversationId
from bot.core.inbound import CustomerMessage
from bot.knowledge_wiring import opened_knowledge
from bot.service_wiring import Candor
from bot.settings import Settings
from kb_sync.job import KnowledgeSync
from kb_sync.progress import NoProgress
from kb_sync.sources.markdown_folder import MarkdownFolder
from tests.browser.whole_desk import Hired, WholeDesk, opened_desk
from tests.faults.knowledge import QUESTION, calibrate, write_articles
from tests.kb_sync.folders import write_article
from tests.waiting import wait_until

CURRENT, OUTDATED = "Cancelling a Lesson", "How to Cancel a Lesson"
CANCEL = "You can cancel a lesson free of charge up to {} hours before it starts. Open My Lessons and choose Cancel."
UNANSWERED = "Do you sell gift cards for lessons?"
REPLY = "Yes, from 10 euros on."
SETTLES_WITHIN_S = 30.0  # a busy machine is not a failure


@asynccontextmanager
async def opened_content_desk(folder: Path) -> AsyncIterator[WholeDesk]:
    """Sync the articles into a new data directory, and start the service on it."""
    data_dir = folder / "data"
    await _sync(_articles(folder / "articles"), data_dir)
    async with opened_desk(data_dir) as desk:
        yield desk


async def record(desk: WholeDesk, agent: Hired) -> ConversationId:
    """Let one customer be answered, and another one by *agent* only; return that one's conversation."""
    await _asked(desk.candor, QUESTION)
    conversation = await _asked(desk.candor, UNANSWERED)
    await desk.candor.agents.claim(conversation, agent.id)
    await desk.candor.agents.reply(conversation, agent.id, text=REPLY, message_id="r1", seen=99)
    return conversation


async def _asked(candor: Candor, text: str) -> ConversationId:
    opened = await candor.customers.open(channel=Channel.WIDGET, locale="en")
    said = CustomerMessage(
        conversation=opened.id, channel=Channel.WIDGET, channel_message_id=f"m-{opened.id}", text=text
    )
    await candor.customers.receive(said)

    async def settled() -> bool:
        return bool(await candor.store.turns(opened.id))

    await wait_until(settled, deadline_s=SETTLES_WITHIN_S)
    return opened.id


def _articles(folder: Path) -> Path:
    write_articles(folder)
    write_article(folder, "cancel.md", f"id: 3\ntitle: {CURRENT}\ntags: [lessons]", CANCEL.format(24))
    write_article(folder, "old-cancel.md", f"id: 4\ntitle: {OUTDATED}\ntags: [lessons]", CANCEL.format(12))
    return folder


async def _sync(articles: Path, data_dir: Path) -> None:
    async with opened_knowledge(Settings(data_dir=data_dir)) as opened:
        job = KnowledgeSync(
            embedder=opened.embedder, index=opened.index, writer=opened.writer, clock=SystemClock()
        )
        await job.run(MarkdownFolder(articles), progress=NoProgress())
    await calibrate(data_dir)
