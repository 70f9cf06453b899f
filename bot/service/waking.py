"""Tells the open views of this process what another process has written: without it they would wait for the next reconnect (FAULTS W13)."""

from dataclasses import dataclass

import structlog

from bot.errors import StoreUnavailable
from bot.ports import Elsewhere
from bot.service.live import Changed, LiveHub

EVERY_S = 0.5  # of the 2 s within which a message is everywhere

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waking:
    """Follows the changes of a store that several processes share."""

    elsewhere: Elsewhere
    live: LiveHub
    every_s: float = EVERY_S

    async def look(self) -> int:
        """Wake the views of what others have changed since the last look; return of how many conversations."""
        changed = await self.elsewhere.changed()
        for conversation in changed:
            self.live.publish(conversation, Changed())
        return len(changed)

    async def run_forever(self) -> None:
        """Look until cancelled; a store that cannot be read is asked again at the next round."""
        while True:
            try:
                await self.look()
            except StoreUnavailable:
                log.warning("changes_elsewhere_not_read")
            await self.elsewhere.woken(within_s=self.every_s)
