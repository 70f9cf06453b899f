"""Many conversations are told at once: each thread keeps its order and has each thing once, whatever the others go through."""

import asyncio
import random
from contextlib import suppress
from itertools import pairwise

import pytest

from bot.channels.slack.keys_of_posts import card_key
from bot.channels.slack.speaking import IN_FLIGHT_MS
from bot.core.conversation import ConversationId
from bot.core.slack_rows import Side
from tests.builders import a_conversation
from tests.channels.slack.sending_rig import Sending, a_sending
from tests.vendors.slack_faults import breaks, drops, garbles, hangs, limits, works
from tests.vendors.slack_server import ANYTHING, DESK
from tests.waiting import wait_until

CONVERSATIONS = tuple(ConversationId(f"together-{number}") for number in range(6))
TEXTS = ("first", "second", "third")
FAULTS = (
    limits("1"),
    limits("2.5"),
    limits(None),
    breaks(500),
    drops(),
    drops(after=True),
    garbles(after=True),
)


async def handed_over(sending: Sending) -> None:
    """Let several customers be handed over, and go on writing."""
    for conversation in CONVERSATIONS:
        await sending.rig.store.open_conversation(a_conversation(id=conversation))
        sending.rig.conversation = conversation
        await sending.claimed()
        for text in TEXTS:
            await sending.customer_says(f"{conversation} {text}", id=f"{conversation} {text}")


async def rooms(sending: Sending) -> dict[ConversationId, list[str]]:
    """Return what customers wrote in the thread of each card."""
    found = {}
    for conversation in CONVERSATIONS:
        (thread,) = [t for t in await sending.store.threads_of(conversation) if t.side is Side.DESK]
        lines = sending.server.transcript(DESK, thread.place.thread_ts)
        found[conversation] = [line.rpartition("\n")[2] for line in lines if "* wrote\n" in line]
    return found


@pytest.mark.parametrize("seed", range(4))
async def test_every_thread_keeps_its_order_under_any_faults(slack, seed):
    sending = await a_sending(slack)
    await handed_over(sending)
    chance = random.Random(seed)  # noqa: S311 - which call fails is no secret
    faults = [chance.choice(FAULTS) if chance.random() < 0.3 else works() for _ in range(60)]
    slack.fails(ANYTHING, *faults)

    await sending.told_in_the_end()

    assert await rooms(sending) == {one: [f"{one} {text}" for text in TEXTS] for one in CONVERSATIONS}
    assert len(sending.cards()) == len(CONVERSATIONS)
    at_s = [call.at_s for call in slack.calls if call.method.startswith("chat.")]
    assert min(later - earlier for earlier, later in pairwise(at_s)) >= 1.0


@pytest.mark.parametrize("after", [True, False], ids=["it was stored", "it was not"])
async def test_what_takes_too_long_is_given_up_and_looked_for(slack, after):
    sending = await a_sending(slack)
    await sending.desk.hand_over()
    slack.fails("chat.postMessage", hangs(after=after))
    (row,) = await sending.waiting()
    telling = asyncio.create_task(sending.notifier.tell(row))
    await wait_until(lambda: slack.called("chat.postMessage"))

    telling.cancel()
    with suppress(asyncio.CancelledError):
        await telling
    begun = await sending.store.post(card_key(sending.id, row.epoch))
    sending.rig.clock.advance(IN_FLIGHT_MS)
    await sending.told_in_the_end()

    assert begun is not None
    assert begun.ts is None
    assert len(sending.cards()) == 1
