"""Every hostile text in every place of the desk that holds text, as the service and its stores keep it."""

from dataclasses import dataclass, replace

from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId, Channel, ConversationId, Message, Role, Source
from bot.core.desk import CannedReply, MarkKind
from bot.core.inbound import CustomerMessage
from bot.core.outcome import Answer, Handoff, Outcome, ReasonCode
from bot.core.turn import RetrievalQuery, Stage, StageRecord, StageStatus, Turn
from bot.service.canned import CannedReplies
from tests.browser.whole_desk import WholeDesk
from tests.builders import a_found_passage, a_passage, a_ranked_passage, a_turn, after
from tests.channels.hostile_texts import HOSTILE

ALL = "\n\n".join(HOSTILE)
LONGEST_NAME = 80
SOURCES = tuple(Source(id=f"h{n}", title=text, url=text) for n, text in enumerate(HOSTILE))
RANKED = tuple(
    a_ranked_passage(found=a_found_passage(passage=a_passage(text), title=text, url=text)) for text in HOSTILE
)
STAGES = tuple(
    StageRecord(name=Stage.DRAFT, status=StageStatus.FAILED, ms=1.0, error=text, finding=text)
    for text in HOSTILE
)
QUERY = RetrievalQuery(text=ALL, bare=ALL, own=ALL, used=(1,))


@dataclass(frozen=True, slots=True, kw_only=True)
class IllWill:
    """Writes as customers, the bot and colleagues who mean harm."""

    desk: WholeDesk

    async def colleagues(self) -> list[AgentId]:
        """Add agents with such names."""
        store = self.desk.candor.desk.agents
        agents = [
            Agent(
                id=AgentId(f"h{number}"),
                email=f"h{number}@shop.example",
                name=text[:LONGEST_NAME],
                role=AgentRole.AGENT,
                created_ms=number,
                password_hash="fits no password",
            )
            for number, text in enumerate(HOSTILE)
        ]
        for agent in agents:
            await store.add_agent(agent)
        return [agent.id for agent in agents]

    async def canned(self) -> None:
        """Prepare such replies."""
        replies = CannedReplies(desk=self.desk.candor.agents.desk)
        for number, text in enumerate(HOSTILE):
            await replies.save(CannedReply(id=f"h{number}", title=text, text=text, locale="en"))

    async def queue(self) -> None:
        """Let a customer wait for each text, which stands in the queue's line and in what a search finds."""
        for text in HOSTILE:
            conversation = (await self.desk.candor.customers.open(channel=Channel.WIDGET, locale="en")).id
            await self.ask(conversation, text)
            await self.settle(conversation, Handoff(reason=ReasonCode.CUSTOMER_ASKED))

    async def ask(self, conversation: ConversationId, text: str) -> None:
        """Write as the customer, and start no turn."""
        said = CustomerMessage(
            conversation=conversation,
            channel=Channel.WIDGET,
            channel_message_id=self.desk.clock.new_id(),
            text=text,
        )
        await self.desk.candor.store.receive(said, at_ms=self.desk.clock.now_ms())

    async def settle(self, conversation: ConversationId, outcome: Outcome) -> None:
        """Write as the bot, with such evidence."""
        store, now_ms = self.desk.candor.store, self.desk.clock.now_ms()
        read = await store.conversation(conversation)
        turn = a_turn(
            outcome,
            on=read,
            id=self.desk.clock.new_id(),
            stages=STAGES,
            query=QUERY,
            ranked=RANKED,
            prompt_digest=ALL,
            model=ALL,
            settled_ms=now_ms,
        )
        await store.commit_turn(turn, [_said(turn)], after(turn, read))

    async def answer_and_hand_over(self, conversation: ConversationId) -> None:
        """Let the bot answer, and then hand over for a reason of such words."""
        await self.ask(conversation, "Anything?")
        await self.settle(conversation, Answer(text=ALL, sources=SOURCES, options=HOSTILE))
        await self.ask(conversation, "A person, please")
        await self.settle(conversation, Handoff(reason=ReasonCode.ESCALATION_RULE, rule=ALL, detail=ALL))

    async def talk(self, conversation: ConversationId, agents: list[AgentId]) -> None:
        """Let each agent claim, reply and note one text and pass on, and the customer write it too."""
        desk = self.desk.candor.agents
        await desk.claim(conversation, agents[0])
        for agent, following, text in zip(agents, [*agents[1:], agents[0]], HOSTILE, strict=True):
            await self.ask(conversation, text)
            await desk.reply(conversation, agent, text=text, message_id="r", seen=10_000)
            await desk.add_note(conversation, agent, text=text, message_id="n")
            await desk.transfer(conversation, agent, to=following)

    async def mark(self, conversation: ConversationId, agent: AgentId) -> None:
        """Mark the conversation, and the bot's answer in it."""
        desk, remark = self.desk.candor.agents, ALL[:1_000]
        await desk.mark(conversation, agent, kind=MarkKind.KNOWLEDGE_GAP, seq=0, remark=remark)
        await desk.mark(conversation, agent, kind=MarkKind.WRONG_ANSWER, seq=2, remark=remark)


def _said(turn: Turn) -> Message:
    message = Message(seq=0, role=Role.BOT, text="", turn=turn.id, at_ms=turn.settled_ms)
    match turn.outcome:
        case Answer(text=text, sources=sources, options=options):
            return replace(message, text=text, sources=sources, options=options)
        case Handoff(reason=reason):
            return replace(message, text=ALL, reason=reason, refusal=True)
        case outcome:
            raise AssertionError(outcome)
