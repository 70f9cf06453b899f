"""What can happen to the conversation, in short words; whoever acts remembers what was acknowledged and what was refused."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.core.conversation import CLAIM_LEASE_MS, AgentId, Conversation, Status
from bot.core.desk import Resolution
from bot.core.outcome import Answer, ReasonCode
from bot.errors import Refused
from tests.builders import a_customer_message, a_handoff, a_revision
from tests.protocol.bot import Order
from tests.protocol.promises import Diary
from tests.protocol.world import ANNA, BEN, World

BLOCK = "Open My Lessons."
ORDERS: dict[str, Order] = {
    "shows": BLOCK,
    "answers": Answer(text=BLOCK, sources=()),
    "hands over": a_handoff(ReasonCode.TURN_LOST),
    "breaks": RuntimeError("a defect"),
}
ACTS = ("claims", "replies", "repeats", "releases", "transfers", "returns", "resolves", "lives")
HOLDERS = ("replies", "releases", "transfers", "returns", "resolves")
LAPSE_MS = CLAIM_LEASE_MS + 1_000
LONGEST_PAUSE_MS = 1_000_000  # more than the relay waits between two attempts


@dataclass(slots=True)
class Life:
    """One conversation in one world after another."""

    world: World
    diary: Diary = field(default_factory=Diary)
    written: int = 0
    revisions: int = 0
    newest_reply: tuple[AgentId, str] | None = None

    async def customer_writes(self) -> None:
        self.written += 1
        await self._customer_sends(f"m{self.written}")

    async def customer_repeats(self) -> None:
        """The customer's browser did not hear that its newest message arrived."""
        if self.written:
            await self._customer_sends(f"m{self.written}")

    async def customer_revises(self, *, deletes: bool) -> None:
        """The customer edits or deletes the newest message, if that has arrived."""
        if f"m{self.written}" not in self.diary.acknowledged:
            return
        self.revisions += 1
        text = None if deletes else f"edit {self.revisions}"
        revision = a_revision(f"m{self.written}", text, revision=f"{self.revisions:04}")
        self.diary.sent[revision.channel_message_id] = revision.text
        received = await self.world.customers.receive(revision)
        await self.world.quiet()
        if not received.duplicate:
            self.diary.acknowledged[revision.channel_message_id] = received.message.seq

    async def customer_asks(self, bot: str) -> None:
        """The customer writes, and the bot settles it."""
        await self.customer_writes()
        await self.bot(bot)

    async def bot(self, does: str) -> None:
        self.diary.shown |= {BLOCK} if does == "shows" else set()
        await self.world.order(ORDERS[does])

    async def agent(self, agent: AgentId | None, does: str) -> None:
        """Do it, or be refused; where nobody is named, whoever has the conversation does it."""
        try:
            await self.act(agent, does)
        except Refused:
            return
        finally:
            await self.world.quiet()

    async def act(self, named: AgentId | None, does: str) -> None:
        """Do it; Refused."""
        desk, conversation = self.world.desk, self.world.conversation
        state = await self.world.store.conversation(conversation)
        agent, seen = named or state.agent or ANNA, state.last_customer_seq
        acts: dict[str, Callable[[], Awaitable[object]]] = {
            "claims": lambda: desk.claim(conversation, agent),
            "replies": lambda: self._agent_says(agent, seen),
            "repeats": lambda: self._agent_repeats(seen),
            "releases": lambda: desk.release(conversation, agent),
            "transfers": lambda: desk.transfer(conversation, agent, to=BEN if agent == ANNA else ANNA),
            "returns": lambda: desk.return_to_bot(conversation, agent),
            "resolves": lambda: desk.resolve(conversation, agent, Resolution.ANSWERED, seen=seen),
            "lives": lambda: desk.renew(agent),
        }
        now_ms = self.world.clock.now_ms()
        done = await acts[does]()
        if does in HOLDERS and state.agent == agent and now_ms == self.world.clock.now_ms():
            assert (state.lease_until_ms or 0) > now_ms
        if isinstance(done, Conversation) and done.status is Status.RESOLVED:
            assert done.last_customer_seq == seen

    async def lease_passes(self) -> None:
        """Let more time pass than a claim lives without a sign of life, or a turn without an end; and sweep."""
        self.world.clock.advance(LAPSE_MS)
        await self.sweep()

    async def sweep(self) -> None:
        await self.world.sweep.hand_over_lost()
        await self.world.desk.expire_leases()
        await self.world.waiting.tell_waiting()
        await self.world.quiet()

    async def relay(self, *, fails: bool = False) -> None:
        self.world.post.fails = fails
        await self.world.relay.finish()
        self.world.post.fails = False

    async def come_to_rest(self) -> None:
        """Let everything be done that is owed."""
        self.world.clock.advance(LONGEST_PAUSE_MS)
        await self.sweep()
        await self.relay()

    async def _customer_sends(self, message_id: str) -> None:
        self.diary.sent[message_id] = f"text of {message_id}"
        message = a_customer_message(f"text of {message_id}", channel_message_id=message_id)
        received = await self.world.customers.receive(message)
        await self.world.quiet()
        self.diary.acknowledged.setdefault(message_id, received.message.seq)
        assert received.message.seq == self.diary.acknowledged[message_id]

    async def _agent_says(self, agent: AgentId, seen: int) -> None:
        message_id = f"r{len(self.diary.sent)}"
        self.newest_reply = agent, message_id
        await self._agent_sends(agent, message_id, seen)

    async def _agent_repeats(self, seen: int) -> None:
        """The button of the newest reply is pressed once more."""
        if self.newest_reply is not None:
            await self._agent_sends(*self.newest_reply, seen)

    async def _agent_sends(self, agent: AgentId, message_id: str, seen: int) -> None:
        key, text = f"agent:{agent}:{message_id}", f"text of {message_id}"
        self.diary.sent[key] = text
        try:
            stored = await self.world.desk.reply(
                self.world.conversation, agent, text=text, message_id=message_id, seen=seen
            )
        except Refused:
            self.diary.refused |= {key} - self.diary.acknowledged.keys()
            raise
        self.diary.refused.discard(key)
        self.diary.acknowledged.setdefault(key, stored.seq)
        assert stored.seq == self.diary.acknowledged[key]
