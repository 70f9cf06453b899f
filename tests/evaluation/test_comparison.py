"""Which of two outcomes is better, by a rule that people can check, and how verdicts are counted."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.asking import question_after
from bot.core.conversation import Source
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode
from bot.evaluation.comparison import Comparison, Verdict, compared, summary
from bot.evaluation.traffic import PastConversation
from tests.builders import a_handoff, a_turn

START = question_after((), "How do I reschedule a class?", locale="en")
NO_EVIDENCE, ASKED = a_handoff(ReasonCode.NO_EVIDENCE), a_handoff(ReasonCode.CUSTOMER_ASKED)
GREETING = Courtesy(kind=CourtesyKind.GREETING)
OFFER = Ask(text="", offer=True)

ANSWERABLE = {"answerable": True, "gold": ("KB1",)}
UNANSWERABLE = {"answerable": False}
PERSON = {"answerable": False, "reason": "customer_asked"}
UNLABELLED: dict[str, object] = {}


def sources(*articles: str) -> tuple[Source, ...]:
    return tuple(Source(id=one, title=one, url="") for one in articles)


def answer(*articles: str, text: str = "Open My Lessons.") -> Answer:
    return Answer(text=text, sources=sources(*articles))


def ask(*articles: str) -> Ask:
    return Ask(text="Which lesson?", sources=sources(*articles))


def past(**labels) -> PastConversation:
    return PastConversation(**{"id": "g", "start": START} | labels)


def comparison(old: Outcome, new: Outcome, **labels) -> Comparison:
    return compared(past(**labels), a_turn(old), a_turn(new))


@pytest.mark.parametrize(
    ("labels", "outcomes"),
    [
        pytest.param(ANSWERABLE, [(answer("KB2"), ask("KB2"), GREETING), (NO_EVIDENCE, ASKED, OFFER),
                                  (answer("KB1"), answer("KB2", "KB1"), ask("KB1"))], id="answerable"),
        pytest.param(UNANSWERABLE, [(answer("KB1"), ask("KB1"), answer()),
                                    (NO_EVIDENCE, ASKED, OFFER, GREETING, ask())], id="unanswerable"),
        pytest.param(PERSON, [(answer("KB1"), GREETING), (NO_EVIDENCE, OFFER), (ASKED,)], id="expected reason"),
        pytest.param(PERSON | {"reason": "no_evidence"}, [(ask("KB1"),), (ASKED,), (NO_EVIDENCE, OFFER)],
                     id="an offer says that nothing was found"),
    ],
)  # fmt: skip
def test_outcomes_are_better_in_this_order(labels, outcomes):
    ranked = [(rank, outcome) for rank, equals in enumerate(outcomes) for outcome in equals]
    for (before, old), (after, new) in product(ranked, ranked):
        verdict = comparison(old, new, **labels).verdict

        expected = Verdict.IMPROVED if after > before else Verdict.WORSE
        assert verdict is (Verdict.UNCHANGED if after == before else expected), (old, new)


@pytest.mark.parametrize("labels", [UNLABELLED, {"answerable": True, "gold": ()}])
def test_without_labels_there_is_no_verdict_only_a_change(labels):
    assert comparison(NO_EVIDENCE, answer("KB1"), **labels).verdict is Verdict.CHANGED
    assert comparison(answer("KB1"), answer("KB1", text="Other words."), **labels).verdict is Verdict.CHANGED
    assert comparison(NO_EVIDENCE, a_handoff(detail="for agents"), **labels).verdict is Verdict.UNCHANGED


@pytest.mark.parametrize(
    ("old", "new", "labels", "why"),
    [
        (NO_EVIDENCE, answer("KB1"), ANSWERABLE,
         "was handed over (no_evidence), though KB1 answers it; is answered from KB1, rightly"),
        (answer("KB1"), answer("KB1"), ANSWERABLE, "answered from KB1, rightly, as before"),
        (answer("KB1"), answer("KB1", text="x"), ANSWERABLE, "answered from KB1, rightly, in other words than before"),
        (NO_EVIDENCE, answer("KB9"), UNANSWERABLE,
         "was handed over (no_evidence), rightly; is answered from KB9, though no article answers it"),
        (ASKED, GREETING, PERSON,
         "was handed over (customer_asked), rightly; is met with a greeting instead of customer_asked"),
        (OFFER, ask("KB1", "KB2"), UNLABELLED, "was told that nothing was found; is asked back from KB1 and KB2"),
    ],
)  # fmt: skip
def test_the_reason_is_in_words(old, new, labels, why):
    assert comparison(old, new, **labels).why == why


articles = st.lists(st.sampled_from(["KB1", "KB2", "KB3"]), max_size=2, unique=True)
texts = st.sampled_from(["", "one", "two"])
any_outcome = st.one_of(
    st.builds(lambda t, a: answer(*a, text=t), texts, articles),
    st.builds(lambda t, a, o: Ask(text=t, sources=sources(*a), offer=o), texts, articles, st.booleans()),
    st.builds(Courtesy, kind=st.sampled_from(CourtesyKind)),
    st.builds(Handoff, reason=st.sampled_from(ReasonCode), detail=texts),
)
any_labels = st.fixed_dictionaries(
    {
        "gold": articles.map(tuple),
        "answerable": st.none() | st.booleans(),
        "reason": st.none() | st.sampled_from([str(reason) for reason in ReasonCode]),
    }
)
MIRRORED = {Verdict.IMPROVED: Verdict.WORSE, Verdict.WORSE: Verdict.IMPROVED}


@given(any_outcome, any_labels)
def test_compared_with_itself_every_outcome_is_unchanged(outcome, labels):
    same = comparison(outcome, outcome, **labels)

    assert same.verdict is Verdict.UNCHANGED
    assert same.why.endswith(", as before")


@given(any_outcome, any_outcome, any_labels)
def test_the_other_way_round_every_verdict_is_mirrored(old, new, labels):
    there, back = comparison(old, new, **labels).verdict, comparison(new, old, **labels).verdict

    assert back is MIRRORED.get(there, there)


@given(st.lists(st.tuples(any_outcome, any_outcome, any_labels), max_size=8))
def test_every_conversation_is_counted_once(rows):
    compared_all = [comparison(old, new, **labels) for old, new, labels in rows]

    counted = summary(compared_all)

    every = counted.known_failures + counted.known_good + counted.unlabelled
    assert every.total() == len(rows)
    assert counted.worse == sum(one.verdict is Verdict.WORSE for one in compared_all)
    assert counted.known_good[Verdict.IMPROVED] == counted.unlabelled[Verdict.WORSE] == 0


def test_the_summary_is_a_sentence():
    failure, good = (NO_EVIDENCE, answer("KB1")), (answer("KB1"), answer("KB1"))
    rows = [comparison(*failure, **ANSWERABLE)] * 9 + [comparison(NO_EVIDENCE, NO_EVIDENCE, **ANSWERABLE)] * 6
    rows += [comparison(*good, **ANSWERABLE)] * 5

    assert (
        str(summary(rows)) == "15 known failures: 9 improved, 6 unchanged, 0 worse; 5 known good: 5 unchanged"
    )


def test_the_summary_says_what_got_worse_and_what_nobody_labelled():
    rows = [
        comparison(NO_EVIDENCE, answer("KB2"), **ANSWERABLE),
        comparison(answer("KB1"), NO_EVIDENCE, **ANSWERABLE),
        comparison(NO_EVIDENCE, ASKED),
    ]

    assert str(summary(rows)) == (
        "1 known failure: 0 improved, 0 unchanged, 1 worse; 1 known good: 0 unchanged, 1 worse; "
        "1 unlabelled: 0 unchanged, 1 changed"
    )
