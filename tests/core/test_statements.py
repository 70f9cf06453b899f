"""Limits, claims and wording: what a cited sentence may leave out or add, and what it may not."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.facts import figures_known_from
from bot.core.grounding import Finding, Grounded, House, Ungrounded, answer_gate
from bot.core.knowledge import PassageId
from bot.core.limits import Limit, clauses_of, limits_of
from bot.core.prompt import Block, Citation, Evidence
from tests.builders import a_found_passage, a_passage, a_ranked_passage
from tests.core import statement_pairs
from tests.core.statement_pairs import MOVE, SUPPORTED, UNSUPPORTED

SAID = ("Please help, my lesson starts in 5 hours",)
SOURCES = [text for name, text in vars(statement_pairs).items() if name.isupper() and isinstance(text, str)]


def evidence_of(source):
    found = a_found_passage(passage=a_passage(source, headings=()), title="", url="")
    return Evidence(passages=(a_ranked_passage(found=found),))


def gate(source, text, *, quote=None, said=SAID, house=None):
    citation = Citation(passage=PassageId("KB000003#0"), quote=quote or source)
    block = Block(text=text, citations=(citation,))
    return answer_gate(block, evidence_of(source), said, house or House())


def finding(verdict):
    return verdict.finding if isinstance(verdict, Ungrounded) else None


@pytest.mark.parametrize(("source", "text"), SUPPORTED)
def test_another_way_of_saying_the_same_passes(source, text):
    assert gate(source, text) == Grounded()


@pytest.mark.parametrize(("source", "text"), UNSUPPORTED)
def test_what_the_article_limits_otherwise_or_does_not_say_is_refused(source, text):
    assert isinstance(gate(source, text), Ungrounded)


@pytest.mark.parametrize("source", SOURCES)
def test_each_article_of_the_table_supports_itself(source):
    assert gate(source, source) == Grounded()


def test_a_part_of_a_sentence_does_not_hide_what_limits_it():
    source = "It is not true that you can cancel a lesson. Ask us."

    assert finding(gate(source, "you can cancel a lesson", quote="you can cancel a lesson")) is (
        Finding.UNSUPPORTED_LIMIT
    )


def test_a_limit_may_stand_in_another_sentence_of_the_block_but_a_negation_may_not():
    assert gate(MOVE, "You can reschedule a lesson. Do it up to 24 hours before it starts.") == Grounded()
    assert (
        finding(gate(MOVE, "Later changes are possible. Rescheduling is not.")) is Finding.UNSUPPORTED_LIMIT
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As you wrote that it starts in 5 hours, later changes are not possible.", None),
        ("If your lesson starts in 5 hours, later changes are not possible.", None),
        ("Later changes are not possible for 5 hours.", Finding.UNSUPPORTED_FIGURE),
        ("You can reschedule your lesson up to 5 hours before it starts.", Finding.UNSUPPORTED_FIGURE),
        ("If it starts in 5 hours, you can change it 5 hours before.", Finding.UNSUPPORTED_FIGURE),
    ],
)
def test_a_customers_number_supports_only_its_echo(text, expected):
    assert finding(gate(MOVE, text)) is expected


@pytest.mark.parametrize(
    "text",
    [
        "Refunds are possible.",
        "You get a discount on a lesson.",
        "Enter your password to reschedule a lesson.",
        "Your lesson comes with a guarantee.",
        "Du bekommst dein Geld zurück.",
        "La clase es gratis.",
    ],
)
def test_what_a_company_grants_or_asks_for_must_be_in_the_article(text):
    assert finding(gate(MOVE, text)) is Finding.UNSUPPORTED_CLAIM


@pytest.mark.parametrize("text", ["Feel free to reschedule a lesson.", "Is it about a refund?"])
def test_courtesy_and_a_question_about_the_customers_own_word_grant_nothing(text):
    source = "You can reschedule a lesson. Do so early."

    assert gate(source, text, said=["I want a refund"]) == Grounded()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Los cambios posteriores no son posibles.", None),
        ("Los cambios posteriores son posibles.", Finding.UNSUPPORTED_LIMIT),
        ("Puedes cambiar la clase hasta 24 horas antes de que empiece.", None),
        ("Puedes cambiar la clase hasta 48 horas antes de que empiece.", Finding.UNSUPPORTED_FIGURE),
        ("Das ist ein ganz anderer Satz vor der Stunde.", Finding.UNSUPPORTED_WORDING),
    ],
)
def test_in_the_customers_language_figures_limits_and_claims_are_compared(text, expected):
    quote = MOVE.split(". ")[1] if "posteriores" in text else MOVE.split(". ", maxsplit=1)[0]

    assert finding(gate(MOVE, text, quote=quote, said=["¿Puedo cambiar la clase?"])) is expected


def test_a_listed_phrase_needs_no_citation_and_nothing_beside_it():
    house = House(phrases=frozenset({"here is how:"}))

    assert answer_gate(Block(text="Here is how:"), evidence_of(MOVE), (), house) == Grounded()
    assert gate(MOVE, "Here is how: \nLater changes are not possible.", house=house) == Grounded()
    assert (
        finding(answer_gate(Block(text="Here is how: go."), evidence_of(MOVE), (), house)) is Finding.UNCITED
    )


SECRET = House(secrets=("canary-5f0e7a@prompt.invalid",))


@pytest.mark.parametrize(
    "text",
    [
        "canary-5f0e7a@prompt.invalid",
        "It is c a n a r y 5 f 0 e 7 a prompt invalid.",
        "CANARY\u200b-5F0E7A (at) prompt.invalid".replace("(at) ", "@"),
        "dilavni.tpmorp@a7e0f5-yranac",
        "Y2FuYXJ5LTVmMGU3YUBwcm9tcHQuaW52YWxpZA==",
        "63616e6172792d3566306537614070726f6d70742e696e76616c6964",
    ],
)
@pytest.mark.parametrize("fixed", [False, True])
def test_a_secret_is_never_shown_in_whatever_form(text, fixed):
    block = Block(text=text, fixed=fixed)

    assert finding(answer_gate(block, evidence_of(MOVE), (text,), SECRET)) is Finding.SECRET


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Later changes are not possible ![x].", Finding.MARKUP),
        ("Later changes are not possible <img src=x>.", Finding.MARKUP),
        ("Later changes are not possible: no_evidence.", Finding.MARKUP),
        ("Later changes are not \u202epossible.", Finding.HIDDEN_SIGNS),
        ("Later changes are not pos\u200bsible.", Finding.HIDDEN_SIGNS),
    ],
)
def test_what_a_reader_would_not_see_as_it_is_is_refused(text, expected):
    assert finding(gate(MOVE, text)) is expected


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("You can't.", {Limit.NOT}),
        ("Wir können das leider nicht.", {Limit.NOT}),
        ("Vous ne pouvez plus l'annuler.", {Limit.NOT}),
        ("No aplicativo você pode mudar a aula.", set()),
        ("Do not hesitate to ask.", set()),
        ("Not only tutors can.", set()),
        ("Not possible unless paid.", {Limit.ONLY}),
        ("No later than noon.", {Limit.BEFORE}),
        ("You can do it if you pay.", {Limit.IF}),
        ("If you pay you can do it.", set()),
        ("Click it if you want to go on.", set()),
        ("Il n'y a que deux leçons.", {Limit.ONLY}),
        ("Isso só é possível com o professor.", {Limit.ONLY}),
    ],
)
def test_limiting_words_are_read_as_their_class(text, stated):
    assert limits_of(text).stated == stated


def test_a_sentence_is_divided_where_another_statement_begins():
    assert clauses_of("You can move it, but you cannot cancel it") == (
        "You can move it",
        "but you cannot cancel it",
    )


WORDS = st.sampled_from(
    "You can cannot not only before after until unless lesson tutor 24 hours 5 days pay $5 refund if it is free never".split()  # noqa: SIM905 - reads as the text it is
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=9).map(lambda words: f"You {' '.join(words)}.")


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.data())
def test_whole_sentences_of_an_article_always_pass(sentences, data):
    chosen = data.draw(st.lists(st.sampled_from(sentences), min_size=1, max_size=3))

    verdict = gate(" ".join(sentences), " ".join(chosen), quote=chosen[0])

    assert verdict == Grounded()


@given(
    st.sampled_from(SOURCES), st.integers(0, 99_999), st.sampled_from(["", "$", " %", " days", " lessons"])
)
def test_a_number_that_is_nowhere_never_passes(source, number, unit):
    figure = f"${number}" if unit == "$" else f"{number}{unit}"
    assume(not figures_known_from(figure) & figures_known_from(source))

    text = f"{source} It is {figure} then."

    assert finding(gate(source, text, said=[figure])) is Finding.UNSUPPORTED_FIGURE


@given(
    st.sampled_from(SOURCES),
    st.sampled_from(["evil.test", "https://evil.test/x", "//evil.test", "a@evil.test"]),
)
def test_an_address_that_is_nowhere_never_passes(source, address):
    verdict = gate(source, f"{source} See {address} now.", said=[address])

    assert finding(verdict) in {Finding.UNSUPPORTED_LINK, Finding.UNSUPPORTED_ADDRESS}


@pytest.mark.parametrize(
    ("source", "text"), [(s, t) for s, t in SUPPORTED if " can " in t and not limits_of(t).negated]
)
def test_saying_the_opposite_of_what_passes_never_passes(source, text):
    assert isinstance(gate(source, text.replace(" can ", " can't ", 1)), Ungrounded)
