"""How many articles there are to search, as it is told to customers who wait for an answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from bot.core.knowledge import IndexStatus
from bot.errors import CandorError
from bot.ports import Clock

log = structlog.get_logger()

KEPT_S = 60.0
WAIT_S = 1.0  # a conversation begins without the number rather than later


@dataclass(slots=True, kw_only=True)
class ArticleCount:
    """The number of articles as of at most a minute ago."""

    status: Callable[[], Awaitable[IndexStatus]]
    clock: Clock
    wait_s: float = WAIT_S
    _counted_s: float | None = field(default=None)
    _articles: int = field(default=0)

    async def known(self) -> int:
        """Return how many there are; 0 when it is not known. Never raises."""
        now_s = self.clock.monotonic_s()
        if self._counted_s is None or now_s - self._counted_s >= KEPT_S:
            self._counted_s = now_s
            self._articles = await self._count()
        return self._articles

    async def _count(self) -> int:
        try:
            async with asyncio.timeout(self.wait_s):
                return (await self.status()).articles
        except (CandorError, TimeoutError) as failure:
            log.warning("articles_not_counted", error=type(failure).__name__)
            return 0
