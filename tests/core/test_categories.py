"""The categories are complete in every language before the service starts."""

from pathlib import Path

import pytest

from bot.adapters.prompt_files import load_categories, load_rules
from bot.core.categories import LONGEST, Categories
from bot.core.replies import LANGUAGES
from bot.core.rules import signals
from bot.errors import Misconfigured

PROMPTS = Path(__file__).parents[2] / "prompts"
LESSONS = dict.fromkeys(LANGUAGES, "Lessons")
PAYMENTS = dict.fromkeys(LANGUAGES, "Payments")


def test_a_customer_sees_them_in_their_own_language_and_in_the_files_order():
    categories = Categories.from_mapping({"category": [LESSONS | {"pt": "Aulas"}, PAYMENTS]})

    assert categories.in_language("pt-BR") == ("Aulas", "Payments")
    assert categories.in_language("ja") == ("Lessons", "Payments")


def test_there_may_be_none():
    assert Categories.from_mapping({}).in_language("en") == ()
    assert Categories().in_language("en") == ()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"category": [LESSONS, PAYMENTS | {"fr": " "}]}, 'category 2: no label for "fr"; add it'),
        ({"category": [{"en": "Lessons"}]}, 'category 1: no label for "es"; add it'),
        ({"category": [LESSONS, LESSONS]}, "is there twice"),
        ({"category": [LESSONS | {"nl": "Lessen"}]}, '"nl" is no language of ours'),
        ({"category": [LESSONS | {"en": "x" * (LONGEST + 1)}]}, "not a line of at most 40 characters"),
        ({"category": [LESSONS | {"en": "two\nlines"}]}, "not a line"),
        ({"category": [dict.fromkeys(LANGUAGES, str(n)) for n in range(9)]}, "at most 8 are shown"),
        ({"category": ["Lessons"]}, "category 1: not a table"),
        ({"category": LESSONS}, "tables and nothing else"),
        ({"categories": [LESSONS]}, "tables and nothing else"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_named_with_its_remedy(data, problem):
    with pytest.raises(Misconfigured) as refused:
        Categories.from_mapping(data)

    assert problem in str(refused.value)


def test_a_wrong_file_is_named(tmp_path):
    (tmp_path / "categories.toml").write_text('[[category]]\nen = "Lessons"\n', "utf-8")

    with pytest.raises(Misconfigured, match=r"categories\.toml: category 1: no label"):
        load_categories(tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_category_of_ours_asks_for_a_person_or_meets_a_rule(language):
    """It would hand over whoever only looks around."""
    rules = load_rules(PROMPTS)

    for label in load_categories(PROMPTS).in_language(language):
        read = signals(label, rules)
        assert (read.asks_for_person, read.escalation) == (False, None)
