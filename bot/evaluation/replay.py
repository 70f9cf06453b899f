"""Conversations through two configurations, one after the other, with nothing kept: the same articles, vectors and moment.

Only what the configurations say can differ. A replay in which something failed proves nothing, so it stops.
"""

from array import array
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.core.conversation import TurnId
from bot.core.gate import blend_of, threshold_for
from bot.core.knowledge import (
    ArticleId,
    ArticleText,
    Calibration,
    Fingerprint,
    IndexStatus,
    SearchQuery,
    SearchResult,
    Vector,
)
from bot.core.policy import RetrievalPolicy
from bot.core.turn import Stage, Turn, failing_stage
from bot.errors import IndexNotReady, Misconfigured, RetrievalUnavailable
from bot.evaluation.comparison import Comparison, compared
from bot.evaluation.configuration import Configuration
from bot.evaluation.moment import asked_at
from bot.evaluation.traffic import PastConversation
from bot.model_ports import Embedder
from bot.ports import PassageIndex
from bot.service.answering import Answering


async def replayed(
    conversations: Iterable[PastConversation], old: Answering, new: Answering
) -> AsyncIterator[Comparison]:
    """Settle each conversation's last question with *old* and *new*; RetrievalUnavailable when a stage failed."""
    for conversation in conversations:
        before, after = await _settled(conversation, old), await _settled(conversation, new)
        yield compared(conversation, before, after)


async def _settled(conversation: PastConversation, answering: Answering) -> Turn:
    steps = asked_at(answering, conversation.asked_ms)
    turn = await steps.settle(conversation.start, TurnId(conversation.id), capped=None, show=_nothing)
    failed = failing_stage(turn.stages)
    # A computed question without a records route always ends there: that is what the service does too.
    if failed is not None and failed.name is not Stage.RECORDS:
        raise RetrievalUnavailable(
            f"conversation {conversation.id}: {failed.name} {failed.status.replace('_', ' ')} ({failed.error}), "
            "so there is nothing to compare; run `python -m bot check`"
        )
    return turn


async def _nothing(_shown: object) -> None:
    """Show nothing: a replay has no customer."""


def index_for(
    configuration: Configuration, index: PassageIndex, calibration: Calibration | None
) -> PassageIndex:
    """Return *index* for a gate as the configuration wants it; Misconfigured when its threshold would mean nothing.

    A threshold belongs to a blend (DESIGN §2.2): for another one than was calibrated, the configuration must state its own.
    """
    if calibration is None:
        raise IndexNotReady(
            "the gate is not calibrated for the embedding model in use, so every question would be handed over; "
            "run `python -m bot calibrate`"
        )
    policy, given = configuration.policy, configuration.policy.gate_threshold
    if threshold_for(calibration, policy, can_abstain=False) is None:
        if given is None:
            raise Misconfigured(
                f"{configuration.name}: gate_threshold: is missing, and the calibrated one is for "
                f"{_listed(calibration.blend)}, whose scores are others; write gate_threshold = NUMBER"
            )
        return IndexForBlend(inner=index, policy=policy.retrieval)
    if given is not None and not calibration.lowest <= given <= calibration.highest:
        raise Misconfigured(
            f"{configuration.name}: gate_threshold: {given:g} is outside of what calibration saw, so that the gate could "
            f"not work; write a number from {calibration.lowest:.2f} to {calibration.highest:.2f}"
        )
    return index


def _listed(blend: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number:g}" for name, number in blend.items())


class RememberingEmbedder:
    """An embedder that embeds no query twice, however long the run."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        # 4 bytes a number instead of 32; whoever asks first gets the rounded vector too.
        self._known: dict[str, array[float]] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    @property
    def token_limit(self) -> int:
        return self._inner.token_limit

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    async def embed_queries(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            fresh = await self._inner.embed_queries(unknown)
            self._known.update((t, array("f", v)) for t, v in zip(unknown, fresh, strict=True))
        return tuple(tuple(self._known[text]) for text in texts)

    async def embed_passages(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        return await self._inner.embed_passages(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexForBlend:
    """A passage index whose calibration counts for another blend, whose threshold its configuration states."""

    inner: PassageIndex
    policy: RetrievalPolicy

    async def status(self) -> IndexStatus:
        status = await self.inner.status()
        if status.calibration is None:
            return status
        return replace(status, calibration=replace(status.calibration, blend=blend_of(self.policy)))

    async def search(self, query: SearchQuery) -> SearchResult:
        return await self.inner.search(query)

    async def article(self, article: ArticleId) -> ArticleText | None:
        return await self.inner.article(article)
