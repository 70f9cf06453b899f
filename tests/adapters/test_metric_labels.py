"""Labels are closed sets: whatever customers write, operators scrape no word of it and a bounded number of series (FAULTS R-L16)."""

from prometheus_client.parser import text_string_to_metric_families

from bot.adapters.prometheus.observer import PrometheusObserver
from bot.core.circuit import Cause
from bot.core.outcome import Ask, Handoff, ReasonCode
from bot.core.prompt import Usage
from bot.core.turn import RetrievalQuery, Stage, StageRecord, StageStatus
from tests.builders import a_turn, an_answer
from tests.personal import generated

DEPENDENCIES = {"answerer", "embedder", "reranker", "daily_caps"}  # each is named in the code that watches it
CLOSED = {
    "outcome": {"answer", "ask", "courtesy", "handoff"},
    "reason": {"none", *ReasonCode},
    "stage": {*Stage},
    "direction": {"input", "output"},
    "dependency": DEPENDENCIES,
    "cause": {*Cause},
    "channel": {"widget", "console"},
}


def told_of(value: str) -> PrometheusObserver:
    """Return what was told of turns that hold *value* wherever a turn holds words."""
    observer, query = PrometheusObserver(), RetrievalQuery(text=value, bare=value, own=value, used=(1,))
    stages = tuple(
        StageRecord(name=name, status=StageStatus.FAILED, ms=1, error=value, finding=value) for name in Stage
    )
    usage = Usage(input_tokens=1, output_tokens=1, cost_usd=0.1)
    outcomes = (
        an_answer(value),
        Ask(text=value),
        *(Handoff(reason=reason, rule=value, detail=value) for reason in ReasonCode),
    )
    for outcome in outcomes:
        turn = a_turn(
            outcome, id=value, stages=stages, query=query, model=value, prompt_digest=value, usage=usage
        )
        observer.turn_settled(turn, truthful=False)
    return observer


def labels(observer: PrometheusObserver) -> set[tuple[str, str]]:
    families = text_string_to_metric_families(observer.text().decode())
    return {pair for family in families for sample in family.samples for pair in sample.labels.items()}


def test_every_label_is_of_a_closed_set():
    observer = told_of("words")
    for dependency in DEPENDENCIES:
        for cause in Cause:
            observer.circuit_opened(dependency, cause)
    for channel in CLOSED["channel"]:
        observer.server.sockets_seen(channel=channel, count=1)

    found = {(name, value) for name, value in labels(observer) if name != "le"}

    assert {name for name, _ in found} == CLOSED.keys()
    assert [(name, value) for name, value in found if value not in CLOSED[name]] == []


def test_no_generated_value_is_in_the_numbers():
    assert [value for value in generated(100) if value in told_of(value).text().decode()] == []
