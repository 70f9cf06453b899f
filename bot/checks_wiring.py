"""What `/readyz` and `bot check` ask the parts, and what they say of themselves."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.channels.health import Check, Detail
from bot.core.gate import threshold_for
from bot.core.knowledge import IndexState
from bot.core.policy import TurnPolicy
from bot.errors import IndexNotReady
from bot.ports import ConversationStore
from bot.turn_wiring import Parts


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
        synced = status.last_sync_ms
        age_s = None if synced is None else (self.parts.clock.now_ms() - synced) // 1000
        return {
            "fingerprint": status.fingerprint,
            "generation": status.generation,
            "articles": status.articles,
            "passages": status.passages,
            "seconds_since_last_sync": age_s,
        }

    async def gate_is_calibrated(self) -> Detail:
        """Name the threshold in force and what it was measured on."""
        calibration = (await self.parts.index.status()).calibration
        can_abstain = self.parts.answerer.can_abstain
        threshold = threshold_for(calibration, self.policy, can_abstain=can_abstain)
        if calibration is None or threshold is None:
            raise IndexNotReady("uncalibrated: run `python -m bot calibrate`")
        return {"threshold": threshold, "measured_on": calibration.data}
