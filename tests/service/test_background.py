"""What runs beside the service begins at once, and is given a little time when the service stops."""

import asyncio

from bot.service.background import Background


async def test_what_is_quick_is_finished_and_what_is_slow_is_stopped():
    background, done = Background(), []
    never = asyncio.Event()

    async def quick() -> None:
        done.append("quick")

    async def slow() -> None:
        await never.wait()
        done.append("slow")

    background.start(quick(), name="quick")
    background.start(slow(), name="slow")
    await background.drain(grace_s=0.01)

    assert done == ["quick"]


async def test_nothing_begins_once_the_service_stops():
    background, done = Background(), []

    async def late() -> None:
        done.append("late")

    await background.drain(grace_s=0)
    background.start(late(), name="late")
    await asyncio.sleep(0)

    assert done == []
