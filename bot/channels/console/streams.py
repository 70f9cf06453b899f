"""Several streams of frames as one, because one socket tells of the queue and of a conversation at the same time.

A slow reader holds every stream up, so that what it has not taken waits in the watchers' bounded queues and nowhere else.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from bot.channels.events import Event
from bot.channels.websockets import Closing

Frames = AsyncGenerator[Event | Closing, None]


class Streams:
    """The streams of one socket, by name."""

    def __init__(self) -> None:
        self._taken: asyncio.Queue[Event | Closing | Exception] = asyncio.Queue(maxsize=1)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopped: set[asyncio.Task[None]] = set()

    def follow(self, name: str, stream: Frames) -> None:
        """Add a stream, in place of the one that had its name."""
        self.stop(name)
        self._tasks[name] = asyncio.create_task(self._pump(stream))

    def stop(self, name: str) -> None:
        """Leave a stream; one that is not there is left alone."""
        task = self._tasks.pop(name, None)
        if task is not None:
            self._stopped.add(task)
            task.add_done_callback(self._stopped.discard)
            task.cancel()

    async def put(self, frame: Event) -> None:
        """Add one frame."""
        await self._taken.put(frame)

    async def frames(self) -> AsyncIterator[Event | Closing]:
        """Yield the frames as they come; the first failure of any stream is raised."""
        while True:
            taken = await self._taken.get()
            if isinstance(taken, Exception):
                raise taken
            yield taken

    async def close(self) -> None:
        """Leave every stream, and wait until each has let go of what it held."""
        for name in tuple(self._tasks):
            self.stop(name)
        await asyncio.gather(*self._stopped, return_exceptions=True)

    async def _pump(self, stream: Frames) -> None:
        try:
            async with aclosing(stream):
                async for frame in stream:
                    await self._taken.put(frame)
        except Exception as exc:  # noqa: BLE001 - raised where the frames are taken
            await self._taken.put(exc)
