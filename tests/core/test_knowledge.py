"""Which vectors may be compared: everything that changes them is part of the fingerprint."""

from dataclasses import replace

import pytest

from bot.core.knowledge import Fingerprint, SearchQuery

SHIPPED = Fingerprint(provider="local", model="minilm", dimension=384, chunker="c1")


def test_a_fingerprint_is_written_as_one_word():
    assert str(SHIPPED) == "local/minilm/384/unit/c1"


@pytest.mark.parametrize(
    "other",
    [
        {"provider": "voyage"},
        {"model": "e5"},
        {"dimension": 512},
        {"chunker": "c2"},
        {"normalisation": "none"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_any_difference_makes_another_fingerprint(other):
    assert str(replace(SHIPPED, **other)) != str(SHIPPED)


def test_a_search_sees_only_active_articles_unless_told_otherwise():
    assert SearchQuery(vector=(1.0,), locales=("en",)).statuses == {"active"}
