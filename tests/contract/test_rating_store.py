"""What customers say of finished episodes: kept once, changeable, and the last one counts."""

import asyncio
from dataclasses import replace

import pytest

from bot.adapters.memory.conversations import MemoryConversationStore
from bot.adapters.memory.ratings import MemoryRatingStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.ratings import MongoRatingStore
from bot.adapters.sqlite.ratings import SqliteRatingStore
from bot.core.conversation import ConversationId
from bot.core.ratings import Rating
from bot.errors import ConversationUnknown, MessageConflict
from tests.builders import CONVERSATION, NOON_MS, a_conversation

GOOD = Rating(message_id="r1", episode=1, score=5, comment="Quick and kind 👍", at_ms=NOON_MS)
BAD = Rating(message_id="r2", episode=1, score=1, at_ms=NOON_MS + 9)
OTHER = ConversationId("c2")


@pytest.fixture
async def ratings(store, request):
    """The ratings of the same conversations, of which two are open."""
    for conversation in (CONVERSATION, OTHER):
        await store.open_conversation(a_conversation(id=conversation))
    if isinstance(store, MemoryConversationStore):
        return MemoryRatingStore(store)
    if isinstance(store, MongoConversationStore):
        return MongoRatingStore(store.database)
    return SqliteRatingStore(request.getfixturevalue("database"))


async def test_a_rating_comes_back_as_it_was_given(ratings):
    assert await ratings.ratings(CONVERSATION) == ()

    assert await ratings.rate(CONVERSATION, GOOD) == GOOD
    assert await ratings.ratings(CONVERSATION) == (GOOD,)
    assert await ratings.ratings(OTHER) == ()


async def test_a_later_rating_takes_the_place_of_an_episodes_earlier_one(ratings):
    second_episode = replace(GOOD, message_id="r3", episode=2)
    for rating in (GOOD, second_episode, BAD):
        await ratings.rate(CONVERSATION, rating)

    assert await ratings.ratings(CONVERSATION) == (BAD, second_episode)


async def test_a_late_repeat_of_an_earlier_rating_changes_nothing(ratings):
    await ratings.rate(CONVERSATION, GOOD)
    await ratings.rate(CONVERSATION, BAD)

    assert await ratings.rate(CONVERSATION, replace(GOOD, episode=7, at_ms=NOON_MS + 99)) == GOOD
    assert await ratings.ratings(CONVERSATION) == (BAD,)


async def test_a_hundred_repeats_are_one_rating(ratings):
    given = await asyncio.gather(*(ratings.rate(CONVERSATION, GOOD) for _ in range(100)))

    assert set(given) == {GOOD}
    assert await ratings.scores(since_ms=0, until_ms=2 * NOON_MS) == (5,)


@pytest.mark.parametrize("other", [{"score": 4}, {"comment": ""}], ids=str)
async def test_the_same_id_with_another_body_is_a_conflict(ratings, other):
    await ratings.rate(CONVERSATION, GOOD)

    with pytest.raises(MessageConflict):
        await ratings.rate(CONVERSATION, replace(GOOD, **other))
    assert await ratings.ratings(CONVERSATION) == (GOOD,)


async def test_the_same_id_in_another_conversation_is_another_rating(ratings):
    await ratings.rate(CONVERSATION, GOOD)

    assert await ratings.rate(OTHER, replace(GOOD, score=2)) == replace(GOOD, score=2)


async def test_the_scores_of_a_span_are_those_in_force(ratings):
    await ratings.rate(CONVERSATION, GOOD)
    await ratings.rate(OTHER, replace(GOOD, score=3))
    await ratings.rate(CONVERSATION, replace(BAD, at_ms=NOON_MS + 1_000))

    assert await ratings.scores(since_ms=NOON_MS, until_ms=NOON_MS + 1_000) == (3,)
    assert sorted(await ratings.scores(since_ms=NOON_MS, until_ms=NOON_MS + 1_001)) == [1, 3]
    assert await ratings.scores(since_ms=NOON_MS + 1_001, until_ms=NOON_MS + 2_000) == ()


async def test_an_unknown_conversation_has_no_ratings(ratings):
    nobody = ConversationId("nobody")

    with pytest.raises(ConversationUnknown):
        await ratings.rate(nobody, GOOD)
    with pytest.raises(ConversationUnknown):
        await ratings.ratings(nobody)
