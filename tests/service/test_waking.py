"""Open views follow what another process writes, and a store that fails for a while does not end that."""

import asyncio

from bot.core.conversation import ConversationId
from bot.errors import StoreUnavailable
from bot.service.live import Changed, LiveHub
from bot.service.waking import Waking
from tests.waiting import wait_until

CONVERSATION = ConversationId("c1")


class Others:
    """What other processes have written, look by look."""

    def __init__(self, *looks: frozenset[ConversationId] | StoreUnavailable) -> None:
        self.looks = list(looks)

    async def changed(self) -> frozenset[ConversationId]:
        found = self.looks.pop(0) if self.looks else frozenset[ConversationId]()
        if isinstance(found, StoreUnavailable):
            raise found
        return found

    async def woken(self, *, within_s: float) -> None:
        await asyncio.sleep(within_s)


async def test_a_view_is_woken_after_a_look_that_failed():
    live, others = LiveHub(), Others(StoreUnavailable("disk"), frozenset({CONVERSATION}))
    with live.watch(CONVERSATION) as watcher, live.watch(ConversationId("c2")) as of_another:
        running = asyncio.create_task(Waking(elsewhere=others, live=live, every_s=0.001).run_forever())

        assert await anext(aiter(watcher.events())) == Changed()
        await wait_until(lambda: not others.looks)
        running.cancel()

        assert of_another._events.empty()
