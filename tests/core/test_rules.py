"""What a bare message is: phrases of five languages that are an intent, and phrases that only look like it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.phrases import is_one_slip, normalise
from bot.core.rules import (
    Polarity,
    Rules,
    affirmation,
    asks_for_person,
    carries_text,
    escalation_rule,
    is_bare_greeting,
    is_bare_reply,
    is_bare_thanks,
    is_computed_question,
    is_refusal_echo,
    signals,
    words_to_find,
)
from bot.errors import Misconfigured

RULES_FILE = Path(__file__).parents[2] / "prompts" / "rules.toml"
PHRASES = Path(__file__).parent / "phrases"
RULES = Rules.from_mapping(tomllib.loads(RULES_FILE.read_text("utf-8")))
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
INTENTS = {
    "asks_person": asks_for_person,
    "greeting": is_bare_greeting,
    "thanks": is_bare_thanks,
    "computed_question": is_computed_question,
    "refusal_echo": is_refusal_echo,
}


def phrases(name, kind):
    table = tomllib.loads((PHRASES / f"{name}.toml").read_text("utf-8"))[kind]
    languages = table.items() if isinstance(table, dict) else [("all", table)]
    return [(language, text) for language, texts in languages for text in texts]


def table_of(kind):
    return [
        pytest.param(decide, text, id=f"{name}-{language}-{text}")
        for name, decide in INTENTS.items()
        for language, text in phrases(name, kind)
    ]


def escalations(kind):
    table = tomllib.loads((PHRASES / "escalation.toml").read_text("utf-8"))
    return [
        pytest.param(name, text, id=f"{name}-{text}") for name, row in table.items() for text in row[kind]
    ]


@pytest.mark.parametrize(("decide", "text"), table_of("match"))
def test_a_phrase_is_recognised(decide, text):
    assert decide(text, RULES)


@pytest.mark.parametrize(("decide", "text"), table_of("no_match"))
def test_a_lookalike_is_not_mistaken_for_it(decide, text):
    assert not decide(text, RULES)


@pytest.mark.parametrize(("rule", "text"), escalations("match"))
def test_an_escalation_rule_fires_by_name(rule, text):
    assert escalation_rule(text, RULES) == rule


@pytest.mark.parametrize(("rule", "text"), escalations("no_match"))
def test_a_word_alone_fires_no_escalation_rule(rule, text):
    assert escalation_rule(text, RULES) is None


@pytest.mark.parametrize(
    ("meaning", "text"),
    [
        pytest.param(meaning, text, id=f"{kind}-{language}-{text}")
        for kind, meaning in {"yes": Polarity.YES, "no": Polarity.NO, "none": None}.items()
        for language, text in phrases("polarity", kind)
    ],
)
def test_a_reply_says_yes_or_no_or_neither(meaning, text):
    assert affirmation(text, RULES) == meaning


@pytest.mark.parametrize("name", ["asks_person", "greeting", "thanks", "computed_question"])
@pytest.mark.parametrize("language", ["en", "es", "de", "fr", "pt"])
def test_every_intent_has_ten_phrases_in_every_language(name, language):
    assert sum(found == language for found, _ in phrases(name, "match")) >= 10


def test_there_are_sixty_lookalikes_and_more():
    assert sum(len(phrases(name, "no_match")) for name in INTENTS) >= 60


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n\t",
        "\u200b\u200d\ufeff",
        "👍",
        "🎉🎉",
        "?!...",
        "1️⃣",
        "\u2139\ufe0f",
        "🇩🇪",
        "\u3164",
        "—",
        "👩‍👩‍👧",
    ],
)
def test_a_message_without_letters_carries_no_text(text):
    assert not carries_text(text)


@pytest.mark.parametrize("text", ["a", "24", "ß", "ok 👍", "你好", "é", "1️⃣ lesson"])
def test_a_letter_or_digit_carries_text(text):
    assert carries_text(text)


@pytest.mark.parametrize(
    ("written", "meant"), [("agnet", "agent"), ("humann", "human"), ("persn", "person"), ("spesk", "speak")]
)
def test_one_slip_is_mended(written, meant):
    assert is_one_slip(written, meant)
    assert RULES.spelling.mended(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("hwo", "how"),
        ("tlak", "talk"),
        ("lfet", "left"),
        ("ahve", "have"),
        ("uhman", "human"),
        ("aual", "aula"),
    ],
)
def test_swapped_neighbours_are_mended_in_short_words_and_at_the_beginning(written, meant):
    assert RULES.spelling.mended(written) == meant


@pytest.mark.parametrize(
    "word", ["tema", "felt", "who", "weich", "cunado", "reset", "classe", "quintas", "tlka"]
)
def test_a_word_of_another_language_or_a_wider_swap_stays(word):
    assert RULES.spelling.mended(word) == word


@pytest.mark.parametrize("word", ["layer", "cours", "personas", "sprachen", "than", "gnaet", "mercy", "hand"])
def test_a_real_word_or_two_slips_stay(word):
    assert RULES.spelling.mended(word) == word


def test_words_are_read_without_accents_case_punctuation_and_stretched_letters():
    assert normalise("  ¡HOLAAAA, señor! I'd… l\u2019agent 3.5\n") == "hola senor\nid\nl agent 3 5"


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(ANY_TEXT)
def test_every_text_can_be_read(text):
    found = signals(text, RULES)

    assert found.is_computed_question == is_computed_question(text, RULES)
    assert found.carries_text == carries_text(text)
    assert affirmation(text, RULES) in (*Polarity, None)
    assert is_refusal_echo(text, RULES) in (True, False)


@given(st.sampled_from([text for name in INTENTS for _, text in phrases(name, "match")]))
def test_capitals_change_no_signal(text):
    assert signals(text.upper(), RULES) == signals(text.lower(), RULES)


@given(st.sampled_from([text for _, text in phrases("asks_person", "match")]))
def test_signals_agree_with_the_single_questions(text):
    found = signals(text, RULES)

    assert found.asks_for_person == asks_for_person(text, RULES)
    assert found.is_bare_greeting == is_bare_greeting(text, RULES)
    assert found.is_bare_thanks == is_bare_thanks(text, RULES)
    assert found.escalation == escalation_rule(text, RULES)


def test_a_request_for_a_person_may_stand_in_any_sentence():
    assert asks_for_person("Can a person under 18 take lessons? I want to talk to a person.", RULES)


def test_a_long_message_is_no_courtesy():
    assert not is_bare_greeting("hello " * 40, RULES)


def test_a_long_message_is_no_refusal_echo():
    assert not is_refusal_echo("I couldn't find it. " + "But here is what helps " * 20, RULES)


def test_no_pattern_repeats_without_end():
    """Every repetition is bounded, so no message, however hostile, can make a search explode."""
    intents = (
        RULES.asks_person,
        RULES.computed_question,
        RULES.refusal_echo,
        RULES.yes,
        RULES.no,
        *RULES.escalations,
    )
    expressions = [pattern.expression.pattern for intent in intents for pattern in intent.patterns.patterns]

    assert len(expressions) > 100
    assert not any(set("*+") & set(expression.replace(" [^ ~]+", "")) for expression in expressions)


BROKEN = {
    "the list .* is not under": ("asks_person", {"patterns": ["{nobody}"]}),
    "would match anything": ("asks_person", {"patterns": ["word?"]}),
    "does not know": ("asks_person", {"patterns": ["word ["]}),
    "has no letter or digit": ("asks_person", {"patterns": ["(word|)"]}),
    "asks_person.patterns: missing": ("asks_person", {}),
    'no patterns for "es"': ("asks_person", {"patterns": {"en": ["person"]}}),
    "not a list of phrases": ("asks_person", {"patterns": []}),
    "asks_person: missing or not a table": ("asks_person", "person"),
    "longest_words: not a whole number": ("refusal_echo", {"patterns": ["sorry"], "longest_words": True}),
    "escalation: not an array of tables": ("escalation", {}),
    "escalation.1.name: missing or empty": ("escalation", [{"patterns": ["sue"]}]),
    "is used twice": ("escalation", [{"name": "a", "patterns": ["sue"]}, {"name": "a", "patterns": ["sue"]}]),
    "spelling: missing": ("spelling", None),
    "spelling.swapped: not a list": ("spelling", {"mended": ["person"], "fixed": {}, "emoji": {}}),
    "yet a phrase has it": ("words", {"person": ["thx"]}),
}


@pytest.mark.parametrize(("problem", "change"), BROKEN.items(), ids=BROKEN)
def test_a_broken_table_names_the_key_and_the_remedy(problem, change):
    key, value = change

    with pytest.raises(Misconfigured, match=problem):
        Rules.from_mapping({**small_table(), key: value})


def small_table():
    patterns = {"patterns": ["word"]}
    return {
        "spelling": {
            "mended": ["person"],
            "swapped": ["talk"],
            "fixed": {"thanks": ["thx"]},
            "emoji": {"thumbsup": ["👍"]},
        },
        "words": {"person": ["person"]},
        "courtesy": {"greeting": ["hi"], "thanks": ["thanks"], "opener": ["help"], "filler": ["there"]},
        "refusal_echo": {**patterns, "longest_words": 9},
        "escalation": [],
        **dict.fromkeys(("asks_person", "computed_question", "yes", "no", "unclear"), patterns),
    }


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [
        pytest.param("no its more than 24 hours", True, id="names nothing"),
        pytest.param("", True, id="says nothing"),
        pytest.param("my tutor", True, id="names as much as a reply may"),
        pytest.param("my tutor was ill yesterday evening and the lesson failed", False, id="names more"),
        pytest.param("is it?", True, id="a question that names nothing"),
        pytest.param("and refunds?", True, id="a question that only changes the subject"),
        pytest.param("how do I get a refund?", False, id="a whole question on one subject"),
        pytest.param("tutor refunds?", False, id="a short question on two"),
        pytest.param("how do refunds work", False, id="a question without its mark"),
    ],
)
def test_a_bare_reply_says_little_by_itself(text, is_bare):
    assert is_bare_reply(text, RULES, subject_words=2, question_words=1) is is_bare


def test_a_question_that_names_a_subject_is_no_bare_reply_unless_one_is_allowed():
    assert not is_bare_reply("and refunds?", RULES, subject_words=9)


def test_the_words_to_find_are_all_but_function_words_and_numbers_are_among_them():
    assert words_to_find("How do I get the Wi-Fi refund of 24 lessons?", RULES) == {
        "wi", "fi", "wifi", "refun", "24", "lesso",
    }  # fmt: skip
    assert words_to_find("Don't you do it?", RULES) == frozenset()
