"""Builds what keeps the store to what may be kept: it lets go of what was erased, and erases what is old."""

from dataclasses import dataclass

from bot.ports import Clock
from bot.service.erasing import Erasing
from bot.service.live import LiveHub
from bot.service.retention import Retention, nothing_outside
from bot.settings import Settings
from bot.slack_speech_wiring import SlackSpeech
from bot.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """What goes on beside the conversations for the sake of those who wrote them."""

    erasing: Erasing
    retention: Retention


def privacy_of(
    settings: Settings, stores: Stores, clock: Clock, live: LiveHub, *, slack: SlackSpeech | None = None
) -> Privacy:
    """Return both, over one store; what stands in *slack* is taken back first."""
    return Privacy(
        erasing=Erasing(erasure=stores.erasure, clock=clock, live=live),
        retention=Retention(
            erasure=stores.erasure,
            clock=clock,
            duties=stores.duties,
            conversation_days=settings.retention_days,
            evidence_days=settings.evidence_days,
            take_back=slack.take_back if slack else nothing_outside,
        ),
    )
