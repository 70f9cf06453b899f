"""Lets the calls about one channel follow one another: in the order in which they came, never faster than Slack allows, and none while it asks for rest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.errors import NotDelivered
from bot.ports import Clock

EVERY_S = 1.0  # https://docs.slack.dev/apis/web-api/rate-limits: about one message a second in a channel
MOST_LANES = 1_000  # each direct message has one; idle ones are forgotten


@dataclass(slots=True, kw_only=True)
class _Lane:
    """One channel's line; asyncio's lock lets waiters through in the order in which they came."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    free_s: float = 0.0
    rests_until_s: float = 0.0
    asked_for: int = 0

    def is_idle(self, now_s: float) -> bool:
        return self.asked_for == 0 and max(self.free_s, self.rests_until_s) <= now_s


@dataclass(slots=True, kw_only=True)
class Pacing:
    """The lines of all channels."""

    clock: Clock
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep
    every_s: float = EVERY_S
    _lanes: dict[str, _Lane] = field(default_factory=dict)

    @asynccontextmanager
    async def turn(self, channel: str) -> AsyncIterator[None]:
        """Let the block run when it is its turn; NotDelivered, with the wait, when the channel is to be left alone."""
        lane = self._lane(channel)
        lane.asked_for += 1
        try:
            async with lane.lock:
                await self._due(lane)
                try:
                    yield
                finally:
                    lane.free_s = self.clock.monotonic_s() + self.every_s
        finally:
            lane.asked_for -= 1

    def rest(self, channel: str, wait_s: float) -> None:
        """Leave a channel alone for so long."""
        lane = self._lane(channel)
        lane.rests_until_s = max(lane.rests_until_s, self.clock.monotonic_s() + wait_s)

    async def _due(self, lane: _Lane) -> None:
        now_s = self.clock.monotonic_s()
        if lane.rests_until_s > now_s:
            raise NotDelivered("Slack asks for rest in this channel", wait_s=lane.rests_until_s - now_s)
        if lane.free_s > now_s:
            await self.wait(lane.free_s - now_s)

    def _lane(self, channel: str) -> _Lane:
        if channel not in self._lanes and len(self._lanes) >= MOST_LANES:
            now_s = self.clock.monotonic_s()
            self._lanes = {name: lane for name, lane in self._lanes.items() if not lane.is_idle(now_s)}
        return self._lanes.setdefault(channel, _Lane())
