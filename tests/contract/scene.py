"""One conversation on a store, and short words for what a customer, the bot and the agents do in it."""

from collections.abc import Sequence

from bot.core.audit import AuditRow, Change, owner, rebuilt
from bot.core.conversation import AgentId, Conversation, ConversationId, Message, TurnId
from bot.core.outcome import Handoff, Outcome
from bot.core.turn import Turn, TurnStart
from bot.ports import ConversationStore, Received, Snapshot
from tests.builders import (
    CONVERSATION,
    NOON_MS,
    a_bot_message,
    a_conversation,
    a_customer_message,
    a_turn,
    after,
    an_agent_message,
)

ANNA = AgentId("anna")


class Scene:
    """What happens in one conversation."""

    def __init__(self, store: ConversationStore, conversation: ConversationId) -> None:
        self.store = store
        self.id = conversation

    @classmethod
    async def open(
        cls, store: ConversationStore, conversation: ConversationId = CONVERSATION, **fields
    ) -> "Scene":
        """Open the conversation on *store*."""
        await store.open_conversation(a_conversation(id=conversation, **fields))
        return cls(store, conversation)

    async def customer_writes(
        self, text: str = "How do I reschedule a class?", *, at_ms: int = NOON_MS, **fields
    ) -> Received:
        """Store a customer message."""
        return await self.store.receive(a_customer_message(text, conversation=self.id, **fields), at_ms=at_ms)

    async def turn_begins(self, *, history: int = 20, turns_since_ms: int = 0) -> TurnStart:
        """Read what a turn needs; one must be owed."""
        start = await self.begun_turn(history=history, turns_since_ms=turns_since_ms)
        assert start is not None
        return start

    async def begun_turn(self, *, history: int = 20, turns_since_ms: int = 0) -> TurnStart | None:
        """Read what a turn needs; None when none is owed."""
        return await self.store.begin_turn(self.id, history=history, turns_since_ms=turns_since_ms)

    async def bot_shows(self, start: TurnStart, *texts: str, turn: str = "t1") -> None:
        """Show blocks of the running answer."""
        await self.store.show_blocks(start.fence, turn=TurnId(turn), texts=texts)

    async def bot_settles(
        self,
        start: TurnStart,
        outcome: Outcome | None = None,
        *,
        turn: str = "t1",
        messages: Sequence[Message] | None = None,
        **fields,
    ) -> Snapshot:
        """Commit a turn that says *messages*."""
        settled = a_turn(outcome, on=start.conversation, id=turn, **fields)
        said = [_said(settled)] if messages is None else messages
        return await self.store.commit_turn(settled, said, after(settled, start.conversation))

    async def bot_hands_over(self, outcome: Handoff, *, turn: str = "t1", **fields) -> Snapshot:
        """Let the customer write and the bot hand over."""
        await self.customer_writes(f"help, for turn {turn}")
        return await self.bot_settles(await self.turn_begins(), outcome, turn=turn, **fields)

    async def changes(
        self,
        read: Conversation,
        moved: Conversation,
        *messages: Message,
        who: str = "anna",
        what: str = "moved",
        at_ms: int = NOON_MS,
        detail: str = "",
    ) -> Snapshot:
        """Write a move by a person with what is said, and return what was written."""
        change = Change(who=who, what=what, at_ms=at_ms, messages=messages, detail=detail)
        return await self.store.change(read, moved, change)

    async def moves(self, read: Conversation, moved: Conversation, **fields) -> Conversation:
        """Write a move by a person, and return the state after it."""
        await self.changes(read, moved, **fields)
        return await self.state()

    async def agent_replies(
        self,
        text: str = "Let me look into it.",
        *,
        id: str = "r1",
        agent: AgentId = ANNA,
        at_ms: int = NOON_MS,
        read: Conversation | None = None,
    ) -> Snapshot:
        """Let the agent, who has seen the state *read*, say something."""
        read = await self.state() if read is None else read
        said = an_agent_message(text, id=id, author=agent, at_ms=at_ms)
        moved = read.replied_by(agent, now_ms=at_ms)
        return await self.changes(read, moved, said, who=agent, what="replied", at_ms=at_ms)

    async def agent_claims(self, agent: AgentId = ANNA) -> Conversation:
        """Let an agent claim the queued conversation."""
        read = await self.state()
        return await self.moves(read, read.claimed_by(agent, now_ms=NOON_MS), who=agent, what="claimed")

    async def agent_takes_over(self, agent: AgentId = ANNA) -> Conversation:
        """Let an agent take the conversation from the bot."""
        read = await self.state()
        return await self.moves(read, read.taken_over_by(agent, now_ms=NOON_MS), who=agent, what="took_over")

    async def agent_resolves(self, agent: AgentId = ANNA) -> Conversation:
        """Let the agent finish the conversation."""
        read = await self.state()
        return await self.moves(read, read.resolved_by(agent, now_ms=NOON_MS), who=agent, what="resolved")

    async def agent_returns_to_bot(self, agent: AgentId = ANNA) -> Conversation:
        """Let the agent give the conversation back to the bot."""
        read = await self.state()
        moved = read.returned_to_bot(agent, now_ms=NOON_MS)
        return await self.moves(read, moved, who=agent, what="returned_to_bot")

    async def state(self) -> Conversation:
        """Return the stored state."""
        return await self.store.conversation(self.id)

    async def seen(self) -> Snapshot:
        """Return all that the customer can see."""
        return await self.store.snapshot(self.id, after=0)

    async def texts(self) -> list[str]:
        """Return the texts of the messages that the customer can see."""
        return [message.text for message in (await self.seen()).messages]


def assert_rebuilds(rows: Sequence[AuditRow], state: Conversation) -> None:
    """Follow the audit from the opening and compare its end with the stored state (FAULTS H9)."""
    assert rows[0].before == ""
    assert rebuilt(rows) == owner(state)


def _said(turn: Turn) -> Message:
    text = "A person will help you." if isinstance(turn.outcome, Handoff) else "Open My Lessons."
    return a_bot_message(text, turn=turn.id, at_ms=turn.settled_ms)
