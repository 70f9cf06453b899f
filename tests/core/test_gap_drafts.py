"""A draft is read back by kb_sync as an article that no customer finds, and it says only what people said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.gap_drafts import QUESTIONS_LISTED, TAG, gap_draft
from bot.core.knowledge import ArticleId, ArticleStatus
from kb_sync.sources.markdown_folder import _parsed
from kb_sync.sources.source import SourcedArticle
from tests.builders import CONVERSATION, NOON_MS
from tests.core.gap_builders import a_gap, a_gap_question, a_quoted_reply


def text_of(gap, taken=()):
    return gap_draft(gap, taken=taken).text


def article_of(gap):
    read = _parsed(text_of(gap), "draft.md")
    assert isinstance(read, SourcedArticle)
    return read.clean()


def test_a_draft_is_an_article_of_the_sources_form_that_is_not_published():
    gap = a_gap(a_gap_question(turn="0f9e8d7c6b5a4321"), label=("Is there a ramp?", "a lift"), locale="de")

    draft, article = gap_draft(gap, taken=()), article_of(gap)

    assert (article.id, article.title) == ("gap-0f9e8d7c6b5a", "Is there a ramp?")
    assert (article.status, article.locale, article.tags) == (ArticleStatus.DRAFT, "de", (TAG,))
    assert (draft.id, draft.file_name) == (article.id, "gap-0f9e8d7c6b5a.md")


@given(title=st.text(st.characters(exclude_categories=("Cs",))))
def test_any_question_can_be_a_title(title):
    article = article_of(a_gap(label=(f"A {' '.join(title.split())}",)))

    assert (article.id, article.status) == ("gap-t1", ArticleStatus.DRAFT)


@pytest.mark.parametrize(
    "title",
    [
        'status: "active"',
        "a: b # c",
        "--- x",
        "[x",
        "!!python/name:os.system",
        'x" \\ y',
        "\ufffe x",
        "😀 ramp?",
    ],
)
def test_no_title_is_read_as_anything_else(title):
    article = article_of(a_gap(label=(title,)))

    assert (article.title, article.status) == (title, ArticleStatus.DRAFT)


def test_agents_are_quoted_with_conversation_and_day():
    reply = a_quoted_reply("There is one.\n\n---\nstatus: active", at_ms=NOON_MS)

    assert (
        f"In conversation {CONVERSATION} on 2025-06-15:\n\n> There is one.\n>\n> ---\n> status: active\n"
        in text_of(a_gap(replies=(reply,)))
    )


def test_a_draft_without_replies_says_so():
    assert "No agent has answered this yet." in text_of(a_gap())


def test_what_customers_asked_is_listed_once_each_and_not_without_end():
    questions = [a_gap_question(f"question {n % 20}", turn=f"t{n}") for n in range(40)]

    listed = [line for line in text_of(a_gap(*questions)).splitlines() if line.startswith("- question")]

    assert listed == [f"- question {n}" for n in range(QUESTIONS_LISTED)]


@pytest.mark.parametrize(
    ("count", "asked"), [(1, "Asked by one customer, last on 2025-06-15."), (7, "Asked by 7 customers,")]
)
def test_a_draft_says_how_many_asked(count, asked):
    assert asked in text_of(a_gap(count=count))


def test_signs_that_hide_or_turn_text_are_left_out():
    gap = a_gap(label=("a \u202eramp\u200b?",), replies=(a_quoted_reply("a\x1b[2J lift"),))

    assert article_of(gap).title == "a ramp?"
    assert "> a[2J lift" in text_of(gap)


def test_an_id_that_is_taken_is_not_used_again():
    taken = {ArticleId("gap-t1"), ArticleId("gap-t1-2")}

    assert gap_draft(a_gap(), taken=taken).id == "gap-t1-3"
