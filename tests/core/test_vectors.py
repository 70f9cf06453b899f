"""What a vector must be (FAULTS R-L14)."""

import math

import pytest

from bot.core.vectors import checked_query, checked_vectors
from bot.errors import RetrievalUnavailable


def test_unit_vectors_of_the_right_number_and_size_pass():
    assert checked_vectors([[0.6, 0.8], [1.0, 0.0]], count=2, dimension=2) == ((0.6, 0.8), (1.0, 0.0))


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        pytest.param([[1.0, 0.0]], "1 vectors for 2 texts", id="fewer vectors"),
        pytest.param([[1.0, 0.0]] * 3, "3 vectors for 2 texts", id="more vectors"),
        pytest.param([[1.0, 0.0], [1.0]], "1 dimensions instead of 2", id="other dimension"),
        pytest.param([[1.0, 0.0], [math.nan, 0.0]], "length nan", id="nan"),
        pytest.param([[1.0, 0.0], [math.inf, math.nan]], "length inf", id="infinity"),
        pytest.param([[1.0, 0.0], [0.0, 0.0]], "length 0", id="zero"),
        pytest.param([[1.0, 0.0], [1.01, 0.0]], r"length 1\.01", id="too long"),
    ],
)
def test_other_vectors_are_refused_with_the_reason(vectors, said):
    with pytest.raises(RetrievalUnavailable, match=said):
        checked_vectors(vectors, count=2, dimension=2)


def test_a_query_may_have_any_length():
    assert checked_query((0.1, 0.2), dimension=2) == (0.1, 0.2)


@pytest.mark.parametrize("vector", [(1.0,), (1.0, 0.0, 0.0), (math.nan, 0.0), (0.0, -math.inf)])
def test_a_query_that_cannot_be_compared_is_refused(vector):
    with pytest.raises(RetrievalUnavailable, match="query"):
        checked_query(vector, dimension=2)
