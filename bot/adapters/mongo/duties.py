"""Duties by lease: one document for each, replaced under its version, so that of two who want it at once one has it."""

from dataclasses import dataclass, field
from typing import Any

import structlog

from bot.adapters.mongo.database import Document, MongoDatabase
from bot.core.duties import KEPT_MS, Duty
from bot.errors import StoreUnavailable
from bot.ports import Clock

log = structlog.get_logger()

_LEASES = "duties"


@dataclass(slots=True)
class MongoDuties:
    """The duties of one process among those on a database."""

    database: MongoDatabase
    clock: Clock = field(kw_only=True)
    _holder: str = field(init=False)
    _until_ms: dict[Duty, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._holder = self.clock.new_id()

    async def mine(self, duty: Duty) -> bool:
        """Nothing is asked while more than half of the lease is left."""
        now_ms = self.clock.now_ms()
        if self._until_ms.get(duty, 0) - now_ms > KEPT_MS[duty] // 2:
            return True
        held: Any = await self.database.find_one(_LEASES, {"_id": str(duty)})
        if held is not None and held["holder"] != self._holder and held["until_ms"] > now_ms:
            self._until_ms.pop(duty, None)
            return False
        return await self._taken(duty, version=1 if held is None else held["version"] + 1, now_ms=now_ms)

    async def give_back(self) -> None:
        """Let others have what this process had, at once; one that cannot be told waits until the lease ends."""
        for duty in tuple(self._until_ms):
            try:
                await self.database.update(
                    _LEASES, {"_id": str(duty), "holder": self._holder}, {"$set": {"until_ms": 0}}
                )
            except StoreUnavailable as failure:
                log.warning("duty_not_given_back", duty=duty, error=str(failure))
        self._until_ms.clear()

    async def _taken(self, duty: Duty, *, version: int, now_ms: int) -> bool:
        until_ms = now_ms + KEPT_MS[duty]
        lease: Document = {
            "_id": str(duty),
            "version": version,
            "holder": self._holder,
            "until_ms": until_ms,
        }
        if not await self.database.put(_LEASES, lease, version=version):
            return False
        if duty not in self._until_ms:
            log.info("duty_taken", duty=duty)
        self._until_ms[duty] = until_ms
        return True
