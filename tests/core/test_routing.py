"""Who takes a turn before anything is searched, with the real phrase tables; every unanswered message is examined."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.prompt_files import load_rules
from bot.core.conversation import Kind
from bot.core.outcome import Courtesy, CourtesyKind, Handoff, ReasonCode
from bot.core.routing import Permits, Question, route
from tests.builders import a_message

RULES = load_rules(Path(__file__).parents[2] / "prompts")
PERSON = "I want to talk to a person"
QUESTION = "How do I reschedule a class?"
REFUND_DEMAND = "I want my money back now"
GREETING = Courtesy(kind=CourtesyKind.GREETING)
THANKS = Courtesy(kind=CourtesyKind.THANKS)
CATEGORY = Courtesy(kind=CourtesyKind.CATEGORY)
WHAT_WAS_MISSING = Courtesy(kind=CourtesyKind.WHAT_WAS_MISSING)
UNSUPPORTED = Handoff(reason=ReasonCode.UNSUPPORTED_MESSAGE)
ASKED = Handoff(reason=ReasonCode.CUSTOMER_ASKED)
UNRESOLVED = Handoff(reason=ReasonCode.UNRESOLVED)

a_file = a_message("receipt.pdf", kind=Kind.FILE)
a_button = a_message("", kind=Kind.PERSON_REQUEST)
helped = a_message("yes", kind=Kind.FEEDBACK)
did_not_help = a_message("no", kind=Kind.FEEDBACK)
payments = a_message("Payments", kind=Kind.CATEGORY)


def routed(*said, prompted=False, doubted=False, follows_records=False, **permits):
    """Route the messages; a text stands for a text message, and each gets its place as seq."""
    messages = [a_message(m) if isinstance(m, str) else m for m in said]
    numbered = [replace(m, seq=seq) for seq, m in enumerate(messages, start=1)]
    return route(
        numbered,
        RULES,
        Permits(**permits),
        prompted=prompted,
        doubted=doubted,
        follows_records=follows_records,
    )


def questioned(*said, **how):
    result = routed(*said, **how)
    assert isinstance(result, Question)
    return result


@pytest.mark.parametrize(
    "said",
    [
        pytest.param([PERSON], id="alone"),
        pytest.param(["can I get a person", "thanks"], id="thanks after it"),
        pytest.param([PERSON, QUESTION], id="a question after it"),
        pytest.param(["hi", PERSON], id="a greeting before it"),
        pytest.param([REFUND_DEMAND, PERSON], id="a rule before it"),
        pytest.param([a_button], id="the button"),
        pytest.param([a_button, "hello?"], id="text after the button"),
        pytest.param([did_not_help, PERSON], id="after feedback"),
        pytest.param([a_file, PERSON], id="after a file"),
        pytest.param([a_message("Talk to a person", kind=Kind.CATEGORY)], id="a category that says so"),
    ],
)
def test_a_person_asked_for_in_any_unanswered_message_wins(said):
    assert routed(*said) == ASKED


def test_a_person_may_be_asked_for_while_the_bot_is_off():
    assert routed(PERSON, bot_enabled=False, capped="40 turns in a day") == ASKED


@pytest.mark.parametrize(
    "said", [[REFUND_DEMAND], [REFUND_DEMAND, "thanks"], ["hi", REFUND_DEMAND], [did_not_help, REFUND_DEMAND]], ids=str
)  # fmt: skip
def test_a_rule_hands_over_and_is_named(said):
    assert routed(*said) == Handoff(reason=ReasonCode.ESCALATION_RULE, rule="refund_demand")


def test_the_first_rule_that_was_met_is_named():
    handoff = routed("I was charged twice", REFUND_DEMAND)

    assert handoff.rule == "payment_dispute"


def test_a_rule_word_in_an_older_message_never_fires():
    """Only unanswered messages are looked at: the refund was answered turns ago."""
    assert isinstance(routed(REFUND_DEMAND), Handoff)
    assert questioned("no its more than 24 hours").bare == "no its more than 24 hours"


@pytest.mark.parametrize(
    "said",
    [[did_not_help], [did_not_help, did_not_help], [did_not_help, "hi"], [did_not_help, payments]],
    ids=str,
)
def test_the_first_time_that_it_did_not_help_the_bot_asks_what_was_missing(said):
    assert routed(*said) == WHAT_WAS_MISSING


@pytest.mark.parametrize(
    "said",
    [
        [did_not_help],
        [did_not_help, "I asked about group classes"],
        [did_not_help, a_file],
        [helped, did_not_help],
    ],
    ids=str,
)
def test_the_second_time_hands_over(said):
    assert routed(*said, doubted=True) == UNRESOLVED


def test_who_says_at_once_what_was_missing_is_not_asked_for_it():
    assert questioned(did_not_help, "I asked about group classes").bare == "I asked about group classes"


def test_a_doubt_alone_hands_nothing_over():
    assert questioned("I asked about group classes", doubted=True).bare == "I asked about group classes"
    assert routed(helped, doubted=True) == THANKS


@pytest.mark.parametrize("said", [[did_not_help, PERSON], [did_not_help, a_button]], ids=["words", "button"])
def test_a_person_asked_for_after_two_answers_that_did_not_help_was_asked_for(said):
    assert routed(*said, doubted=True) == ASKED


def test_a_no_in_words_is_a_reply_and_no_feedback():
    assert questioned("no").bare == "no"


def test_feedback_that_it_helped_is_thanked_for():
    assert routed(helped) == THANKS


def test_a_question_after_friendly_feedback_is_answered():
    assert questioned(helped, QUESTION).bare == QUESTION


@pytest.mark.parametrize(
    ("permits", "detail"),
    [
        ({"bot_enabled": False}, "BOT_ENABLED is off"),
        ({"capped": "40 turns in a day"}, "40 turns in a day"),
        ({"bot_enabled": False, "capped": "40 turns in a day"}, "40 turns in a day"),
    ],
    ids=["kill switch", "cap", "both"],
)
@pytest.mark.parametrize(
    "said", [QUESTION, "hi", "👍", a_file], ids=["question", "greeting", "emoji", "file"]
)
def test_a_bot_that_may_not_speak_hands_over(said, permits, detail):
    assert routed(said, **permits) == Handoff(reason=ReasonCode.BOT_PAUSED, detail=detail)


@pytest.mark.parametrize("text", ["hi", "Hola!", "good morning", "Guten Tag", "bonjour", "HELLO"])
def test_a_bare_greeting_is_greeted(text):
    assert routed(text) == GREETING


@pytest.mark.parametrize("text", ["thanks", "thank you so much!", "gracias", "Danke", "merci", "obrigado"])
def test_bare_thanks_are_returned(text):
    assert routed(text) == THANKS


def test_a_greeting_and_thanks_are_greeted():
    assert routed("hi", "thanks") == GREETING


@pytest.mark.parametrize("text", ["hi, where is my invoice?", "thanks, but where is my invoice?"])
def test_a_courtesy_before_a_question_does_not_hide_it(text):
    assert questioned(text).bare == text


def test_thanks_after_a_question_leave_the_question_current():
    question = questioned(QUESTION, "thanks")

    assert (question.current.seq, question.bare) == (1, QUESTION)


def test_a_burst_is_one_question():
    question = questioned("hi", f" {QUESTION} ", "🙏", "it starts tomorrow", "thanks")

    assert (question.current.seq, question.bare) == (4, f"{QUESTION}\nit starts tomorrow")


@pytest.mark.parametrize(
    "said", [[payments], ["hi", payments], [payments, "thanks"], [payments, "👍"]], ids=str
)
def test_a_category_is_no_question_but_asks_for_one(said):
    assert routed(*said) == CATEGORY
    assert routed(*said, retrieval_enabled=False) == CATEGORY


def test_a_question_about_a_category_stands_without_it():
    chosen = questioned(payments, QUESTION, payments)

    assert (chosen.current.kind, chosen.bare) == (Kind.TEXT, QUESTION)


@pytest.mark.parametrize("said", [["👍"], ["👍", "❤️"], ["🎉🎉"], ["..."]], ids=str)
def test_a_reply_without_words_to_a_prompt_cannot_be_read(said):
    assert routed(*said, prompted=True) == UNSUPPORTED


def test_a_thumb_that_answers_no_prompt_is_thanks():
    assert routed("👍") == THANKS


def test_words_after_a_prompt_are_read():
    assert questioned("👍", "yes", prompted=True).bare == "yes"
    assert routed("thanks", prompted=True) == THANKS
    assert routed(helped, prompted=True) == THANKS


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(["🎉"], id="an emoji that means nothing"),
        pytest.param([" \n"], id="space"),
        pytest.param(["\u200b"], id="zero width"),
        pytest.param(["?!"], id="marks"),
        pytest.param([a_file], id="a file"),
        pytest.param([a_file, a_file], id="files"),
        pytest.param(["hi", a_file], id="a greeting and a file"),
        pytest.param([a_file, "thanks"], id="a file and thanks"),
    ],
)
def test_a_message_that_cannot_be_read_goes_to_a_person(said):
    assert routed(*said) == UNSUPPORTED


def test_a_question_beside_a_file_is_answered():
    assert questioned(a_file, QUESTION).bare == QUESTION


@pytest.mark.parametrize(
    "said", [["How many lessons do I have left?"], ["How many lessons do I have left?", QUESTION]]
)
def test_a_question_about_the_customers_own_records_is_marked(said):
    assert questioned(*said).computed


@pytest.mark.parametrize(
    "said",
    [
        "Which 10 are next?",
        "and after those?",
        "Who teaches them?",
        "¿Y la siguiente?",
        "Et les 5 suivants ?",
    ],
)
def test_a_message_that_names_little_goes_on_with_what_records_told(said):
    assert questioned(said, follows_records=True).computed
    assert not questioned(said).computed


def test_a_full_question_after_what_records_told_stands_by_itself():
    assert not questioned("How do I reschedule a class?", follows_records=True).computed


def test_a_retry_alone_asks_what_it_is_about():
    retry = a_message("Try again", kind=Kind.RETRY)

    assert routed(retry) == Courtesy(kind=CourtesyKind.CATEGORY)


def test_another_question_is_not_marked():
    assert not questioned(QUESTION).computed


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.sampled_from([PERSON, QUESTION, REFUND_DEMAND, "hi", "thanks", "👍", "no", "yes"]),
)
MESSAGES = st.builds(a_message, TEXTS, kind=st.sampled_from([Kind.TEXT, Kind.TEXT, *Kind]))
BURSTS = st.lists(MESSAGES, min_size=1, max_size=4)


@given(BURSTS, st.booleans(), st.booleans(), st.booleans())
def test_whatever_customers_write_is_routed(burst, prompted, doubted, enabled):
    result = routed(*burst, prompted=prompted, doubted=doubted, bot_enabled=enabled)

    assert isinstance(result, Question | Courtesy | Handoff)
    if isinstance(result, Question):
        assert enabled
        assert result.bare.endswith(result.current.text.strip())
        assert result.current.text.strip()
        assert result.current.kind is Kind.TEXT
    if isinstance(result, Handoff):
        assert (result.rule is not None) is (result.reason is ReasonCode.ESCALATION_RULE)
        assert doubted or result.reason is not ReasonCode.UNRESOLVED


@given(BURSTS, st.booleans())
def test_unresolved_is_said_only_after_a_second_no(burst, doubted):
    result = routed(*burst, doubted=doubted)

    if result == UNRESOLVED:
        assert doubted
        assert any(m.verdict is False for m in burst)


@given(BURSTS, BURSTS)
def test_nothing_said_around_it_hides_a_request_for_a_person(before, after):
    assert routed(*before, PERSON, *after) == ASKED
