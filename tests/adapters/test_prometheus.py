"""The numbers that operators scrape: closed sets of labels, no ids, no text."""

import math

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.adapters.prometheus.observer import PrometheusObserver
from bot.core.circuit import Cause
from bot.core.outcome import Ask, Courtesy, CourtesyKind, Handoff, ReasonCode
from bot.core.prompt import Usage
from bot.core.staleness import SyncHealth
from bot.core.turn import Stage, StageRecord, StageStatus
from tests.builders import a_handoff, a_turn, an_answer

WORDS = "my card is 4242 4242"


@pytest.fixture
def observer() -> PrometheusObserver:
    return PrometheusObserver()


def numbers(observer: PrometheusObserver) -> dict[tuple[str, ...], float]:
    """Return each sample's value by its name and its labels' values, in the order of their names."""
    families = text_string_to_metric_families(observer.text().decode())
    samples = [sample for family in families for sample in family.samples]
    return {
        (s.name, *(value for _, value in sorted(s.labels.items()))): s.value
        for s in samples
        if not s.name.endswith("_created")
    }


def timed(name: Stage, *, ms: float) -> StageRecord:
    return StageRecord(name=name, status=StageStatus.OK, ms=ms)


def test_before_any_turn_untruthful_handoffs_are_zero_not_missing(observer):
    assert numbers(observer)["untruthful_handoffs_total",] == 0


@pytest.mark.parametrize(
    ("outcome", "labels"),
    [
        (an_answer(), ("answer", "none")),
        (Ask(text=WORDS), ("ask", "none")),
        (Courtesy(kind=CourtesyKind.GREETING), ("courtesy", "none")),
        *((a_handoff(reason), ("handoff", reason.value)) for reason in ReasonCode),
    ],
)
def test_a_turn_counts_once_under_its_outcome_and_reason(observer, outcome, labels):
    observer.turn_settled(a_turn(outcome), truthful=True)

    turns = {name: value for name, value in numbers(observer).items() if name[0] == "turns_total"}
    assert turns == {("turns_total", *labels): 1}


def test_untruthful_handoffs_are_counted_beside_their_turn(observer):
    observer.turn_settled(a_turn(a_handoff()), truthful=False)
    observer.turn_settled(a_turn(a_handoff()), truthful=True)

    found = numbers(observer)
    assert found["untruthful_handoffs_total",] == 1
    assert found["turns_total", "handoff", "no_evidence"] == 2


def test_stages_are_timed_in_seconds(observer):
    stages = (timed(Stage.EMBED, ms=40), timed(Stage.SEARCH, ms=2))

    observer.turn_settled(a_turn(stages=stages), truthful=True)

    found = numbers(observer)
    assert found["turn_stage_seconds_sum", "embed"] == pytest.approx(0.04)
    assert found["turn_stage_seconds_bucket", "0.005", "search"] == 1
    assert found["turn_stage_seconds_bucket", "0.025", "embed"] == 0


def test_tokens_and_cost_are_summed_up(observer):
    for _ in range(2):
        usage = Usage(input_tokens=3_000, output_tokens=50, cost_usd=0.25)
        observer.turn_settled(a_turn(usage=usage), truthful=True)

    found = numbers(observer)
    assert [found["model_tokens_total", way] for way in ("input", "output")] == [6_000, 100]
    assert found["model_cost_usd_total",] == 0.5


def test_an_open_circuit_is_shown_while_it_is_open_and_counted_by_cause(observer):
    observer.circuit_opened("answerer", Cause.KEY_REJECTED)
    opened = numbers(observer)
    observer.circuit_closed("answerer")

    assert (opened["circuit_open", "answerer"], numbers(observer)["circuit_open", "answerer"]) == (1, 0)
    assert numbers(observer)["circuit_openings_total", "key_rejected", "answerer"] == 1


def test_no_text_and_no_id_is_shown(observer):
    outcome = Handoff(reason=ReasonCode.ESCALATION_RULE, rule="secret_rule", detail=WORDS)

    observer.turn_settled(a_turn(outcome, id="turn-77", model=WORDS), truthful=True)

    shown = observer.text().decode()
    assert [word for word in ("4242", "secret_rule", "turn-77", "c1") if word in shown] == []


def test_what_waits_is_shown_as_it_was_seen_last(observer):
    observer.outbox_seen(oldest_s=90.5, waiting=7)
    observer.outbox_seen(oldest_s=12.5, waiting=3)
    observer.queue_seen(waiting=4, claimed=2, longest_s=700)

    seen = numbers(observer)
    assert (seen["outbox_oldest_seconds",], seen["outbox_waiting",]) == (12.5, 3)
    assert (seen["queue_waiting",], seen["queue_claimed",]) == (4, 2)
    assert seen["queue_longest_wait_seconds",] == 700


def test_sockets_waiting_connections_and_the_age_of_articles_are_shown(observer):
    unknown = numbers(observer)["knowledge_sync_age_seconds",]
    observer.server.sockets_seen(channel="widget", count=7)
    observer.server.accept_failed()
    observer.server.sync_seen(SyncHealth(age_ms=3_600_000, every_ms=900_000, late=True))

    seen = numbers(observer)
    assert math.isnan(unknown)
    assert (seen["sockets_open", "widget"], seen["accept_failures_total",]) == (7, 1)
    assert (seen["knowledge_sync_age_seconds",], seen["knowledge_sync_late",]) == (3_600, 1)


def test_an_index_that_cannot_be_asked_has_no_age_and_is_as_late_as_before(observer):
    observer.server.sync_seen(SyncHealth(age_ms=3_600_000, every_ms=900_000, late=True))
    observer.server.sync_seen(None)

    seen = numbers(observer)
    assert (math.isnan(seen["knowledge_sync_age_seconds",]), seen["knowledge_sync_late",]) == (True, 1)


def test_two_observers_do_not_share_their_numbers(observer):
    PrometheusObserver().turn_settled(a_turn(), truthful=True)

    assert ("turns_total", "answer", "none") not in numbers(observer)
