"""What operators watch, as Prometheus numbers. Labels are closed sets, never ids and never text."""

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from bot.adapters.prometheus.loop import LoopNumbers
from bot.adapters.prometheus.server import ServerNumbers
from bot.adapters.prometheus.slack import SlackNumbers
from bot.core.circuit import Cause
from bot.core.outcome import Handoff, outcome_name
from bot.core.turn import Turn

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class PrometheusObserver:
    """Counts turns by outcome and reason, times their stages, and shows which dependency is left alone and what waits."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.server = ServerNumbers(self._registry)
        self.loop = LoopNumbers(self._registry)
        self.slack = SlackNumbers(self._registry)
        counter = partial(Counter, registry=self._registry)
        self._turns = counter(
            "turns_total", "Settled turns by outcome and reason code", ["outcome", "reason"]
        )
        self._untruthful = counter(
            "untruthful_handoffs_total", "Handoffs whose reason is not what happened; must stay 0"
        )
        self._stages = Histogram(
            "turn_stage_seconds",
            "Time in each stage of a turn",
            ["stage"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._tokens = counter("model_tokens_total", "Tokens that drafts were counted with", ["direction"])
        self._cost = counter("model_cost_usd_total", "What drafts were counted with, USD")
        gauge = partial(Gauge, registry=self._registry)
        self._open = gauge(
            "circuit_open",
            "1 while a dependency is left alone because it failed, or a cap is reached",
            ["dependency"],
        )
        self._outbox_oldest = gauge(
            "outbox_oldest_seconds", "Age of the oldest row that was not told to the outside yet; 0 for none"
        )
        self._outbox = gauge("outbox_waiting", "Rows not told to the outside yet, counted up to 1000")
        self._queue = gauge("queue_waiting", "Conversations that wait for an agent")
        self._claimed = gauge("queue_claimed", "Conversations that an agent has")
        self._queue_longest = gauge("queue_longest_wait_seconds", "How long who waits longest has waited")
        self._openings = counter(
            "circuit_openings_total",
            "How often a dependency was left alone, by cause",
            ["dependency", "cause"],
        )

    def turn_settled(self, turn: Turn, *, truthful: bool) -> None:
        reason = turn.outcome.reason if isinstance(turn.outcome, Handoff) else "none"
        self._turns.labels(outcome=outcome_name(turn.outcome), reason=reason).inc()
        if not truthful:
            self._untruthful.inc()
        for stage in turn.stages:
            self._stages.labels(stage=stage.name).observe(stage.ms / 1000)
        if turn.usage is not None:
            self._tokens.labels(direction="input").inc(turn.usage.input_tokens)
            self._tokens.labels(direction="output").inc(turn.usage.output_tokens)
            self._cost.inc(turn.usage.cost_usd)

    def circuit_opened(self, dependency: str, cause: Cause) -> None:
        self._open.labels(dependency=dependency).set(1)
        self._openings.labels(dependency=dependency, cause=cause).inc()

    def circuit_closed(self, dependency: str) -> None:
        self._open.labels(dependency=dependency).set(0)

    def outbox_seen(self, *, oldest_s: float, waiting: int) -> None:
        self._outbox_oldest.set(oldest_s)
        self._outbox.set(waiting)

    def queue_seen(self, *, waiting: int, claimed: int, longest_s: float) -> None:
        self._queue.set(waiting)
        self._claimed.set(claimed)
        self._queue_longest.set(longest_s)

    def text(self) -> bytes:
        """Return the numbers in Prometheus's text format."""
        return generate_latest(self._registry)
