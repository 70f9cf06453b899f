"""A queue for the tests of waiting: conversations that are handed over, claimed and replied to, and stores that fail."""

from dataclasses import replace

from bot.adapters.memory.desk import MemoryDeskStore
from bot.core.audit import Change
from bot.core.business_hours import BusinessHours
from bot.core.conversation import AgentId, Conversation
from bot.core.desk_moves import Move, agent_message, claiming, replying
from bot.errors import StoreUnavailable
from bot.service.waiting import Waiting
from tests.builders import a_customer_message, a_handoff, a_turn
from tests.service.rig import REPLIES, Rig

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
# The rig's clock begins on Sunday, 15 June 2025, at 17:06 in Berlin.
WEEKDAYS = BusinessHours.from_text("Mon-Fri 09:00-17:00 Europe/Berlin")
ANA = AgentId("ana")


def a_waiting(rig: Rig, *, hours: BusinessHours | None = None, **fields) -> Waiting:
    desk = MemoryDeskStore(rig.store)
    return Waiting(
        store=rig.store, desk=desk, clock=rig.clock, live=rig.live, replies=REPLIES, hours=hours, **fields
    )


async def queued(rig: Rig, conversation: Conversation, *, at_ms: int) -> Conversation:
    """Open a conversation and hand it over."""
    await rig.store.open_conversation(conversation)
    message = a_customer_message(conversation=conversation.id)
    read = (await rig.store.receive(message, at_ms=at_ms)).conversation
    turn = a_turn(a_handoff(), on=read, id=f"turn of {conversation.id}")
    moved = read.queued(since_ms=at_ms, now_ms=at_ms)
    await rig.store.commit_turn(replace(turn, started_ms=at_ms, settled_ms=at_ms), (), moved)
    return await rig.store.conversation(conversation.id)


async def claimed(rig: Rig, conversation: Conversation) -> Conversation:
    """Let Ana claim a conversation."""
    return await _made(rig, claiming(conversation, rig.clock.now_ms(), agent=ANA))


async def replied(rig: Rig, conversation: Conversation, *, after_ms: int) -> Conversation:
    """Hand a new conversation over, and let Ana reply so much later."""
    waiting = await queued(rig, conversation, at_ms=rig.clock.now_ms())
    rig.clock.advance(after_ms)
    held = await claimed(rig, waiting)
    said = agent_message(ANA, "Let me see.", message_id="1")
    return await _made(rig, replying(held, rig.clock.now_ms(), agent=ANA, said=said, seen=held.last_seq))


async def _made(rig: Rig, move: Move) -> Conversation:
    change = Change(who=move.who, what=move.what, at_ms=rig.clock.now_ms(), messages=move.messages)
    return (await rig.store.change(move.read, move.moved, change)).conversation


class Unreadable:
    """A store in which one conversation cannot be read."""

    def __init__(self, inner, broken):
        self._inner, self._broken = inner, broken

    def __getattr__(self, name):
        return getattr(self._inner, name)

    async def snapshot(self, conversation, *, after):
        if conversation == self._broken:
            raise StoreUnavailable("read")
        return await self._inner.snapshot(conversation, after=after)


class FailsOnce:
    """A desk store whose first reading of the queue fails."""

    def __init__(self, inner):
        self._inner, self._failed = inner, False

    def __getattr__(self, name):
        return getattr(self._inner, name)

    async def queue(self):
        if not self._failed:
            self._failed = True
            raise StoreUnavailable("queue")
        return await self._inner.queue()
