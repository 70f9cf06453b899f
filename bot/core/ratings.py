"""What customers say of a finished episode: a score and a few words, changeable until the next one. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean

from bot.core.conversation import Conversation, Status
from bot.core.inbound import clean_text
from bot.errors import InputRejected

LOWEST, HIGHEST = 1, 5
LONGEST_COMMENT = 1_000  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rating of an episode; `message_id` makes a repeat recognisable. Of several the last one that was given counts."""

    message_id: str
    episode: int
    score: int
    comment: str = ""
    at_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Satisfaction:
    """How many episodes were rated, and their mean score; None without any."""

    count: int = 0
    mean: float | None = None


def finished_episode(conversation: Conversation) -> int | None:
    """Return the last episode that was resolved, which the customer may rate; None while there is none."""
    if conversation.status is Status.RESOLVED:
        return conversation.episode
    return conversation.episode - 1 if conversation.episode > 1 else None


def cleaned_comment(raw: str) -> str:
    """Return a comment as it is kept; InputRejected when it is too long or not valid Unicode."""
    comment = clean_text(raw, field="comment")
    if len(comment) > LONGEST_COMMENT:
        problem = f"is {len(comment):,} characters long"
        raise InputRejected("comment", problem, f"shorten it to {LONGEST_COMMENT:,} characters")
    return comment


def in_force(ratings: Iterable[Rating]) -> tuple[Rating, ...]:
    """Return the one rating of each episode that counts, by episode, of all in the order in which they were given."""
    last = {rating.episode: rating for rating in ratings}
    return tuple(last[episode] for episode in sorted(last))


def is_repeat(stored: Rating, given: Rating) -> bool:
    """Say whether *given* says what *stored* did under the same id; the time and the episode are ours, not the customer's."""
    return (stored.score, stored.comment) == (given.score, given.comment)


def satisfaction(scores: Collection[int]) -> Satisfaction:
    """Return how satisfied customers were, by their scores."""
    return Satisfaction(count=len(scores), mean=fmean(scores) if scores else None)
