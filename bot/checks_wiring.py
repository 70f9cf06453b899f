"""What the parts are asked at the start, by `/readyz` and by `bot check`, and what they say of themselves."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from bot.channels.health import Check, Detail
from bot.core.gate import check_threshold, threshold_for
from bot.core.knowledge import IndexState
from bot.core.policy import TurnPolicy
from bot.core.staleness import SyncHealth
from bot.errors import IndexNotReady, RecordsUnavailable, RetrievalUnavailable
from bot.ports import ConversationStore
from bot.service.sync_watch import health_of
from bot.settings import Settings
from bot.turn_wiring import Parts, turn_policy

RECORDS_WAIT_S = 1.5  # less than the check's own budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What `/readyz` asks; each raises when its dependency is not usable. A sync is due every `sync_every_s`, where the settings say so."""

    store: ConversationStore
    parts: Parts
    policy: TurnPolicy
    sync_every_s: int | None = None

    def by_name(self) -> Mapping[str, Check]:
        """Return the checks under the names that `/readyz` shows."""
        return {
            "store": self.store_answers,
            "knowledge_base": self.index_is_ready,
            "gate": self.gate_is_calibrated,
            **({} if self.parts.records is None else {"records": self.records_answer}),
        }

    async def store_answers(self) -> Detail:
        """Say nothing more than that the store can be read and written."""
        await self.store.ping()
        return {}

    async def index_is_ready(self) -> Detail:
        """Name the index that searches use, and the age of the last good sync.

        A late sync is said and makes nothing unready: old articles still answer, and taking the service away helps nobody.
        """
        status = await self.parts.index.status()
        if status.state is not IndexState.READY:
            raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")
        health = health_of(status, expected_s=self.sync_every_s, now_ms=self.parts.clock.now_ms())
        return {
            "fingerprint": status.fingerprint,
            "generation": status.generation,
            "articles": status.articles,
            "passages": status.passages,
            **_sync_detail(health),
        }

    async def records_answer(self) -> Detail:
        """Say whether customers' own records can be asked. An outage makes nothing unready: articles still answer."""
        if self.parts.records is None:
            return {}
        try:
            async with asyncio.timeout(RECORDS_WAIT_S):
                await self.parts.records.records.ping()
        except (RecordsUnavailable, TimeoutError) as failure:
            return {"status": "degraded", "problem": str(failure) or "no answer in time"}
        return {"status": "ok"}

    async def gate_is_calibrated(self) -> Detail:
        """Name the threshold in force and what it was measured on."""
        calibration = (await self.parts.index.status()).calibration
        can_abstain = self.parts.answerer.can_abstain
        threshold = threshold_for(calibration, self.policy, can_abstain=can_abstain)
        if calibration is None or threshold is None:
            raise IndexNotReady("uncalibrated: run `python -m bot calibrate`")
        return {"threshold": threshold, "measured_on": calibration.data}


def checks_of(settings: Settings, store: ConversationStore, parts: Parts) -> Checks:
    """Return what asks the parts."""
    return Checks(store=store, parts=parts, policy=turn_policy(settings), sync_every_s=settings.kb_sync_every)


def _sync_detail(health: SyncHealth) -> Detail:
    age_s = None if health.age_ms is None else health.age_ms // 1000
    seen = {"seconds_since_last_sync": age_s, "late": health.late}
    return {**seen, "status": "degraded", "problem": health.problem} if health.late else seen


async def check_gate(parts: Parts, policy: TurnPolicy) -> None:
    """Refuse to start on a threshold that calibration never saw (DESIGN §2.2).

    An index that is uncalibrated or cannot be read is not this check's business: turns hand over and say so.
    """
    try:
        calibration = (await parts.index.status()).calibration
    except RetrievalUnavailable:
        return
    threshold = threshold_for(calibration, policy, can_abstain=parts.answerer.can_abstain)
    if calibration is not None and threshold is not None:
        check_threshold(threshold, calibration)
