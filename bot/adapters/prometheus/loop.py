"""How late the event loop is, as Prometheus numbers (FAULTS W17)."""

from prometheus_client import CollectorRegistry, Gauge, Histogram

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class LoopNumbers:
    """Shows how much later than asked for the event loop comes back to what waits."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._lag = Histogram(
            "event_loop_lag_seconds",
            "How much later than asked for a wait ended",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._worst = Gauge(
            "event_loop_lag_worst_seconds", "The longest such lag since the start", registry=registry
        )
        self._worst_s = 0.0

    def loop_lagged(self, lag_s: float) -> None:
        self._lag.observe(lag_s)
        self._worst_s = max(self._worst_s, lag_s)
        self._worst.set(self._worst_s)
