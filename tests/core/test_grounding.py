"""The answer gate: what a draft may say, and what it may not, whatever an answerer emits."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.core.facts import figures_in, without_step_numbers
from bot.core.grounding import (
    Finding,
    Grounded,
    Ungrounded,
    answer_gate,
    draft_gate,
    is_question,
    question_gate,
)
from bot.core.knowledge import PassageId
from bot.core.prompt import Asked, Block, Citation, Evidence
from tests.builders import a_found_passage, a_passage, a_ranked_passage

TEXT = """Moving a lesson costs $5, or 10% of its price, up to 24 hours before it starts. Groups of 3 to 8 pay 1,200 EUR.

1. Open **My lessons** at [the site](https://parlato.example/lessons).
2. Call +1 (555) 010-2030 on weekdays from 9:30, or write to help@parlato.example by March 5, 2027.

Our team will contact you within two days."""
EVIDENCE = Evidence(
    passages=(
        a_ranked_passage(found=a_found_passage(passage=a_passage(TEXT))),
        a_ranked_passage(
            found=a_found_passage(passage=a_passage("A trial takes 25 minutes.", id=PassageId("KB1#0")))
        ),
    )
)
QUOTE = "Moving a lesson costs $5"


def gate(text, *citations, said=(), **fields):
    """Check a block that cites *citations*, or the first passage's first words when none are given."""
    cited = citations or (Citation(passage=PassageId("KB000003#0"), quote=QUOTE),)
    return answer_gate(Block(text=text, citations=cited, **fields), EVIDENCE, said)


def finding(verdict):
    return verdict.finding if isinstance(verdict, Ungrounded) else None


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.",
        "It costs 5 dollars, which is 10 % of the price.",
        "You need to do it at least 24 hours before; a 24-hour limit applies.",
        "A group pays 1200 euros, that is €1,200.00.",
        "Groups have 3 to 8 people.",
        "Please phone +1 555 010 2030.",
        "Write to Help@Parlato.example before 5 March 2027.",
        "See <https://parlato.example/lessons/>.",
        "1. Open the page.\n2. Choose a time.\n3. Confirm.",
        "It takes 2 days.",
        "It opens at 9:30.",
        "It takes a day.",
        "This is in “How to Reschedule a Lesson”, https://help.example/KB000003.",
    ],
)
def test_what_the_cited_passage_says_passes(text):
    assert finding(gate(text)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $6.", Finding.UNSUPPORTED_FIGURE),
        ("It costs €5.", Finding.UNSUPPORTED_FIGURE),
        ("It costs 24 dollars.", Finding.UNSUPPORTED_FIGURE),
        ("It costs 5%.", Finding.UNSUPPORTED_FIGURE),
        ("You have 24 days.", Finding.UNSUPPORTED_FIGURE),
        ("You have three days.", Finding.UNSUPPORTED_FIGURE),
        ("You have \uff12\uff15 hours.", Finding.UNSUPPORTED_FIGURE),
        ("You have 2\u200b5 hours.", Finding.UNSUPPORTED_FIGURE),
        ("You have ٢٥ hours.", Finding.UNSUPPORTED_FIGURE),
        ("A group pays 1.20 EUR.", Finding.UNSUPPORTED_FIGURE),
        ("Call +1 555 2030 010.", Finding.UNSUPPORTED_FIGURE),
        ("Do it by May 5, 2027.", Finding.UNSUPPORTED_FIGURE),
        ("Do it by 5/3/2027.", Finding.UNSUPPORTED_FIGURE),
        ("We are open on Mondays.", Finding.UNSUPPORTED_FIGURE),
        ("It opens at 3:30.", Finding.UNSUPPORTED_FIGURE),
        ("A trial takes 25 minutes.", Finding.UNSUPPORTED_FIGURE),
        ("1. Open it.\n3. Wait 7 minutes.", Finding.UNSUPPORTED_FIGURE),
        ("Write to refunds@parlato.example.", Finding.UNSUPPORTED_ADDRESS),
        ("See https://parlato.example.evil.test/lessons.", Finding.UNSUPPORTED_LINK),
        ("See [the site](https://evil.test).", Finding.UNSUPPORTED_LINK),
        ("See [the site](javascript:alert()).", Finding.UNSUPPORTED_LINK),
        ("![x](//evil.test/x.png)", Finding.UNSUPPORTED_LINK),
        ("Just go to evil-parlato.com.", Finding.UNSUPPORTED_LINK),
        ("[the site][a]\n\n[a]: data:text/html", Finding.UNSUPPORTED_LINK),
        ("See [the article](/articles/KB999999).", Finding.UNSUPPORTED_LINK),
        ("See [the article](/articles/KB000060).", Finding.UNSUPPORTED_LINK),
        ("See <a href='/articles/KB999999'>it</a>.", Finding.UNSUPPORTED_LINK),
        ("See /articles/KB999999.", Finding.UNSUPPORTED_LINK),
    ],
)
def test_what_the_cited_passage_does_not_say_is_refused(text, expected):
    assert finding(gate(text)) is expected


