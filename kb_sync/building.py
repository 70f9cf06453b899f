"""Fills a generation aside, out of what is live and what the source holds now; nobody searches it before it is published."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.chunking import TokenLimit, passages_of
from bot.core.knowledge import Article, ArticleId, Passage
from bot.sync_ports import KnowledgeWriter
from kb_sync.embedding import slices
from kb_sync.plan import BuildSteps
from kb_sync.progress import Progress, Stage
from kb_sync.reading import SourceState

_AT_ONCE = 200  # articles in one transaction, and between two moments at which other tasks may run
_CUT_AT_ONCE = 20

Cut = Mapping[ArticleId, tuple[Passage, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """One run's work on one build, under the lock with this token."""

    writer: KnowledgeWriter
    token: int
    build: str
    at_ms: int

    async def fill(self, steps: BuildSteps, state: SourceState, cut: Cut, progress: Progress) -> None:
        """Do the steps. Each article is one transaction, so an interrupted build is resumed where it was."""
        progress.begin(Stage.WRITING, len(steps.carried) + len(steps.written))
        for some in slices(steps.strays, _AT_ONCE):
            self.writer.leave_out(self.token, self.build, some)
        for some in slices(steps.carried, _AT_ONCE):
            self.writer.carry_over(self.token, self.build, some)
            progress.advance(len(some))
            await asyncio.sleep(0)  # lets the lease be renewed
        for one in steps.written:
            self.writer.replace_article(
                self.token, self.build, state.articles[one], state.digests[one], cut[one], at_ms=self.at_ms
            )
            progress.advance(1)
            await asyncio.sleep(0)
        for some in slices(steps.retired, _AT_ONCE):
            self.writer.retire_articles(self.token, self.build, some)


async def cut_articles(articles: Sequence[Article], limit: TokenLimit, progress: Progress) -> Cut:
    """Cut articles into passages, in a thread: counting tokens takes milliseconds for each."""
    progress.begin(Stage.CUTTING, len(articles))
    cut: dict[ArticleId, tuple[Passage, ...]] = {}
    for some in slices(articles, _CUT_AT_ONCE):
        cut |= await asyncio.to_thread(_cut, some, limit)
        progress.advance(len(some))
    return cut


def _cut(articles: Sequence[Article], limit: TokenLimit) -> Cut:
    return {article.id: passages_of(article, limit) for article in articles}
