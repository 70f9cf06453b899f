"""The fixed sentences: complete, checked, true to their reason, in the customer's language."""

import copy
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.conditions import Bound, Condition, asked_conditions, stated_condition
from bot.core.outcome import ReasonCode
from bot.core.phrases import normalise
from bot.core.quantities import HOURS_OF_UNIT
from bot.core.replies import LANGUAGES, PLACEHOLDERS, Replies, language_of
from bot.core.rules import Rules, affirmation, is_refusal_echo
from bot.errors import Misconfigured

PROMPTS = Path(__file__).parents[2] / "prompts"
DATA = tomllib.loads((PROMPTS / "replies.toml").read_text("utf-8"))
REPLIES = Replies.from_mapping(DATA)
RULES = Rules.from_mapping(tomllib.loads((PROMPTS / "rules.toml").read_text("utf-8")))
SEARCH_FAILED = (ReasonCode.RETRIEVAL_UNAVAILABLE, ReasonCode.INDEX_NOT_READY)
# What a person is called in each language's sentences, and the words of two claims that must never be mixed up.
PERSON = {"en": "person", "es": "persona", "de": "mensch", "fr": "personne", "pt": "pessoa"}
FOUND = {
    "en": ("found", "find", "nothing", "none"),
    "es": ("encontr", "nada", "ningun"),
    "de": ("gefunden", "finde", "nichts", "keinen"),
    "fr": ("trouv", "rien", "aucun"),
    "pt": ("encontr", "nada", "nenhum"),
}
FAILED = {
    "en": ("wrong", "working", "fail", "error"),
    "es": ("fall", "funciona", "error"),
    "de": ("schief", "funktion", "fehler"),
    "fr": ("problem", "fonctionne", "erreur"),
    "pt": ("errado", "funcionando", "erro"),
}
TIMES = {
    "en": ("soon", "shortly", "minute", "hour", "immediately", "moments"),
    "es": ("pronto", "minuto", "hora ", "enseguida"),
    "de": ("bald", "minute", "stunde", "gleich", "sofort"),
    "fr": ("bientot", "minute", "heure", "rapidement"),
    "pt": ("breve", "minuto", " hora ", "logo"),
}
YES_AND_NO = [
    ("en", "yes", "nope"),
    ("es", "sí", "no"),
    ("de", "ja", "nein"),
    ("fr", "oui", "non"),
    ("pt", "sim", "não"),
]
EACH_HANDOFF = [(language, reason) for language in LANGUAGES for reason in ReasonCode]


def words_of(language, reason):
    return normalise(REPLIES.handoff(reason, language))


@pytest.mark.parametrize(("language", "reason"), EACH_HANDOFF)
def test_every_handoff_says_that_a_person_will_help_and_promises_no_time(language, reason):
    said = words_of(language, reason)

    assert PERSON[language] in said
    assert not any(time in said for time in TIMES[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence_of_its_own(language):
    assert len({words_of(language, reason) for reason in ReasonCode}) == len(ReasonCode)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_family_says_what_happened_in_a_first_sentence_of_its_own(language):
    openings = {words_of(language, reason).split("\n")[0] for reason in ReasonCode}

    assert len(openings) == len(ReasonCode)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", SEARCH_FAILED)
def test_a_failed_search_never_says_that_nothing_was_found(language, reason):
    assert not any(word in words_of(language, reason) for word in FOUND[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_finding_nothing_never_says_that_something_failed(language):
    for said in (words_of(language, ReasonCode.NO_EVIDENCE), normalise(REPLIES.text("offer", language))):
        assert any(word in said for word in FOUND[language])
        assert not any(word in said for word in FAILED[language])


@pytest.mark.parametrize(
    "reason",
    [*SEARCH_FAILED, ReasonCode.NO_EVIDENCE, ReasonCode.MODEL_ABSTAINED, ReasonCode.RECORDS_UNAVAILABLE],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_handoff_of_ours_is_recognised_as_refusal_echo_in_imported_history(language, reason):
    assert is_refusal_echo(REPLIES.handoff(reason, language), RULES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["greeting", "thanks", "read_more", "which_applies"])
def test_an_ordinary_sentence_of_ours_is_no_refusal_echo(language, key):
    assert not is_refusal_echo(REPLIES.text(key, language), RULES)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "automated"),
        ("es", "automático"),
        ("de", "automatischer"),
        ("fr", "automatique"),
        ("pt", "automático"),
    ],
)
def test_the_greeting_says_that_it_comes_from_a_machine(language, word):
    assert word in REPLIES.text("greeting", language)


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("pt-BR", "pt"),
        ("pt_PT", "pt"),
        ("DE", "de"),
        ("de_AT", "de"),
        ("fr-CA", "fr"),
        (" fr ", "fr"),
        ("zh-Hans-CN", "en"),
        ("ptbr", "en"),
        ("-", "en"),
        ("it", "en"),
        ("", "en"),
        ("es-419", "es"),
    ],
)
def test_a_locale_falls_back_to_its_language_and_then_to_english(locale, language):
    assert REPLIES.text("thanks", locale) == DATA["text"]["thanks"][language]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_of_the_file_is_there_and_translated(language):
    rows = {
        f"{section}.{key}": row
        for section in ("handoff", "text", "reason", "note")
        for key, row in DATA[section].items()
    }
    left_in_english = {key for key, row in rows.items() if row[language] == row["en"]}

    assert all(row.keys() == set(LANGUAGES) for row in rows.values())
    assert left_in_english <= {"text.amount_minutes"}  # French spells it alike


