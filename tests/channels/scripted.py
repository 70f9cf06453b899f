"""A bot that answers by script, so that channel tests need neither articles nor a model: store and live events are real."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from bot.core.conversation import Conversation, ConversationId, Kind, Message, Role, Source, TurnId
from bot.core.outcome import Answer, Ask, Courtesy, CourtesyKind, Handoff, Outcome, ReasonCode
from bot.core.turn import Turn, TurnStart
from bot.errors import ConversationChanged
from bot.ports import Clock, ConversationStore
from bot.service.live import Changed, DraftShown, LiveHub, Progressed, Step

RESCHEDULE = Source(
    id="KB000003",
    title="How to Reschedule a Lesson",
    url="/articles/KB000003",
)
STEPS = "1. Open **My lessons**.\n2. Click **Reschedule**.\n3. Pick a new time and confirm it."
SAID = {
    ReasonCode.CUSTOMER_ASKED: "Of course. A person from our team will read this and reply here.",
    ReasonCode.NO_EVIDENCE: "I found no article about this, so I have asked our team to help you.",
    ReasonCode.RECORDS_UNAVAILABLE: "I couldn't check this in your account. That does not mean there is nothing there.",
    ReasonCode.UNRESOLVED: "Sorry that this did not help. I have asked our team to help you.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the bot says to a message: blocks to show one by one, then its outcome."""

    outcome: Outcome
    text: str
    blocks: Sequence[str] = ()


def by_keyword(message: Message) -> Reply:
    """The script that browser tests share with the demo page's three questions."""
    text = message.text.lower()
    if message.kind is Kind.PERSON_REQUEST or "person" in text:
        return handing_over(ReasonCode.CUSTOMER_ASKED)
    if message.kind is Kind.FEEDBACK and text == "no":
        return handing_over(ReasonCode.UNRESOLVED)
    if message.kind is Kind.FEEDBACK:
        return Reply(outcome=Courtesy(kind=CourtesyKind.THANKS), text="Glad that it helped.")
    if "reschedule" in text:
        return answering("From our article:", STEPS)
    if "change" in text:
        question = "Does it start in more or less than 24 hours?"
        return Reply(outcome=Ask(text=question, options=("More than 24 hours", "Less")), text=question)
    return handing_over(ReasonCode.NO_EVIDENCE)


def answering(*blocks: str, sources: tuple[Source, ...] = (RESCHEDULE,)) -> Reply:
    text = "\n\n".join(blocks)
    return Reply(outcome=Answer(text=text, sources=sources), text=text, blocks=blocks)


def handing_over(reason: ReasonCode) -> Reply:
    return Reply(outcome=Handoff(reason=reason), text=SAID[reason])


@dataclass(slots=True, kw_only=True)
class ScriptedTurns:
    """Starts turns that follow the script. Clear `may_finish` to hold them before their outcome."""

    store: ConversationStore
    clock: Clock
    live: LiveHub
    script: Callable[[Message], Reply] = by_keyword
    may_finish: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.may_finish.set()

    def start(self, conversation: ConversationId) -> None:
        task = asyncio.create_task(self._run(conversation))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def drop(self, conversation: ConversationId) -> None:
        """Its fence has failed; the script needs no more."""

    async def _run(self, conversation: ConversationId) -> None:
        begun = await self.store.begin_turn(conversation, history=10, turns_since_ms=0)
        if begun is not None:
            try:
                await self._settle(begun, self.script(begun.unanswered[-1]))
            except ConversationChanged:
                return  # a newer message has a turn of its own
            self.live.publish(conversation, Changed())

    async def _settle(self, begun: TurnStart, reply: Reply) -> None:
        turn = TurnId(self.clock.new_id())
        conversation = begun.conversation.id
        self.live.publish(conversation, Progressed(step=Step.SEARCHING))
        for position, text in enumerate(reply.blocks):
            await self.store.show_blocks(begun.fence, turn=turn, texts=[text])
            self.live.publish(conversation, Progressed(step=Step.WRITING))
            self.live.publish(conversation, DraftShown(turn=turn, position=position, text=text))
        await self.may_finish.wait()
        now_ms = self.clock.now_ms()
        record = Turn(
            id=turn,
            fence=begun.fence,
            outcome=reply.outcome,
            covers=tuple(message.seq for message in begun.unanswered),
            started_ms=now_ms,
            settled_ms=now_ms,
        )
        await self.store.commit_turn(
            record, [_message(reply, turn)], _moved(begun, reply.outcome, now_ms=now_ms)
        )


def _message(reply: Reply, turn: TurnId) -> Message:
    outcome = reply.outcome
    return Message(
        seq=0,
        role=Role.BOT,
        text=reply.text,
        turn=turn,
        sources=outcome.sources if isinstance(outcome, (Answer, Ask)) else (),
        options=outcome.options if isinstance(outcome, Ask) else (),
        reason=outcome.reason if isinstance(outcome, Handoff) else None,
        refusal=isinstance(outcome, Handoff),
    )


def _moved(begun: TurnStart, outcome: Outcome, *, now_ms: int) -> Conversation:
    conversation = begun.conversation
    if isinstance(outcome, Handoff):
        return conversation.queued(since_ms=conversation.created_ms, now_ms=now_ms)
    return replace(conversation, answered_seq=conversation.last_customer_seq)
