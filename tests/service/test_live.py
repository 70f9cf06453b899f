"""Wake-ups inside one process: nobody waits for a slow watcher, and a stop reaches everyone."""

from bot.core.conversation import ConversationId, Role
from bot.service.live import (
    QUEUE_LIMIT,
    Changed,
    CutOff,
    DeskWatcher,
    LiveHub,
    Progressed,
    ReadUpTo,
    Step,
    Touched,
    Typed,
    Watcher,
)

HERE, ELSEWHERE = ConversationId("c1"), ConversationId("c2")


async def all_events(watcher: Watcher | DeskWatcher):
    return [event async for event in watcher.events()]


async def test_every_watcher_of_the_conversation_is_told_and_no_other():
    hub = LiveHub()
    with hub.watch(HERE) as one, hub.watch(HERE) as two, hub.watch(ELSEWHERE) as other:
        hub.publish(HERE, Progressed(step=Step.SEARCHING))
        hub.close()

        told = [Progressed(step=Step.SEARCHING), CutOff(overloaded=False)]
        assert [await all_events(w) for w in (one, two)] == [told, told]
        assert await all_events(other) == [CutOff(overloaded=False)]


async def test_a_watcher_that_never_reads_is_cut_off_and_its_queue_stays_bounded():
    """R-W11."""
    hub = LiveHub()
    with hub.watch(HERE) as slow:
        for _ in range(QUEUE_LIMIT * 3):
            hub.publish(HERE, Changed())

        events = await all_events(slow)

    assert len(events) == QUEUE_LIMIT + 1
    assert events[-1] == CutOff(overloaded=True)


async def test_a_slow_watcher_costs_the_others_nothing():
    hub = LiveHub()
    with hub.watch(HERE), hub.watch(HERE) as quick:
        reading = quick.events()
        for _ in range(QUEUE_LIMIT * 2):
            hub.publish(HERE, Changed())
            assert await anext(reading) == Changed()
        hub.close()

        assert await anext(reading) == CutOff(overloaded=False)


async def test_a_watcher_that_left_is_told_nothing():
    hub = LiveHub()
    with hub.watch(HERE) as gone:
        pass

    hub.publish(HERE, Changed())
    gone.offer(CutOff(overloaded=False))

    assert await all_events(gone) == [CutOff(overloaded=False)]


async def test_who_comes_to_a_closed_hub_is_cut_off_at_once():
    hub = LiveHub()
    hub.close()

    with hub.watch(HERE) as late:
        hub.publish(HERE, Changed())

        assert await all_events(late) == [CutOff(overloaded=False)]


async def test_a_second_close_changes_nothing():
    hub = LiveHub()
    with hub.watch(HERE) as watcher:
        hub.close()
        hub.close()

        assert await all_events(watcher) == [CutOff(overloaded=False)]


async def test_a_desk_is_told_of_every_conversation_that_it_lists_differently():
    hub = LiveHub()
    with hub.watch_all() as desk:
        hub.publish(HERE, Changed())
        hub.publish(ELSEWHERE, ReadUpTo(by=Role.AGENT, seq=2))
        hub.publish(ConversationId("c3"), Typed(by=Role.CUSTOMER))
        hub.publish(ConversationId("c4"), ReadUpTo(by=Role.CUSTOMER, seq=2))
        hub.close()

        told = [Touched(conversation=HERE), Touched(conversation=ELSEWHERE), CutOff(overloaded=False)]
        assert await all_events(desk) == told


async def test_a_desk_that_never_reads_holds_each_conversation_once_and_misses_none():
    """R-W11."""
    hub = LiveHub()
    with hub.watch_all() as slow:
        for _ in range(QUEUE_LIMIT * 3):
            hub.publish(HERE, Changed())
        hub.close()

        assert await all_events(slow) == [Touched(conversation=HERE), CutOff(overloaded=False)]


async def test_what_changes_while_a_desk_reads_is_told_again():
    hub = LiveHub()
    with hub.watch_all() as desk:
        hub.publish(HERE, Changed())
        reading = desk.events()
        assert await anext(reading) == Touched(conversation=HERE)

        hub.publish(HERE, Changed())

        assert await anext(reading) == Touched(conversation=HERE)


async def test_a_desk_that_left_or_comes_too_late_is_told_nothing():
    hub = LiveHub()
    with hub.watch_all() as gone:
        pass
    hub.publish(HERE, Changed())
    hub.close()
    gone.close()

    with hub.watch_all() as late:
        assert [await all_events(d) for d in (gone, late)] == [[CutOff(overloaded=False)]] * 2