@given(st.text())
def test_every_locale_has_sentences(locale):
    assert language_of(locale) in LANGUAGES


def test_a_placeholder_takes_its_value_even_with_braces_in_it():
    assert REPLIES.text("quote_intro", "en", title="{x} & co") == "This is from our article “{x} & co”:"


@pytest.mark.parametrize(
    ("key", "values"), [("nonsense", {}), ("quote_intro", {}), ("thanks", {"title": "x"})]
)
def test_a_sentence_that_does_not_exist_is_refused(key, values):
    with pytest.raises(Misconfigured, match=key):
        REPLIES.text(key, "en", **values)


@pytest.mark.parametrize(("language", "yes", "no"), YES_AND_NO)
@pytest.mark.parametrize("unit", ["minute", "hour", "day", "week", "month", "year"])
@pytest.mark.parametrize(
    ("key", "bound"), [("exception_less", Bound.BELOW), ("exception_more", Bound.ABOVE)], ids=str
)
def test_the_question_about_an_exception_is_answered_by_yes_or_no(language, yes, no, unit, key, bound):
    limit = REPLIES.text(f"amount_{unit}s", language, number="3")
    asked = REPLIES.text(key, language, limit=limit, title="Is It Late? More Than 9 Hours. Really?")
    exception = Condition(bound=bound, hours=3 * HOURS_OF_UNIT[unit][0])

    assert asked_conditions(asked) == (exception,)
    assert stated_condition(yes, asked, affirmation(yes, RULES)) == exception.value
    assert stated_condition(no, asked, affirmation(no, RULES)) == replace(exception, bound=bound.other).value


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_filled_in(language):
    for key, names in PLACEHOLDERS.items():
        assert "{" not in REPLIES.text(key, language, **dict.fromkeys(names, "24"))


@pytest.mark.parametrize(
    ("table", "key", "text", "problem"),
    [
        (
            "text",
            "thanks",
            "Thanks {name}",
            r'text\.thanks, language "de": the placeholder \{name\} is unknown',
        ),
        (
            "text",
            "quote_intro",
            "Here:",
            r'text\.quote_intro, language "de": the placeholder \{title\} is missing',
        ),
        ("text", "thanks", "Thanks {", "a brace has no partner"),
        ("text", "quote_intro", "{title!r}", "a plain {name}"),
        ("handoff", "no_evidence", " ", r'handoff\.no_evidence: no sentence for "de"'),
    ],
)
def test_a_wrong_sentence_is_named_with_key_language_and_remedy(table, key, text, problem):
    data = copy.deepcopy(DATA)
    data[table][key]["de"] = text

    with pytest.raises(Misconfigured, match=problem):
        Replies.from_mapping(data)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"handoff": {**DATA["handoff"], "no_idea": {}}}, r"handoff\.no_idea: no such reply"),
        ({"text": {**DATA["text"], "bye": {}}}, r"text\.bye: no such reply"),
        ({"text": "hello"}, "text: missing or not a table"),
        ({"note": {}}, r'note\.asked: no sentence for "en"'),
        ({"reason": {**DATA["reason"], "bored": {}}}, r"reason\.bored: no such reply"),
        ({"lead_ins": {**DATA["lead_ins"], "de": []}}, r"lead_ins\.de: not a list of phrases"),
        ({"lead_ins": {**DATA["lead_ins"], "pt": ["Veja:", 7]}}, r"lead_ins\.pt: not a list of phrases"),
        ({"text": {}}, r'text\.greeting: no sentence for "en"'),
    ],
)
def test_a_wrong_file_is_named_with_key_and_remedy(change, problem):
    with pytest.raises(Misconfigured, match=problem):
        Replies.from_mapping({**DATA, **change})
