"""What operators watch of Slack: the calls to it, and the troubles that waiting does not end."""

from prometheus_client import CollectorRegistry, Counter, Gauge

OK = "ok"


class SlackNumbers:
    """Implements what the Slack channel is watched by. The codes of failures are in the log: there they cannot multiply the series."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._calls = Counter(
            "slack_calls_total", "Calls to Slack's Web API", ["method", "outcome"], registry=registry
        )
        self._troubles = Gauge(
            "slack_troubles",
            "What keeps Candor from speaking in Slack until somebody acts",
            registry=registry,
        )

    def slack_called(self, method: str, outcome: str) -> None:
        """Count a call by whether it went well."""
        self._calls.labels(method, OK if outcome == OK else "failed").inc()

    def slack_troubles(self, number: int) -> None:
        """Show how many troubles last."""
        self._troubles.set(number)
