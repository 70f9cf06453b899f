"""What leaves a request that is too long, and in which order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.conversation import Role
from bot.core.input_size import PER_TEXT, estimated_tokens, input_tokens, within_input
from bot.core.prompt import AnswerRequest, Evidence
from tests.builders import a_bot_message, a_found_passage, a_message, a_passage, a_ranked_passage

LIMIT = 8_000


def a_ranked(text, **fields):
    return a_ranked_passage(**fields, found=a_found_passage(passage=a_passage(text)))


def a_request(question="How do I move a lesson?", *, history=(), passages=("Open My Lessons.",)):
    evidence = Evidence(passages=tuple(a_ranked(text) for text in passages))
    return AnswerRequest(question=question, evidence=evidence, history=tuple(history))


def texts_of(request):
    return [p.found.passage.text for p in request.evidence.passages]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        pytest.param("How do I reschedule a lesson that starts tomorrow?", 10, 20, id="English"),
        pytest.param("Wie verschiebe ich eine Stunde, die morgen früh anfängt?", 12, 25, id="German"),
        pytest.param("明日のレッスンを変更するにはどうすればいいですか", 20, 40, id="Japanese"),
        pytest.param("Как перенести урок на завтра?", 8, 30, id="Russian"),
        pytest.param("", 0, 0, id="nothing"),
        pytest.param("\ud800", 1, 2, id="half a character"),
    ],
)
def test_the_estimate_is_of_the_right_size(text, least, most):
    assert least <= estimated_tokens(text) <= most


def test_a_request_that_fits_stays_as_it_is():
    request = a_request(history=[a_message("Hi"), a_bot_message("Hello")])

    assert within_input(request, LIMIT) is request


def test_the_oldest_messages_leave_first_and_the_first_that_stays_is_the_customers():
    history = [
        a_message("x " * 20_000, seq=1),
        a_bot_message("An answer.", seq=2),
        a_message("And then?", seq=3),
        a_bot_message("Another.", seq=4),
    ]

    trimmed = within_input(a_request(history=history), LIMIT)

    assert [m.seq for m in trimmed.history] == [3, 4]
    assert replace(trimmed, history=tuple(history)) == a_request(history=history)


def test_without_any_history_left_the_worst_passages_leave_and_the_best_one_stays():
    request = a_request(
        "q " * 4_000, history=[a_message("Hi")], passages=["best " * 500, "worse " * 3_000, "worst"]
    )

    trimmed = within_input(request, 4_000)

    assert (trimmed.history, texts_of(trimmed)) == ((), ["best " * 500])


def test_a_question_that_is_too_long_by_itself_keeps_its_end():
    first, last = "I had a problem. " * 4_000, "Can I get a refund?"

    trimmed = within_input(a_request(f"{first}\n{last}"), LIMIT)

    assert trimmed.question.endswith(last)
    assert 0.99 * LIMIT < input_tokens(trimmed) <= LIMIT


MESSAGES = st.builds(
    a_message, st.text(max_size=80), role=st.sampled_from([Role.CUSTOMER, Role.BOT, Role.AGENT])
)
REQUESTS = st.builds(
    a_request,
    st.text(max_size=300),
    history=st.lists(MESSAGES, max_size=6),
    passages=st.lists(st.text(max_size=120), min_size=1, max_size=5),
)


@given(request=REQUESTS, limit=st.integers(0, 400))
def test_what_stays_fits_and_is_an_end_or_a_beginning_of_what_was_there(request, limit):
    trimmed = within_input(request, limit)

    least = within_input(replace(request, question="", history=()), 0)
    room = limit - input_tokens(least) - PER_TEXT
    assert input_tokens(trimmed) <= limit or room < estimated_tokens("\U0010ffff")
    assert request.question.endswith(trimmed.question)
    assert trimmed.history == request.history[len(request.history) - len(trimmed.history) :]
    assert trimmed.evidence.passages == request.evidence.passages[: len(trimmed.evidence.passages)]
    assert trimmed.evidence.passages
