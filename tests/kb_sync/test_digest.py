"""The digest changes exactly when an article does."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.knowledge import ArticleId, ArticleStatus
from kb_sync.digest import article_digest, source_digest
from tests.kb_sync.folders import an_article

TWO = {ArticleId("a"): "1", ArticleId("b"): "2"}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@given(body=TEXT, title=TEXT)
def test_composition_line_ends_and_padding_change_nothing(body, title):
    article = an_article(body=body, title=title)
    windows = body.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    other = an_article(
        body=f"\n {unicodedata.normalize('NFD', windows)}\r\n", title=unicodedata.normalize("NFD", title)
    )

    assert article_digest(other) == article_digest(article)


@given(first=TEXT, second=TEXT)
def test_text_cannot_move_from_one_field_to_another_unnoticed(first, second):
    whole = an_article(title=first + second, body="")
    parted = an_article(title=first, body=second)

    assert (article_digest(whole) == article_digest(parted)) == (not second.strip())


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Another"},
        {"body": "Another"},
        {"url": "https://help.example/1"},
        {"category": "Payments"},
        {"tags": ("refund",)},
        {"locale": "de"},
        {"status": ArticleStatus.DRAFT},
        {"supersedes": (ArticleId("KB9"),)},
        {"last_modified_ms": 0},
        {"evergreen": True},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_each_field_counts(fields):
    assert article_digest(an_article(**fields)) != article_digest(an_article())


def test_a_source_has_one_digest_in_whatever_order_it_delivers():
    assert source_digest(dict(reversed(TWO.items()))) == source_digest(TWO)


@pytest.mark.parametrize(
    ("digests", "withdrawn"),
    [
        pytest.param({"a": "1"}, (), id="an article less"),
        pytest.param({"a": "1", "b": "3"}, (), id="an article edited"),
        pytest.param({"a": "1", "c": "2"}, (), id="another id"),
        pytest.param({"a": "1", "b": "2"}, ("c",), id="an article withdrawn"),
    ],
)
def test_a_source_of_other_articles_has_another_digest(digests, withdrawn):
    assert source_digest(digests, withdrawn) != source_digest(TWO)