LINKED = "Moving is free. Other rules: see [Less Than 24 Hours](/articles/KB000060#steps-to-take)."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LINKED, None),
        ("Read [the other rules](/articles/KB000060#steps-to-take).", None),
        ("This is in [our article](/articles/KB000003).", None),
        ("Read [the other rules](/articles/KB000061).", Finding.UNSUPPORTED_LINK),
        ("Read [the other rules](//articles/KB000060).", Finding.UNSUPPORTED_LINK),
        ("Read [the other rules](https://evil.test/articles/KB000060).", Finding.UNSUPPORTED_LINK),
        ("You have 60 days, and pay 60 and/or 3.", Finding.UNSUPPORTED_FIGURE),
        ("You pay 60.", Finding.UNSUPPORTED_FIGURE),
    ],
)
def test_links_to_other_articles_are_those_of_the_passage_and_their_ids_are_no_figures(text, expected):
    found = a_found_passage(passage=a_passage(LINKED), url="")
    citation = Citation(passage=found.passage.id, quote="Moving is free.")
    evidence = Evidence(passages=(a_ranked_passage(found=found),))

    assert finding(answer_gate(Block(text=text, citations=(citation,)), evidence, ())) is expected


def test_the_customers_own_words_may_be_repeated():
    assert finding(gate("You wrote that 7 lessons are gone.")) is Finding.UNSUPPORTED_FIGURE
    assert gate("You wrote that 7 lessons are gone.", said=["I lost 7 lessons"]) == Grounded()


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (Citation(passage=PassageId("KB9#0"), quote=QUOTE), Finding.UNKNOWN_PASSAGE),
        (Citation(passage=PassageId("KB1#0"), quote=QUOTE), Finding.MISQUOTED),
        (Citation(passage=PassageId("KB000003#0"), quote="Moving a lesson costs $4"), Finding.MISQUOTED),
        (Citation(passage=PassageId("KB000003#0"), quote=" \n"), Finding.MISQUOTED),
        (Citation(passage=PassageId("KB000003#0"), quote="Moving  a\nlesson costs\u00a0$5"), None),
    ],
)
def test_a_citation_points_into_a_retrieved_passage_verbatim(citation, expected):
    assert finding(gate("Moving has a price.", citation)) is expected
    assert finding(gate("Moving has a price.", citation, fixed=True)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Refunds are always given.", Finding.UNCITED),
        ("", Finding.UNCITED),
        ("Refunds are always given. Is that fine?", Finding.UNCITED),
        ("Is it less than 24 hours before your lesson?", None),
        ("Is it less than 72 hours before your lesson?", Finding.UNSUPPORTED_FIGURE),
    ],
)
def test_an_uncited_block_passes_only_as_a_question(text, expected):
    assert finding(answer_gate(Block(text=text), EVIDENCE, ())) is expected


def test_a_fixed_sentence_passes_without_a_citation():
    assert (
        answer_gate(Block(text="I connect you with a person; 99 wait.", fixed=True), EVIDENCE, ())
        == Grounded()
    )


@pytest.mark.parametrize(
    "text",
    [
        "I'll connect you with a member of our team.",
        "I'll\nconnect you with a member of our **team**.",
        "Let me transfer you to an agent.",
        "One of our agents will get back to you.",
        "A colleague will contact you shortly.",
        "Our support team will reach out, someone will call you.",
        "Someone from our team will be in touch.",
        "I have forwarded this to our support team.",
        "I've escalated your case to a specialist.",
        "I've opened a ticket for you.",
        "You will hear from our team soon.",
        "An agent is on the way.",
        "Te paso con un compañero.",
        "Alguien de nuestro equipo te contactará.",
        "Ich verbinde Sie mit einem Kollegen.",
        "Ein Kollege wird sich bei Ihnen melden.",
        "Je vous mets en relation avec un conseiller.",
        "Un conseiller vous contactera.",
        "Vou transferir você para um atendente.",
        "Um atendente entrará em contato.",
    ],
)
def test_a_promise_of_a_person_is_told_apart(text):
    assert finding(gate(text)) is Finding.PROMISED_PERSON
    assert finding(answer_gate(Block(text=text), EVIDENCE, ())) is Finding.PROMISED_PERSON


