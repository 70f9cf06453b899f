"""Before a draft is shown: do the articles that it rests on still stand, or has a sync changed them since (FAULTS K13)?"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.core.prompt import Evidence
from bot.errors import ArticlesChanged, IndexNotReady, OutsideFailure
from bot.ports import PassageIndex
from bot.service.trace import Trace

Show = Callable[[Sequence[str]], Awaitable[None]]

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Recheck:
    """The evidence of one draft, as *trace* tells where it was found; `shown` once the customer has seen any of the draft."""

    index: PassageIndex
    evidence: Evidence
    trace: Trace
    within_s: float
    show: Show
    shown: bool = False
    _same_in: str | None = None  # another generation in which the evidence was found to be the same

    async def show_if_current(self, texts: Sequence[str]) -> None:
        """Show *texts*; ArticlesChanged instead when what they rest on does not stand any more."""
        await self.require_current()
        await self.show(texts)
        self.shown = True

    async def require_current(self) -> None:
        """ArticlesChanged when an article of the evidence was withdrawn, superseded or rewritten since the search.

        An index that cannot be asked just now does not say that it changed.
        """
        try:
            async with asyncio.timeout(self.within_s):
                is_current = await self._is_current()
        except IndexNotReady:
            is_current = False  # it was exchanged for one that searches may not use
        except (OutsideFailure, TimeoutError) as failure:
            log.warning("articles_not_checked_again", error=type(failure).__name__)
            return
        if not is_current:
            raise ArticlesChanged(shown=self.shown)

    async def require_unseen_current(self) -> None:
        """The same for a draft of which nothing was shown; what was, was checked then, and stands."""
        if not self.shown:
            await self.require_current()

    async def _is_current(self) -> bool:
        """The same search again tells the versions that stand now, and leaves out what customers may not read any more."""
        generation = (await self.index.status()).generation
        if self.trace.search is None or generation in self._found_in:
            return True
        found = await self.index.search(self.trace.search)
        standing = {one.article_id: one.article_digest for one in found.passages}
        self._same_in = found.generation
        return all(
            standing.get(one.found.article_id) == one.found.article_digest for one in self.evidence.passages
        )

    @property
    def _found_in(self) -> tuple[str | None, ...]:
        seen = self.trace.index
        return (None if seen is None else seen.generation, self._same_in)
