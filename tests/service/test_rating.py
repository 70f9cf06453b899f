"""What customers say of a finished episode: once, changeable, and only of what was finished."""

import pytest

from bot.adapters.memory.ratings import MemoryRatingStore
from bot.core.audit import Change
from bot.core.conversation import AgentId
from bot.errors import InputRejected, MessageConflict, MoveRefused
from bot.service.live import Changed
from bot.service.rating import RatingService
from tests.service.rig import QUESTION, Rig


def service_of(rig: Rig) -> RatingService:
    return RatingService(
        store=rig.store, ratings=MemoryRatingStore(rig.store), clock=rig.clock, live=rig.live
    )


async def resolve(rig: Rig) -> None:
    """Let an agent take the conversation over and finish it."""
    await rig.take_over()
    held = await rig.state()
    moved = held.resolved_by(AgentId("ana"), now_ms=rig.clock.now_ms())
    await rig.store.change(held, moved, Change(who="ana", what="resolved", at_ms=rig.clock.now_ms()))


@pytest.fixture
async def resolved(rig: Rig) -> Rig:
    await rig.ask(QUESTION)
    await resolve(rig)
    return rig


async def test_a_finished_episode_is_rated(resolved: Rig):
    service = service_of(resolved)

    rating = await service.rate(resolved.conversation, message_id="r1", score=4, comment=" Quick! ")

    assert (rating.episode, rating.score, rating.comment) == (1, 4, "Quick!")
    assert await service.score_of(await resolved.state()) == 4


async def test_nothing_is_rated_while_nothing_is_finished(rig: Rig):
    await rig.ask(QUESTION)

    with pytest.raises(MoveRefused):
        await service_of(rig).rate(rig.conversation, message_id="r1", score=5)
    assert await service_of(rig).score_of(await rig.state()) is None


async def test_a_customer_may_think_again(resolved: Rig):
    service = service_of(resolved)
    await service.rate(resolved.conversation, message_id="r1", score=1)

    await service.rate(resolved.conversation, message_id="r2", score=5)

    assert await service.score_of(await resolved.state()) == 5
    assert [rating.score for rating in await service.ratings.ratings(resolved.conversation)] == [5]


async def test_a_repeat_after_the_next_episode_began_stays_with_its_own(resolved: Rig):
    service = service_of(resolved)
    await service.rate(resolved.conversation, message_id="r1", score=2)
    await resolved.ask("One more thing: how do I reschedule a class?")
    await resolve(resolved)

    repeated = await service.rate(resolved.conversation, message_id="r1", score=2)

    assert repeated.episode == 1
    assert await service.score_of(await resolved.state()) is None


async def test_a_rating_that_comes_after_the_customer_wrote_again_is_of_what_was_finished(resolved: Rig):
    await resolved.ask(QUESTION)

    rating = await service_of(resolved).rate(resolved.conversation, message_id="r1", score=3)

    assert rating.episode == 1
    assert await service_of(resolved).score_of(await resolved.state()) is None


async def test_another_body_under_the_same_id_and_a_long_comment_are_refused(resolved: Rig):
    service = service_of(resolved)
    await service.rate(resolved.conversation, message_id="r1", score=5)

    with pytest.raises(MessageConflict):
        await service.rate(resolved.conversation, message_id="r1", score=1)
    with pytest.raises(InputRejected):
        await service.rate(resolved.conversation, message_id="r2", score=5, comment="x" * 1_001)


async def test_whoever_watches_is_told(resolved: Rig):
    with resolved.live.watch(resolved.conversation) as watcher:
        await service_of(resolved).rate(resolved.conversation, message_id="r1", score=5)

        assert await anext(aiter(watcher.events())) == Changed()
