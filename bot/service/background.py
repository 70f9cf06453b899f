"""Tasks that nobody waits for while the service runs, and that get a little time when it stops."""

import asyncio
from collections.abc import Collection, Coroutine
from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class Background:
    """Everything of one kind that runs; once it is drained nothing new begins."""

    _running: set[asyncio.Task[None]] = field(default_factory=set)
    _stopping: bool = False

    def start(self, work: Coroutine[None, None, None], *, name: str) -> None:
        """Run *work*, which must not raise; returns at once."""
        if self._stopping:
            work.close()
            return
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs."""
        return not self._running

    async def drain(self, *, grace_s: float) -> None:
        """Let what runs finish for *grace_s* seconds, then stop it; the next process does the rest."""
        self._stopping = True
        await finish(tuple(self._running), grace_s=grace_s)


async def finish(tasks: Collection[asyncio.Task[None]], *, grace_s: float) -> None:
    """Wait *grace_s* seconds for *tasks*, then cancel those that are late; what they raise is their own business."""
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=grace_s)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
