"""Which episode a customer may rate, what a comment may be, and what scores come to."""

import pytest

from bot.core.conversation import Status
from bot.core.ratings import (
    LONGEST_COMMENT,
    Rating,
    Satisfaction,
    cleaned_comment,
    finished_episode,
    in_force,
    satisfaction,
)
from bot.errors import InputRejected
from tests.builders import a_conversation


@pytest.mark.parametrize(
    ("status", "episode", "rated"),
    [
        (Status.RESOLVED, 1, 1),
        (Status.RESOLVED, 3, 3),
        (Status.BOT, 1, None),
        (Status.QUEUED, 1, None),
        (Status.BOT, 2, 1),
        (Status.QUEUED, 3, 2),
    ],
)
def test_only_a_finished_episode_can_be_rated_and_also_after_the_next_has_begun(status, episode, rated):
    assert finished_episode(a_conversation(status=status, episode=episode)) == rated


def test_a_comment_is_cleaned():
    assert cleaned_comment("  Quick\x00 and kind\r\n ") == "Quick and kind"
    assert cleaned_comment("x" * LONGEST_COMMENT) == "x" * LONGEST_COMMENT


@pytest.mark.parametrize(
    "raw", ["x" * (LONGEST_COMMENT + 1), "x" * 5_000, "\ud800"], ids=["long", "too long", "broken"]
)
def test_a_comment_that_cannot_be_kept_is_refused_by_name(raw):
    with pytest.raises(InputRejected, match="comment"):
        cleaned_comment(raw)


def test_the_last_rating_of_each_episode_counts():
    given = [Rating(message_id=str(n), episode=n % 2, score=n) for n in range(1, 5)]

    assert [rating.score for rating in in_force(given)] == [4, 3]
    assert in_force([]) == ()


def test_satisfaction_is_the_mean_and_none_of_nothing():
    assert satisfaction([5, 4, 3, 5]) == Satisfaction(count=4, mean=4.25)
    assert satisfaction(()) == Satisfaction(count=0, mean=None)
