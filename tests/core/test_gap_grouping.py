"""Questions that mean the same come together: each in exactly one group, whatever the order they come in."""

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.matrix_clusters import MatrixClusters
from bot.adapters.memory.clusters import PlainClusters
from bot.core.gap_grouping import LEAST_MEAN_COSINE, average_link, grouped, points_of
from tests.builders import NOON_MS
from tests.core.gap_builders import a_gap_question, a_point

CLUSTERINGS = [pytest.param(PlainClusters, id="plain"), pytest.param(MatrixClusters, id="matrix")]
VECTORS = st.lists(st.tuples(*[st.integers(-9, 9)] * 3).filter(any), min_size=1, max_size=14)
TEXTS = ("a ramp", "A ramp?", "is there a ramp", "a lift", "opening hours", "?!", "…")


def unit(vector):
    length = math.hypot(*vector)
    return tuple(number / length for number in vector)


def at(degrees):
    return (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))


def mean_cosine(vectors, one, other):
    pairs = [(vectors[a], vectors[b]) for a in one for b in other]
    return sum(x * y for a, b in pairs for x, y in zip(a, b, strict=True)) / len(pairs)


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@given(drawn=VECTORS)
def test_every_point_is_in_exactly_one_group(clustering, drawn):
    groups = average_link(clustering([unit(v) for v in drawn]), len(drawn), least=0.5)

    assert sorted(point for group in groups for point in group) == list(range(len(drawn)))


@pytest.mark.parametrize("clustering", CLUSTERINGS)
@given(drawn=VECTORS)
def test_no_two_groups_are_as_near_as_the_points_of_one_must_be(clustering, drawn):
    vectors = [unit(v) for v in drawn]

    groups = average_link(clustering(vectors), len(drawn), least=0.5)

    between = [mean_cosine(vectors, a, b) for a in groups for b in groups if a < b]
    assert all(cosine < 0.5 + 1e-5 for cosine in between)


@settings(max_examples=50)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 25))
def test_the_matrix_and_its_plain_twin_find_the_same_groups(seed, count):
    random = Random(seed)  # noqa: S311 - no secret
    vectors = [unit([random.gauss(0, 1) for _ in range(4)]) for _ in range(count)]

    found = [
        average_link(clustering(vectors), count, least=0.4) for clustering in (PlainClusters, MatrixClusters)
    ]

    assert found[0] == found[1]


@pytest.mark.parametrize("clustering", CLUSTERINGS)
def test_the_nearest_are_joined_first(clustering):
    # 0 and 20 are nearer to each other than 20 to 45: at a mean cosine of .85 all would not fit together.
    groups = average_link(clustering([at(0), at(20), at(45), at(180)]), 4, least=0.85)

    assert groups == ((0, 1), (2,), (3,))


@pytest.mark.parametrize("clustering", CLUSTERINGS)
def test_points_that_are_all_the_same_are_one_group(clustering):
    assert average_link(clustering([at(30)] * 5), 5, least=0.99) == ((0, 1, 2, 3, 4),)


@given(
    asked=st.lists(
        st.tuples(st.sampled_from(TEXTS), st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=12
    ),
    seed=st.randoms(use_true_random=False),
)
def test_the_same_questions_give_the_same_groups_in_any_order(asked, seed):
    questions = [
        a_gap_question(text, turn=f"t{n}", asker=f"customer {asker}", at_ms=NOON_MS + at_ms)
        for n, (text, asker, at_ms) in enumerate(asked)
    ]
    shuffled = list(questions)
    seed.shuffle(shuffled)

    groups = groups_of(questions)

    assert groups_of(shuffled) == groups
    assert sorted(q.id for g in groups for q in g.questions) == sorted(q.id for q in questions)
    assert all(len(g.askers) == len({q.asker for q in g.questions}) for g in groups)


def groups_of(questions):
    points = points_of(questions)
    vectors = [at(len(point.text) * 7) for point in points]
    return grouped(points, vectors, PlainClusters)


def test_what_is_asked_in_the_same_words_is_one_point_written_as_most_often():
    questions = [
        a_gap_question(text, turn=f"t{n}")
        for n, text in enumerate(
            ("is there a RAMP", "Is there a ramp?", "Is there  a ramp?", "Is there a ramp?")
        )
    ]

    (point,) = points_of(questions)

    assert (point.text, len(point.questions)) == ("Is there a ramp?", 4)


def test_what_has_no_words_is_told_apart_all_the_same():
    assert len(points_of([a_gap_question("?"), a_gap_question("!", turn="t2")])) == 2


def test_the_most_typical_question_comes_first():
    points = [a_point(a_gap_question(text, turn=text)) for text in ("edge", "middle", "other edge")]

    (group,) = grouped(points, [at(0), at(25), at(50)], PlainClusters)

    assert group.points[0].text == "middle"


def test_more_customers_move_the_centre():
    many = [a_gap_question("edge", turn=f"t{n}", asker=f"customer {n}") for n in range(9)]
    points = [
        a_point(*many),
        a_point(a_gap_question("middle", turn="m")),
        a_point(a_gap_question("far", turn="f")),
    ]

    (group,) = grouped(points, [at(0), at(25), at(50)], PlainClusters)

    assert group.points[0].text == "edge"


def test_groups_come_with_those_that_most_customers_asked_first():
    two = [a_gap_question("ramp", turn=f"t{n}", asker=f"customer {n}") for n in range(2)]
    twice = [a_gap_question("lift", turn=f"l{n}", asker="the same") for n in range(5)]

    groups = grouped([a_point(*twice), a_point(*two)], [at(0), at(90)], PlainClusters)

    assert [(group.points[0].text, len(group.askers)) for group in groups] == [("ramp", 2), ("lift", 1)]


def test_nothing_asked_is_no_group():
    assert grouped((), (), PlainClusters) == ()
    assert 0 < LEAST_MEAN_COSINE < 1
