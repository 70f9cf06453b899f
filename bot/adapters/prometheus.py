"""The TurnObserver port as Prometheus numbers. Labels are closed sets, never ids and never text."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from bot.core.outcome import Handoff, outcome_name
from bot.core.turn import Turn

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class PrometheusTurnObserver:
    """Counts turns by outcome and reason, and times their stages."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._turns = Counter(
            "turns_total",
            "Settled turns by outcome and reason code",
            ["outcome", "reason"],
            registry=self._registry,
        )
        self._untruthful = Counter(
            "untruthful_handoffs_total",
            "Handoffs whose reason is not what happened; must stay 0",
            registry=self._registry,
        )
        self._stages = Histogram(
            "turn_stage_seconds",
            "Time in each stage of a turn",
            ["stage"],
            buckets=_BUCKETS,
            registry=self._registry,
        )

    def turn_settled(self, turn: Turn, *, truthful: bool) -> None:
        reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else "none"
        self._turns.labels(outcome=outcome_name(turn.outcome), reason=reason).inc()
        if not truthful:
            self._untruthful.inc()
        for stage in turn.stages:
            self._stages.labels(stage=stage.name).observe(stage.ms / 1000)

    def text(self) -> bytes:
        """Return the numbers in Prometheus's text format."""
        return generate_latest(self._registry)
