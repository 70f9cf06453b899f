"""When a circuit opens, what it lets through while it is open, and what closes it again."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.circuit import Admission, Cause, Circuit, CircuitPolicy

CALL, TRIAL, REFUSED = Admission.CALL, Admission.TRIAL, Admission.REFUSED
FAILURES, KEY, LIMIT = Cause.FAILURES, Cause.KEY_REJECTED, Cause.LIMIT_REACHED
DECISIVE = [KEY, LIMIT]


def failed_at(*times_s, circuit=None):
    circuit = circuit or Circuit()
    for now_s in times_s:
        circuit = circuit.failed(FAILURES, CALL, now_s=now_s)
    return circuit


def an_open_circuit(cause=KEY, *, at_s=0.0):
    return Circuit().failed(cause, CALL, now_s=at_s)


def on_trial(at_s=30.0):
    circuit, admission = an_open_circuit().admit(now_s=at_s)
    assert admission is TRIAL
    return circuit


@pytest.mark.parametrize(
    ("times_s", "opens"),
    [
        pytest.param((0, 1, 2, 3), False, id="four"),
        pytest.param((0, 1, 2, 3, 4), True, id="five at once"),
        pytest.param((0, 7, 14, 21, 29.9), True, id="five within half a minute"),
        pytest.param((0, 7, 14, 21, 30), False, id="the first is too old"),
        pytest.param((0, 31, 62, 93, 124, 155), False, id="now and then"),
    ],
)
def test_it_opens_at_the_fifth_failure_within_thirty_seconds(times_s, opens):
    assert (failed_at(*times_s).opening is not None) is opens


@pytest.mark.parametrize("cause", DECISIVE)
def test_a_rejected_key_and_a_spent_limit_open_it_at_once(cause):
    opening = an_open_circuit(cause, at_s=7.0).opening

    assert opening is not None
    assert (opening.cause, opening.since_s, opening.trial_from_s) == (cause, 7.0, 37.0)


def test_successes_between_failures_do_not_hide_them():
    circuit = failed_at(0, 1, 2, 3).succeeded(CALL)

    assert failed_at(4, circuit=circuit).opening is not None


@pytest.mark.parametrize(("now_s", "admission"), [(0.0, REFUSED), (29.9, REFUSED), (30.0, TRIAL)])
def test_an_open_circuit_lets_a_trial_through_after_thirty_seconds(now_s, admission):
    assert an_open_circuit().admit(now_s=now_s)[1] is admission


def test_while_a_trial_runs_nobody_else_is_let_through():
    assert on_trial().admit(now_s=1000.0)[1] is REFUSED


def test_a_trial_that_works_closes_it_and_forgets_the_failures():
    assert on_trial().succeeded(TRIAL) == Circuit()


def test_a_trial_that_fails_keeps_the_opening_and_makes_the_next_one_wait():
    circuit = on_trial(at_s=31.0).failed(FAILURES, TRIAL, now_s=35.0)

    assert circuit.opening is not None
    assert (circuit.opening.since_s, circuit.opening.cause) == (0.0, FAILURES)
    assert [circuit.admit(now_s=now_s)[1] for now_s in (64.9, 65.0)] == [REFUSED, TRIAL]


def test_after_a_trial_that_was_given_up_another_may_follow_at_once():
    assert on_trial().abandoned(TRIAL).admit(now_s=30.0)[1] is TRIAL


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(lambda c: c.succeeded(CALL), id="success"),
        pytest.param(lambda c: c.failed(FAILURES, CALL, now_s=29.0), id="failure"),
        pytest.param(lambda c: c.abandoned(CALL), id="given up"),
    ],
)
def test_what_was_begun_before_it_opened_neither_closes_nor_prolongs_it(late):
    circuit = an_open_circuit()

    assert late(circuit) == circuit


def test_a_late_rejection_of_the_key_is_named_as_the_cause():
    opened = failed_at(0, 0, 0, 0, 0)

    late = opened.failed(KEY, CALL, now_s=1.0)

    assert late.opening is not None
    assert (late.opening.cause, late.opening.since_s, late.opening.trial_from_s) == (KEY, 0.0, 30.0)


@dataclass
class Played:
    """A schedule of calls on one circuit, and what was seen."""

    policy: CircuitPolicy = field(default_factory=CircuitPolicy)
    circuit: Circuit = field(default_factory=Circuit)
    now_s: float = 0.0
    running: list[Admission] = field(default_factory=list)
    trials_s: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)

    def step(self, wait_s: float, begins: bool, end: str) -> None:
        self.now_s += wait_s
        if begins or not self.running:
            self.begin()
        else:
            self.end(end)

    def begin(self) -> None:
        self.circuit, admission = self.circuit.admit(now_s=self.now_s)
        if admission is not REFUSED:
            self.running.append(admission)
        if admission is TRIAL:
            self.trials_s.append(self.now_s)

    def end(self, how: str) -> None:
        admission = self.running.pop(0)
        before = self.circuit.opening
        if how == "succeeded":
            self.circuit = self.circuit.succeeded(admission)
        elif how == "abandoned":
            self.circuit = self.circuit.abandoned(admission)
        else:
            self.circuit = self.circuit.failed(Cause(how), admission, now_s=self.now_s)
        if before is None and self.circuit.opening is not None:
            self.openings.append(self.now_s)


ENDS = st.sampled_from(["succeeded", "abandoned", *Cause])
STEPS = st.lists(st.tuples(st.floats(0, 12), st.booleans(), ENDS), max_size=60)


@given(steps=STEPS)
def test_whatever_happens_there_is_one_trial_at_a_time_and_none_too_early(steps):
    played = Played()
    for step in steps:
        played.step(*step)

        opening = played.circuit.opening
        assert played.running.count(TRIAL) == (opening is not None and opening.on_trial)
        assert len(played.circuit.failed_at_s) < played.policy.failures
    for opened_s in played.openings:
        assert not any(opened_s <= t < opened_s + played.policy.trial_every_s for t in played.trials_s)


@given(steps=STEPS)
def test_a_dependency_that_is_well_again_is_always_found_out(steps):
    played = Played()
    for step in steps:
        played.step(*step)
    while played.running:
        played.end("abandoned")

    played.now_s += played.policy.trial_every_s
    played.begin()
    played.end("succeeded")

    assert played.circuit.opening is None
