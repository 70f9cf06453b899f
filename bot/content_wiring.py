"""Builds what the content team's page shows, over the articles and the recorded turns."""

from bot.adapters.matrix_clusters import MatrixClusters
from bot.adapters.prompt_files import Language
from bot.channels.console.content import ContentServices
from bot.service.content import Content
from bot.service.gaps import Gaps
from bot.service.supposing import Supposing
from bot.service.trying import Trying
from bot.settings import Settings
from bot.traffic_ports import TrafficReads
from bot.turn_wiring import Parts, answering, turn_policy


def content_of(
    settings: Settings, parts: Parts, spoken: Language, traffic: TrafficReads
) -> ContentServices | None:
    """Return what the page is built of; None where there is no catalogue of articles."""
    if parts.catalogue is None:
        return None
    policy = turn_policy(settings)
    steps = answering(parts, spoken, policy)
    can_abstain = parts.answerer.can_abstain
    return ContentServices(
        content=Content(
            catalogue=parts.catalogue,
            traffic=traffic,
            index=parts.index,
            clock=parts.clock,
            expected_s=settings.kb_sync_every,
        ),
        gaps=Gaps.over(traffic, parts.catalogue, steps, MatrixClusters, unpublished=parts.unpublished),
        trying=Trying(retrieving=steps.retrieving, can_abstain=can_abstain),
        supposing=Supposing(
            traffic=traffic, index=parts.index, policy=policy, clock=parts.clock, can_abstain=can_abstain
        ),
    )