@pytest.mark.parametrize(
    "text",
    [
        "Our team will contact you within two days.",
        "You can contact support by mail.",
        "Ask your tutor to accept the new time.",
        "Your tutor gets a message and can accept it.",
        "Connect your calendar with the site.",
        "Pass it on to a friend's phone.",
        "If you want to talk to a person, say so.",
    ],
)
def test_an_articles_own_sentence_and_plain_advice_promise_nobody(text):
    assert finding(gate(text)) is not Finding.PROMISED_PERSON


def test_a_whole_draft_needs_a_citation():
    fixed, cited = (
        Block(text="This is from our article:", fixed=True),
        Block(text=QUOTE, citations=(Citation(passage=PassageId("KB000003#0"), quote=QUOTE),)),
    )

    assert draft_gate([fixed, cited], EVIDENCE, ()) == Grounded()
    assert finding(draft_gate([fixed], EVIDENCE, ())) is Finding.UNCITED
    assert finding(draft_gate([cited, Block(text="Trust me.")], EVIDENCE, ())) is Finding.UNCITED


def test_a_question_to_the_customer_and_its_options_are_checked():
    asked = Asked(
        text="Is it more or less than 24 hours?", options=("More than 24 hours", "Less than 24 hours")
    )

    assert question_gate(asked, EVIDENCE, ()) == Grounded()
    assert (
        finding(question_gate(replace(asked, options=("72 hours",)), EVIDENCE, ()))
        is Finding.UNSUPPORTED_FIGURE
    )
    assert finding(question_gate(replace(asked, text="It is free."), EVIDENCE, ())) is Finding.UNCITED


def test_a_question_ends_every_sentence_with_its_mark():
    assert is_question("Is it today? Or *tomorrow?*")
    assert not is_question("It is today.")
    assert not is_question("")


PASSAGE_TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "Pay",
                "within",
                "hours",
                "days",
                "$",
                "€",
                "%",
                "\n\n",
                "\n1.",
                "-",
                ":",
                "at",
                "March",
                "/",
                "+",
            ]
        ),
        st.integers(0, 99_999).map(str),
        st.decimals(0, 9_999, places=2).map(str),
        st.from_regex(r"[0-9]{1,2}:[0-9]{2}|[0-9]{3}-[0-9]{4}|[1-9][0-9]{0,2},[0-9]{3}", fullmatch=True),
    ),
    min_size=1,
    max_size=12,
).map(" ".join)


def evidence_of(text):
    return Evidence(
        passages=(a_ranked_passage(found=a_found_passage(passage=a_passage(text), title="", url="")),)
    )


def verbatim(text):
    return Block(text=text, citations=(Citation(passage=PassageId("KB000003#0"), quote=text),))


@given(PASSAGE_TEXTS.filter(str.strip))
def test_every_verbatim_block_is_grounded(text):
    assert answer_gate(verbatim(text), evidence_of(text), ()) == Grounded()


@given(PASSAGE_TEXTS, st.data())
def test_a_changed_digit_is_never_grounded(text, data):
    digits = [i for i, char in enumerate(text) if char.isdigit()]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != text[at]]))
    changed = text[:at] + other + text[at + 1 :]

    assert finding(answer_gate(verbatim(changed), evidence_of(text), ())) is Finding.MISQUOTED

    # With an honest quote the changed figure may by chance be another one of the passage, which then does support it.
    assume(figures_in(without_step_numbers(changed)) - figures_in(text))
    honest = replace(verbatim(changed), citations=verbatim(text).citations)
    assert finding(answer_gate(honest, evidence_of(text), ())) is Finding.UNSUPPORTED_FIGURE


@given(st.text(), st.text(), st.booleans())
def test_any_block_gets_a_verdict(text, quote, fixed):
    block = Block(text=text, citations=(Citation(passage=PassageId("KB000003#0"), quote=quote),), fixed=fixed)

    assert isinstance(answer_gate(block, EVIDENCE, (text,)), Grounded | Ungrounded)
