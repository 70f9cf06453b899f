"""The embedder of tests: near texts are near, and it fails when told to."""

import math

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.errors import RetrievalUnavailable


async def test_texts_that_share_words_are_nearer_than_others():
    question, near, far = await HashEmbedder().embed_queries(
        ["reschedule a lesson", "reschedule my lesson", "payment was refused"]
    )

    assert math.dist(question, near) < math.dist(question, far)


async def test_the_same_text_has_the_same_vector_as_query_and_as_passage():
    assert await HashEmbedder().embed_queries(["Hello", ""]) == await HashEmbedder().embed_passages(
        ["hello", ""]
    )


def test_tokens_are_words_and_marks_and_two_special_ones():
    assert HashEmbedder().count_tokens("Where, please?") == 6


async def test_it_fails_when_told_to():
    embedder = HashEmbedder()
    embedder.fails = RetrievalUnavailable("down")

    with pytest.raises(RetrievalUnavailable):
        await embedder.embed_queries(["a"])
    assert embedder.embedded == []
