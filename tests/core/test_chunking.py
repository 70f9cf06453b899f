"""Articles are cut into passages that make sense alone, within limits whatever the text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.chunking import TokenLimit, has_text, passages_of
from bot.core.knowledge import Article, ArticleId

MAX_CHARACTERS = 800
MAX_WHOLE = 1_200
WORDS = TokenLimit(tokens=256, count=lambda text: len(text.split()) + 2)
CHARACTERS = TokenLimit(tokens=300, count=lambda text: len(text) + 2)
SENTENCE = "Open the calendar and choose another day for the lesson. "


def an_article(body: str, *, title: str = "How to Reschedule a Lesson") -> Article:
    return Article(id=ArticleId("KB1"), title=title, body=body)


def texts(body: str, limit: TokenLimit = WORDS) -> list[str]:
    return [passage.text for passage in passages_of(an_article(body), limit)]


def test_a_short_article_is_one_passage():
    passages = passages_of(an_article("Open the calendar.\n\nChoose **another** day."), WORDS)

    assert [p.id for p in passages] == ["KB1#0"]
    assert passages[0].text == "Open the calendar.\n\nChoose **another** day."
    assert passages[0].embedded_text == "How to Reschedule a Lesson\nOpen the calendar.\nChoose another day."


def test_each_section_is_a_passage_that_names_the_headings_above_it():
    body = f"## On the web\n\n{SENTENCE * 4}\n\n### As a tutor\n\n{SENTENCE * 4}\n\n## In the app\n\n{SENTENCE * 4}"

    passages = passages_of(an_article(body), WORDS)

    assert [p.headings for p in passages] == [("On the web",), ("On the web", "As a tutor"), ("In the app",)]
    assert passages[1].embedded_text.startswith(
        "How to Reschedule a Lesson > On the web > As a tutor\nOpen the"
    )


def test_a_heading_that_repeats_the_title_is_not_named_twice():
    passage = passages_of(an_article("# How to reschedule a lesson\n\nOpen the calendar."), WORDS)[0]

    assert passage.headings == ()


def test_an_underlined_heading_is_a_heading():
    body = f"{SENTENCE * 4}\n\nIn the app\n----------\n{SENTENCE * 4}"

    assert [p.headings for p in passages_of(an_article(body), WORDS)] == [(), ("In the app",)]


def test_a_small_section_joins_its_neighbour_and_keeps_its_heading_in_the_text():
    body = f"## On the web\n\n{SENTENCE * 4}\n\n## In the app\n\nThe same way."

    passage = passages_of(an_article(body), WORDS)[0]

    assert passage.headings == ()
    assert passage.text.startswith("**On the web**\n\nOpen the calendar")
    assert passage.text.endswith("**In the app**\n\nThe same way.")


def test_small_sections_under_different_headings_stay_apart():
    body = "## Web\n\n### Students\n\nUse the calendar.\n\n## App\n\n### Tutors\n\nUse the menu."

    assert len(texts(body)) == 2


def test_a_split_section_repeats_whole_sentences_of_about_the_overlap():
    sentences = " ".join(f"Step {n} asks you to open the calendar and look at day {n}." for n in range(40))

    first, second, *_ = texts(sentences)

    shared = second[: second.index("Step", 100)].strip()
    assert first.endswith(shared)
    assert re.fullmatch(r"Step.*\.", shared)
    assert len(shared) <= 150


def test_a_split_list_is_cut_between_items_that_keep_their_numbers():
    items = [f"{n}. Open the calendar and choose another day for lesson {n}." for n in range(1, 40)]

    found = texts("\n".join(items))

    assert len(found) > 1
    assert {line for text in found for line in text.split("\n")} == set(items)


def test_nested_items_stay_with_the_step_they_belong_to():
    body = "1. Open the calendar.\n   - on the web\n   - in the app\n\n2. Choose a day."

    assert texts(body) == ["1. Open the calendar.\n   - on the web\n   - in the app\n2. Choose a day."]


def test_a_split_table_keeps_its_header_on_each_part():
    rows = [f"| Country {n} | {n} business days with the carrier |" for n in range(60)]
    header = "| Country | Time |\n|---|---|"

    found = texts("\n".join([header, *rows]))

    assert len(found) > 1
    assert all(text.startswith(header) for text in found)
    assert [row for text in found for row in text.split("\n")[2:]] == rows


def test_a_code_sample_is_kept_whole_when_it_fits():
    code = "```cpp\n" + "digitalWrite(LED, HIGH);\n# not a heading\n" * 20 + "```"

    assert code in texts(f"{SENTENCE * 5}\n\n{code}\n\n{SENTENCE * 5}")


def test_a_long_code_sample_is_divided_into_fences_that_close():
    found = texts("```\n" + "".join(f"digitalWrite({n}, HIGH);\n" for n in range(90)) + "```")

    assert len(found) > 1
    assert all(text.startswith("```\n") and text.endswith("\n```") for text in found)


def test_a_code_sample_in_a_long_step_is_not_torn():
    code = "```\n   " + "digitalWrite(LED, HIGH);\n   " * 8 + "```"

    found = texts(f"1. {SENTENCE * 12}\n\n   {code}\n\n   {SENTENCE * 8}")

    assert len(found) > 1
    assert [text.count("```") for text in found if "digitalWrite" in text] == [2]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="nothing"),
        pytest.param("## Contents\n\n---\n\n## More", id="only headings"),
        pytest.param("```\n```\n\n** **\n\n> ", id="only signs"),
    ],
)
def test_an_article_without_words_gives_no_passage(body):
    assert texts(body) == []
    assert not has_text(an_article(body))


def test_one_huge_word_is_cut_and_nothing_of_it_is_lost():
    word = "x" * 5_000

    found = texts(word, CHARACTERS)

    assert "".join(found) == word


def test_a_title_that_fills_the_embedders_limit_still_leaves_room_for_text():
    passages = passages_of(an_article(SENTENCE * 20, title="Rescheduling " * 200), CHARACTERS)

    assert all(CHARACTERS.count(p.embedded_text) <= CHARACTERS.tokens for p in passages)
    assert all(SENTENCE.split(maxsplit=1)[0] in p.embedded_text for p in passages)


SIGNS = [
    "",
    "# One",
    "## Two",
    "- item",
    "  - nested",
    "3. step",
    "| a | b |",
    "|---|---|",
    "```",
    "~~~",
    "> said",
]
LONG = ["---", "===", "    code", SENTENCE, SENTENCE * 20, "x" * 900, "word " * 300, "日本語の文。" * 200]
LINES = st.sampled_from([*SIGNS, *LONG])
BODIES = st.one_of(st.lists(st.one_of(LINES, st.text(max_size=200)), max_size=40).map("\n".join), st.text())


@given(body=BODIES, limit=st.sampled_from([WORDS, CHARACTERS]))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_passages_within_the_limits(body, limit):
    article = an_article(body)

    passages = passages_of(article, limit)

    assert bool(passages) == has_text(article)
    for position, passage in enumerate(passages):
        assert passage.position == position
        assert 0 < len(passage.text) <= MAX_WHOLE
        assert limit.count(passage.embedded_text) <= limit.tokens


@given(body=st.lists(st.text(alphabet="ab .\n", max_size=400), max_size=20).map("\n\n".join))
@settings(deadline=None)
def test_every_word_of_an_article_is_in_some_passage(body):
    words = set(re.findall(r"[ab]+", body))

    found = set(re.findall(r"[ab]+", "\n".join(texts(body))))

    assert {word for word in words if len(word) < MAX_CHARACTERS} <= found
