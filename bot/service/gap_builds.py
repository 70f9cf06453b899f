"""Whether an article that answers a question stands in a build that is not published: written, but not to be found yet."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.knowledge import ArticleId, Vector
from bot.sync_ports import GenerationState, KnowledgeWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpublished:
    """What a sync has written and not finished, or was not let publish."""

    writer: KnowledgeWriter

    async def nearest(
        self, vectors: Sequence[Vector], *, fingerprint: str
    ) -> tuple[tuple[ArticleId, float] | None, ...]:
        """Return the nearest active article of the build to each vector, with its raw cosine; None where there is none.

        Builds of another embedder are passed over: no cosine means the same in both. StoreUnavailable, also when the build
        is published or dropped meanwhile.
        """
        return await asyncio.to_thread(self._nearest, vectors, fingerprint)

    def _nearest(
        self, vectors: Sequence[Vector], fingerprint: str
    ) -> tuple[tuple[ArticleId, float] | None, ...]:
        builds = [one for one in self.writer.generations() if one.state is GenerationState.BUILDING]
        build = next((one.id for one in builds if one.fingerprint == fingerprint), None)
        if build is None or not vectors:
            return (None,) * len(vectors)
        near = self.writer.nearest(build, vectors, limit=1)
        return tuple(articles[0] if articles else None for articles in near)
