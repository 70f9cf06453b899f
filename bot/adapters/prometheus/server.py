"""What operators watch of the server itself and of the age of its articles, as Prometheus numbers."""

import math

from prometheus_client import CollectorRegistry, Counter, Gauge

from bot.core.staleness import SyncHealth


class ServerNumbers:
    """Shows open sockets, connections that had to wait, and the age of the last sync."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._sockets = Gauge(
            "sockets_open", "WebSockets that are open, by channel", ["channel"], registry=registry
        )
        self._accepts = Counter(
            "accept_failures_total",
            "How often no connection could be accepted, because no file descriptor was free",
            registry=registry,
        )
        self._sync_age = Gauge(
            "knowledge_sync_age_seconds",
            "Time since the last good sync of the articles; NaN when it is not known",
            registry=registry,
        )
        self._sync_age.set(math.nan)
        self._sync_late = Gauge(
            "knowledge_sync_late",
            "1 while the last good sync is older than twice the interval in which one is due; 0 where none is due",
            registry=registry,
        )

    def sockets_seen(self, *, channel: str, count: int) -> None:
        self._sockets.labels(channel=channel).set(count)

    def accept_failed(self) -> None:
        self._accepts.inc()

    def sync_seen(self, health: SyncHealth | None) -> None:
        age_ms = None if health is None else health.age_ms
        self._sync_age.set(math.nan if age_ms is None else age_ms / 1000)
        if health is not None:
            self._sync_late.set(health.late)
