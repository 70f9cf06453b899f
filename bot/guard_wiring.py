"""Puts circuits around what a turn waits for and caps around what it uses, and says which circuits are open."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog

from bot.adapters.prometheus.observer import PrometheusObserver
from bot.channels.health import Check, Detail
from bot.core.caps import Allowance, Caps, Tariff
from bot.core.policy import Deadlines
from bot.errors import ModelUnavailable, NotAsked, RecordsUnavailable, RetrievalUnavailable
from bot.model_ports import Probed, Summarizer
from bot.planner_wiring import RecordsSide
from bot.ports import Clock, Ledger
from bot.service.answering import Answering
from bot.service.circuits import Breaker, GuardedAnswerer, GuardedEmbedder, GuardedReranker, GuardedSummarizer
from bot.service.metering import Metering
from bot.service.records_circuits import GuardedPlanner, GuardedRecords
from bot.service.summarising import DEADLINE_S as SUMMARY_LIMIT_S
from bot.settings import Settings
from bot.turn_wiring import Parts

log = structlog.get_logger()

KEY_TRIAL_S = 3.0  # the banner waits for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """The circuits and the caps of this process, and who is told of them."""

    answerer: Breaker
    embedder: Breaker
    reranker: Breaker
    records: Breaker
    planner: Breaker
    metering: Metering
    observer: PrometheusObserver

    def around(self, parts: Parts, deadlines: Deadlines) -> Parts:
        """Return *parts* that are left alone while they fail."""
        return replace(
            parts,
            answerer=GuardedAnswerer(answerer=parts.answerer, breaker=self.answerer),
            embedder=GuardedEmbedder(
                embedder=parts.embedder, breaker=self.embedder, limit_s=deadlines.embed_s
            ),
            reranker=parts.reranker
            and GuardedReranker(reranker=parts.reranker, breaker=self.reranker, limit_s=deadlines.rerank_s),
            records=parts.records and self._around_records(parts.records, deadlines),
        )

    def _around_records(self, side: RecordsSide, deadlines: Deadlines) -> RecordsSide:
        return RecordsSide(
            records=GuardedRecords(records=side.records, breaker=self.records, limit_s=deadlines.query_s),
            planner=GuardedPlanner(planner=side.planner, breaker=self.planner),
        )

    def around_summarizer(self, summarizer: Summarizer | None) -> Summarizer | None:
        """Return a summarizer that is left alone while the answerer is: they have one provider."""
        return summarizer and GuardedSummarizer(
            summarizer=summarizer, breaker=self.answerer, limit_s=SUMMARY_LIMIT_S
        )

    def counting(self, steps: Answering) -> Answering:
        """Return the turn's steps, which count what their drafts use."""
        return replace(steps, drafting=replace(steps.drafting, metering=self.metering))

    def checks(self) -> Mapping[str, Check]:
        """Return what `/readyz` asks: nobody is called for it, what turns met with is told."""
        return {"answerer": self.answerer_is_asked, "embedder": self.embedder_is_asked}

    async def try_key(self, parts: Parts) -> None:
        """Ask the answerer's provider whether it accepts the key; a wrong one opens the circuit, which raises its alarm."""
        if not isinstance(parts.answerer, Probed):
            return
        try:
            async with asyncio.timeout(KEY_TRIAL_S):
                await parts.answerer.ping()
        except (ModelUnavailable, TimeoutError) as failure:
            if self.answerer.trouble is None:  # else its alarm was raised
                log.warning("key_not_confirmed", dependency="answerer", error=type(failure).__name__)

    async def answerer_is_asked(self) -> Detail:
        """Raise ModelUnavailable while the answerer is left alone."""
        return _closed(self.answerer)

    async def embedder_is_asked(self) -> Detail:
        """Raise RetrievalUnavailable while the embedder is left alone."""
        return _closed(self.embedder)


def guards_of(settings: Settings, ledger: Ledger, clock: Clock) -> Guards:
    """Return guards that have seen nothing fail yet."""
    observer = PrometheusObserver()
    return Guards(
        answerer=Breaker(dependency="answerer", unavailable=NotAsked, clock=clock, observer=observer),
        embedder=Breaker(
            dependency="embedder", unavailable=RetrievalUnavailable, clock=clock, observer=observer
        ),
        reranker=Breaker(
            dependency="reranker", unavailable=RetrievalUnavailable, clock=clock, observer=observer
        ),
        records=Breaker(dependency="records", unavailable=RecordsUnavailable, clock=clock, observer=observer),
        planner=Breaker(dependency="planner", unavailable=NotAsked, clock=clock, observer=observer),
        metering=Metering(
            ledger=ledger, caps=caps_of(settings), tariff=tariff_of(settings), clock=clock, observer=observer
        ),
        observer=observer,
    )


def caps_of(settings: Settings) -> Caps:
    """Return the caps; those on tokens and money only where a model takes them."""
    here = Allowance(turns=settings.max_conversation_turns_per_day)
    overall = Allowance(turns=settings.max_turns_per_day)
    if settings.anthropic_api_key is None:
        return Caps(conversation=here, overall=overall)
    return Caps(
        conversation=replace(
            here,
            tokens=settings.max_conversation_tokens_per_day,
            cost_usd=settings.max_conversation_spend_per_day,
        ),
        overall=replace(overall, tokens=settings.max_tokens_per_day, cost_usd=settings.max_spend_per_day),
    )


def tariff_of(settings: Settings) -> Tariff | None:
    """Return what the model costs; None without one."""
    if settings.anthropic_api_key is None:
        return None
    return Tariff(
        input_usd=settings.anthropic_input_price,
        output_usd=settings.anthropic_output_price,
        output_tokens=settings.anthropic_max_tokens,
    )


def _closed(breaker: Breaker) -> Detail:
    if breaker.trouble is not None:
        raise breaker.unavailable(breaker.trouble)
    return {}
