"""The retrieval query: what counts for the window, what is left out and why, and what is cut when room is short."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from bot.core.conversation import Kind, Role
from bot.core.retrieval_query import (
    WindowRules,
    answers_a_question,
    as_bare_reply,
    blended,
    is_refusal,
    retrieval_query,
    stands_out,
)
from bot.core.rules import carries_text
from bot.core.turn import DroppedMessage
from tests.builders import a_bot_message, a_message

VOCABULARY = Path(__file__).parents[2] / "bot/adapters/local_embedder/files/vocab.txt"
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


def tokens(text):
    return math.ceil(1.3 * len(text.split())) + 2


def rules(**fields):
    window = WindowRules(
        is_refusal_echo=lambda text: "nothing matches" in text.casefold(),
        carries_text=carries_text,
        count_tokens=tokens,
        token_limit=256,
    )
    return replace(window, **fields)


def query_of(*history, bare=None, **fields):
    """Return the query of a conversation that ends in its current message; each message gets its place as seq."""
    numbered = [replace(m, seq=seq) for seq, m in enumerate(history, start=1)]
    *earlier, current = numbered
    return retrieval_query(earlier, current, current.text if bare is None else bare, rules(**fields))


def test_the_first_turn_is_the_message_itself():
    query = query_of(a_message("How do I reschedule a class?"))

    assert (query.text, query.used, query.dropped) == ("How do I reschedule a class?", (1,), ())


def test_the_bare_yes_is_searched_with_the_question_that_it_answers():
    """DESIGN §2.1: alone, "no its more than 24 hours" found three articles on something else."""
    query = query_of(
        a_message("How do I reschedule a class?"),
        a_bot_message("Is it less than 24 hours before your lesson?"),
        a_message("no its more than 24 hours"),
    )

    assert query.text == (
        "How do I reschedule a class?\nIs it less than 24 hours before your lesson?\nno its more than 24 hours"
    )
    assert query.bare == "no its more than 24 hours"


def test_the_last_four_text_messages_count_and_the_current_one_is_last():
    query = query_of(*(a_message(f"message {n}") for n in range(1, 7)))

    assert (query.text, query.used) == ("message 3\nmessage 4\nmessage 5\nmessage 6", (3, 4, 5, 6))
    assert query.dropped == (
        DroppedMessage(seq=1, why="older_than_window"),
        DroppedMessage(seq=2, why="older_than_window"),
    )


def test_an_agents_words_count():
    query = query_of(a_message("My tutor is ill", role=Role.AGENT), a_message("what now?"))

    assert query.text == "My tutor is ill\nwhat now?"


@pytest.mark.parametrize("kind", [k for k in Kind if k is not Kind.TEXT], ids=str)
def test_only_text_messages_count(kind):
    query = query_of(a_message("one"), a_bot_message("Pick a topic", kind=kind), a_message("two"))

    assert (query.text, query.dropped) == ("one\ntwo", (DroppedMessage(seq=2, why=f"kind_{kind}"),))


def test_what_is_left_out_takes_no_place_in_the_window():
    notice = a_bot_message("You are talking to a bot", kind=Kind.NOTICE)
    query = query_of(
        a_message("one"), notice, a_message("two"), notice, a_message("three"), a_message("four")
    )

    assert query.text == "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(a_bot_message("A person will help you.", refusal=True), id="flagged"),
        pytest.param(a_bot_message("Nothing matches your records."), id="known by its phrase"),
    ],
)
def test_a_refusal_echo_never_counts(refusal):
    query = query_of(a_message("one"), refusal, a_message("two"))

    assert (query.text, query.dropped) == ("one\ntwo", (DroppedMessage(seq=2, why="refusal_echo"),))


@pytest.mark.parametrize("role", [Role.CUSTOMER, Role.AGENT], ids=str)
def test_only_the_bot_echoes_refusals(role):
    quoted = a_message("It says: nothing matches your records", role=role)

    assert not is_refusal(quoted, rules().is_refusal_echo)
    assert query_of(quoted, a_message("why?")).used == (1, 2)


@pytest.mark.parametrize("text", [" \n\t", "👍", "🎉🎉", "?!", "\u200b", ""], ids=ascii)
def test_a_message_without_words_carries_nothing(text):
    query = query_of(a_message("one"), a_message(text), a_message("two"))

    assert (query.text, query.dropped) == ("one\ntwo", (DroppedMessage(seq=2, why="no_words"),))


def test_two_identical_messages_in_a_row_count_once():
    query = query_of(a_message("zero"), a_message("Hello?"), a_message(" hello? "), a_message("three"))

    assert (query.text, query.used) == ("zero\nhello?\nthree", (1, 3, 4))
    assert query.dropped == (DroppedMessage(seq=2, why="repeat"),)


def test_the_current_message_survives_its_own_repetition():
    query = query_of(a_message("my card"), a_message("MY  card"))

    assert (query.text, query.used) == ("MY  card", (2,))


def test_a_repetition_across_a_refusal_counts_once():
    query = query_of(a_message("my card"), a_bot_message("...", refusal=True), a_message("my card"))

    assert query.used == (3,)


def test_the_same_words_of_somebody_else_are_no_repetition():
    query = query_of(a_message("more than 24 hours"), a_bot_message("More than 24 hours"), a_message("yes"))

    assert query.used == (1, 2, 3)


def test_words_said_before_but_not_in_a_row_count_again():
    query = query_of(a_message("refund"), a_bot_message("For which lesson?"), a_message("refund"))

    assert query.used == (1, 2, 3)


LONG = " ".join(f"w{n}" for n in range(40))
END_OF_LONG = " ".join(f"w{n}" for n in range(10, 40))


@pytest.mark.parametrize("role", [Role.BOT, Role.AGENT], ids=str)
def test_of_what_others_wrote_the_end_counts_where_questions_stand(role):
    """A long answer would drown the question that follows it."""
    query = query_of(a_message("one"), a_message(f" {LONG}\n", role=role), a_message("two"))

    assert query.text == f"one\n{END_OF_LONG}\ntwo"
    assert (query.used, query.dropped) == ((1, 2, 3), ())


def test_what_others_wrote_stays_as_it_is_when_it_is_short():
    query = query_of(a_bot_message("Is it\n  less?"), a_message("yes"), told_words=3)

    assert query.text == "Is it\n  less?\nyes"


def test_of_what_the_customer_wrote_every_word_counts():
    query = query_of(a_message(LONG), a_message(LONG + " more"), told_words=3)

    assert query.text == f"{LONG}\n{LONG} more"


def test_what_others_told_is_known_beside_the_window():
    agent = a_message("My tutor is ill.", role=Role.AGENT)
    query = query_of(a_message("one"), a_bot_message(LONG), agent, a_message("two"))

    assert query.told == f"{END_OF_LONG}\nMy tutor is ill."


def test_what_was_cut_or_left_out_was_not_told():
    refusal = a_bot_message("Nothing matches.")
    older = a_bot_message("a b c d e f")

    assert query_of(a_message("one"), refusal, a_message("two")).told == ""
    assert query_of(older, a_message("g h i"), token_limit=9).told == "e f"
    assert query_of(older, a_message("g h i j k l"), token_limit=10).told == ""


def test_a_message_has_its_own_words_and_is_no_bare_reply_until_it_is_read_as_one():
    query = query_of(a_message("refund"), a_bot_message("For which lesson?"), a_message("it"), bare="so, it")

    assert (query.own, query.bare, query.is_bare_reply) == ("so, it", "so, it", False)


def as_reply(*history, **fields):
    """Return the query of a conversation whose last message is read as a bare reply."""
    return as_bare_reply(query_of(*history, **fields))


def test_the_own_words_of_a_bare_reply_are_all_that_the_customer_wrote_in_the_window():
    query = as_reply(
        a_message("long ago"),
        a_message(" How do I reschedule?"),
        a_bot_message("Is it less than 24 hours before?"),
        a_message("yes"),
        messages=3,
    )

    assert (query.own, query.is_bare_reply) == ("How do I reschedule?\nyes", True)
    assert (query.bare, query.text.count("\n")) == ("yes", 2)


def test_the_own_words_of_a_bare_reply_fit_the_embedder_as_the_window_does():
    query = as_reply(a_message("a b c d e"), a_bot_message("f g?"), a_message("h"), token_limit=7)

    assert query.own.splitlines() == [line for line in query.text.splitlines() if line != "f g?"]
    assert len(query.own.split()) < len(["a", "b", "c", "d", "e", "h"])


def test_the_own_words_of_a_bare_reply_to_somebody_else_s_first_words_are_the_reply():
    assert as_reply(a_bot_message("May I help?"), a_message("yes")).own == "yes"


def answers(*history, **fields):
    numbered = [replace(m, seq=seq) for seq, m in enumerate(history, start=1)]
    return answers_a_question(query_of(*history, **fields), numbered[:-1])


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Which tutor?", True),
        ("Open My Lessons. Did that help? ", True),
        ("Is it **less than 24 hours?**", True),
        ('Do you mean "my lessons?"', True),
        ("Is it soon? If so, open My Lessons.", False),
        ("Open My Lessons.", False),
    ],
)
@pytest.mark.parametrize("role", [Role.BOT, Role.AGENT], ids=str)
def test_a_reply_answers_a_question_when_the_message_before_it_ends_in_one(role, said, asked):
    assert answers(a_message("hi"), a_message(said, role=role), a_message("Tom")) is asked


def test_a_question_of_the_customers_own_is_not_one_that_is_answered():
    assert not answers(a_bot_message("Which tutor?"), a_message("Which one?"), a_message("Tom"))
    assert not answers(a_message("Tom"))


def test_what_is_left_out_of_the_window_stands_not_between_a_question_and_its_answer():
    asked = a_bot_message("Which tutor?")
    notice = a_bot_message("You are talking to a bot", kind=Kind.NOTICE)

    assert answers(asked, notice, a_message("👍"), a_message("Tom"))
    assert not answers(a_message("x"), a_bot_message("Nothing matches?"), a_message("Tom"))


def test_who_says_what_was_missing_answers_a_question_though_it_never_stands_in_a_query():
    prompt = a_bot_message("What was missing?", kind=Kind.FEEDBACK)
    no = a_message("no", kind=Kind.FEEDBACK)

    assert answers(a_message("hi"), a_bot_message(), no, prompt, a_message("Tom"))
    assert not answers(a_message("hi"), a_bot_message(), no, a_message("Tom"))


def test_the_oldest_words_are_cut_first():
    query = query_of(a_message("a b c d e"), a_message("f g"), a_message("h i"), token_limit=10)

    assert (query.text, query.used) == ("d e\nf g\nh i", (1, 2, 3))


def test_a_message_of_which_nothing_fits_is_left_out():
    query = query_of(a_message("a b"), a_message("c d e"), a_message("f g h i j k"), token_limit=10)

    assert (query.text, query.used) == ("f g h i j k", (3,))
    assert query.dropped == (
        DroppedMessage(seq=1, why="token_limit"),
        DroppedMessage(seq=2, why="token_limit"),
    )


def test_a_current_message_beyond_the_limit_stays_whole():
    current = " ".join(f"word{n}" for n in range(50))

    assert query_of(a_message("before"), a_message(current), token_limit=10).text == current


def test_the_real_tokenizer_decides_what_fits():
    """Its pieces are shorter than words: by words alone all of this would seem to fit."""
    wordpiece = BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)

    def count(text):
        return len(wordpiece.encode(text).ids)

    older = "Terminvereinbarungsbestätigung " * 40
    query = query_of(a_message(older), a_message("wo finde ich das?"), count_tokens=count)

    assert count(f"{older.strip()}\nwo finde ich das?") > 256
    assert 240 < count(query.text) <= 256
    assert query.text.endswith("\nwo finde ich das?")


MESSAGES = st.builds(
    a_message,
    st.one_of(ANY_TEXT, st.sampled_from(["yes", "nothing matches", "a b c d e f g h", "👍"])),
    role=st.sampled_from(Role),
    kind=st.sampled_from([Kind.TEXT, Kind.TEXT, Kind.TEXT, *Kind]),
    refusal=st.booleans(),
)


@given(st.lists(MESSAGES, min_size=1, max_size=9), st.integers(1, 30), st.integers(1, 5))
def test_whatever_was_said_the_window_keeps_its_promises(history, limit, messages):
    query = query_of(*history, token_limit=limit, messages=messages)
    current = history[-1].text.strip()
    dropped = [d.seq for d in query.dropped]

    assert query.text == current or query.text.endswith(f"\n{current}")
    assert query.text == current or tokens(query.text) <= limit
    assert query.used[-1] == len(history)
    assert len(query.used) <= messages
    assert list(query.used) == sorted(query.used)
    assert dropped == sorted(dropped)
    assert sorted([*query.used, *dropped]) == list(range(1, len(history) + 1))
    assert all(d.why for d in query.dropped)


@pytest.mark.parametrize(
    ("cosines", "does"),
    [
        pytest.param((0.7, 0.4, 0.4, 0.4), True, id="far ahead of the rest"),
        pytest.param((0.7, 0.7, 0.4, 0.4), True, id="with a twin"),
        pytest.param((0.7, 0.7, 0.7, 0.3), False, id="one of several"),
        pytest.param((0.5, 0.5, 0.25), True, id="just so far"),
        pytest.param((0.9, 0.2), False, id="with nothing to compare with"),
        pytest.param((), False, id="nothing found"),
    ],
)
def test_a_message_stands_out_when_its_best_match_leads_those_from_the_third_on(cosines, does):
    assert stands_out(cosines, 0.25) is does


def a_unit_vector():
    numbers = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda v: math.hypot(*v) > 0.01)
    return numbers.map(lambda v: tuple(x / math.hypot(*v) for x in v))


def dot(left, right):
    return sum(a * b for a, b in zip(left, right, strict=True))


@given(a_unit_vector(), a_unit_vector(), a_unit_vector(), st.floats(0, 1))
def test_the_score_of_a_blend_is_the_weighted_mean_of_both_cosines(window, bare, passage, weight):
    blend = blended(window, bare, window_weight=weight)
    mean = weight * dot(window, passage) + (1 - weight) * dot(bare, passage)

    assert dot(blend, passage) == pytest.approx(mean, abs=1e-9)
    assert -1 - 1e-9 <= dot(blend, passage) <= 1 + 1e-9


def test_a_blend_of_different_vectors_is_shorter_than_one():
    """Scaled to length one it would score every passage too high."""
    assert math.hypot(*blended((1.0, 0.0), (0.0, 1.0), window_weight=0.5)) < 0.71


def test_a_weight_of_one_is_the_window_alone():
    assert blended((0.6, 0.8), (1.0, 0.0), window_weight=1.0) == (0.6, 0.8)


def test_vectors_of_different_length_are_never_blended():
    with pytest.raises(ValueError, match="shorter"):
        blended((1.0, 0.0), (1.0,), window_weight=0.7)
