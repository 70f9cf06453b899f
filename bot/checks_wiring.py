"""What `/readyz` and `bot check` ask the parts, and what they say of themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.channels.health import Check, Detail
from bot.core.gate import threshold_for
from bot.core.knowledge import IndexState, IndexStatus
from bot.core.policy import TurnPolicy
from bot.errors import IndexNotReady, OutsideFailure
from bot.ports import Clock, ConversationStore
from bot.turn_wiring import Parts


class SyncObserver(Protocol):
    """Counts what operators watch; never raises and never waits."""

    def sync_seen(self, *, age_s: float | None) -> None:
        """Show the age of the last good sync; None when it is not known."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What `/readyz` asks; each raises when its dependency is not usable."""

    store: ConversationStore
    parts: Parts
    policy: TurnPolicy

    def by_name(self) -> Mapping[str, Check]:
        """Return the checks under the names that `/readyz` shows."""
        return {
            "store": self.store_answers,
            "knowledge_base": self.index_is_ready,
            "gate": self.gate_is_calibrated,
        }

    async def store_answers(self) -> Detail:
        """Say nothing more than that the store can be read and written."""
        await self.store.ping()
        return {}

    async def index_is_ready(self) -> Detail:
        """Name the index that searches use, and the age of the last good sync."""
        status = await self.parts.index.status()
        if status.state is not IndexState.READY:
            raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")
        age_s = _age_s(status, self.parts.clock)
        return {
            "fingerprint": status.fingerprint,
            "generation": status.generation,
            "articles": status.articles,
            "passages": status.passages,
            "seconds_since_last_sync": age_s,
        }

    async def show_sync_age(self, observer: SyncObserver) -> None:
        """Tell *observer* how old the articles are; not known when the index cannot be asked."""
        try:
            age_s = _age_s(await self.parts.index.status(), self.parts.clock)
        except OutsideFailure:
            age_s = None
        observer.sync_seen(age_s=age_s)

    async def gate_is_calibrated(self) -> Detail:
        """Name the threshold in force and what it was measured on."""
        calibration = (await self.parts.index.status()).calibration
        can_abstain = self.parts.answerer.can_abstain
        threshold = threshold_for(calibration, self.policy, can_abstain=can_abstain)
        if calibration is None or threshold is None:
            raise IndexNotReady("uncalibrated: run `python -m bot calibrate`")
        return {"threshold": threshold, "measured_on": calibration.data}


def _age_s(status: IndexStatus, clock: Clock) -> int | None:
    return None if status.last_sync_ms is None else (clock.now_ms() - status.last_sync_ms) // 1000
