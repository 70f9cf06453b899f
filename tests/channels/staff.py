"""The people of the desk, as a test says they are, and what Ana does to a conversation in front of its customer."""

from dataclasses import dataclass, field

from bot.channels.widget.standing import Names, Standings
from bot.core.audit import Change
from bot.core.conversation import AgentId, Conversation, ConversationId
from bot.core.desk import ReadMarks, Resolution
from bot.core.desk_moves import Move, agent_message, claiming, replying, resolving, revising
from bot.core.revisions import agents_revision
from bot.core.waiting import Wait
from bot.service.live import Changed
from tests.channels.rig import Rig
from tests.service.rig import REPLIES

ANA = AgentId("a1")


@dataclass(slots=True, kw_only=True)
class Staff:
    """What is said of any conversation."""

    wait: Wait = field(default_factory=Wait)
    known: Names = field(default_factory=lambda: {ANA: "Ana"})
    reads: ReadMarks = field(default_factory=ReadMarks)

    @property
    def standings(self) -> Standings:
        return Standings(wait_of=self._wait_of, names=self._names, read_marks=self._read_marks)

    async def _wait_of(self, _conversation: Conversation) -> Wait:
        return self.wait

    async def _names(self) -> Names:
        return self.known

    async def _read_marks(self, _conversation: ConversationId) -> ReadMarks:
        return self.reads


async def claim(rig: Rig, conversation: ConversationId) -> None:
    """Let Ana take a conversation."""
    read = await rig.store.conversation(conversation)
    await _make(rig, claiming(read, rig.clock.now_ms(), agent=ANA))


async def reply(rig: Rig, conversation: ConversationId, text: str) -> None:
    """Let Ana say *text*, having seen all that the customer wrote."""
    read = await rig.store.conversation(conversation)
    said = agent_message(ANA, text, message_id=rig.clock.new_id())
    await _make(rig, replying(read, rig.clock.now_ms(), agent=ANA, said=said, seen=read.last_customer_seq))


async def revise(rig: Rig, conversation: ConversationId, text: str | None, *, revision: str = "1") -> None:
    """Let Ana edit what she said last, or without a text delete it."""
    read = await rig.store.conversation(conversation)
    said = (await rig.store.snapshot(conversation, after=0)).messages
    sent = [m for m in said if m.author == ANA and m.revises is None][-1]
    edit = agents_revision(sent, text, revision=revision)
    await _make(rig, revising(read, rig.clock.now_ms(), agent=ANA, revision=edit))


async def resolve(rig: Rig, conversation: ConversationId) -> None:
    """Let Ana finish a conversation that she has, having seen all that the customer wrote."""
    read = await rig.store.conversation(conversation)
    done, seen = Resolution.ANSWERED, read.last_customer_seq
    move = resolving(read, rig.clock.now_ms(), agent=ANA, code=done, seen=seen, replies=REPLIES)
    await _make(rig, move)


async def _make(rig: Rig, move: Move) -> None:
    change = Change(who=move.who, what=move.what, at_ms=rig.clock.now_ms(), messages=move.messages)
    await rig.store.change(move.read, move.moved, change)
    rig.live.publish(move.read.id, Changed())
