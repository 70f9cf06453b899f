"""What a source holds: only what differs from what is stored is cleaned, because that is most of the work."""

from dataclasses import replace

import pytest

from bot.core.knowledge import Article, ArticleStatus
from bot.errors import SourceRejected
from kb_sync.digest import article_digest
from kb_sync.reading import state_of
from kb_sync.sources.source import Delivery, LeftOut, SourcedArticle
from tests.kb_sync.folders import an_article

HTML = "<p>Open the <b>calendar</b>.</p>"


def delivered(*articles: Article, left_out: tuple[LeftOut, ...] = ()) -> Delivery:
    sourced = tuple(SourcedArticle(article=one, origin=f"{one.id}.md", is_clean=False) for one in articles)
    return Delivery(articles=sourced, left_out=left_out)


def test_an_article_that_differs_is_cleaned_and_one_that_does_not_is_left_as_it_is():
    same, edited = an_article(1, body=HTML), an_article(2, body=HTML)

    state = state_of(
        delivered(same, edited), name="x", stored={same.id: article_digest(same), edited.id: "?"}
    )

    assert state.articles == {same.id: same, edited.id: replace(edited, body="Open the **calendar**.")}
    assert set(state.digests.values()) == {article_digest(same), article_digest(edited)}


def test_an_article_without_text_is_skipped_on_every_run():
    """It was never stored, so it is looked at each time."""
    hidden = an_article(2, body="<!-- to be written -->")
    first = state_of(delivered(an_article(1), hidden), name="x")

    second = state_of(delivered(an_article(1), hidden), name="x", stored=first.digests)

    assert [one.id for one in first.skipped] == [one.id for one in second.skipped] == ["KB2"]
    assert (first.digest, list(second.articles)) == (second.digest, ["KB1"])


def test_what_is_seen_is_the_sum_of_what_becomes_of_it():
    withdrawn = an_article(3, status=ArticleStatus.RETIRED)
    left_out = LeftOut(origin="/contact", reason="it has no main text")

    state = state_of(
        delivered(an_article(1), an_article(2, body=""), withdrawn, left_out=(left_out,)), name="x"
    )

    assert state.seen == len(state.articles) + len(state.skipped) + len(state.withdrawn) == 4


def test_a_source_that_holds_nothing_to_search_for_is_refused():
    with pytest.raises(SourceRejected, match="x: no article in it has any text"):
        state_of(delivered(an_article(1, body="")), name="x")
