"""Builds what keeps the store to what may be kept: it lets go of what was erased, and erases what is old."""

from dataclasses import dataclass

from bot.ports import Clock, Duties
from bot.privacy_ports import Erasure
from bot.service.erasing import Erasing
from bot.service.live import LiveHub
from bot.service.retention import Retention
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """What goes on beside the conversations for the sake of those who wrote them."""

    erasing: Erasing
    retention: Retention


def privacy_of(settings: Settings, erasure: Erasure, duties: Duties, clock: Clock, live: LiveHub) -> Privacy:
    """Return both, over one store."""
    return Privacy(
        erasing=Erasing(erasure=erasure, clock=clock, live=live),
        retention=Retention(
            erasure=erasure,
            clock=clock,
            duties=duties,
            conversation_days=settings.retention_days,
            evidence_days=settings.evidence_days,
        ),
    )
