"""Data for tests: every builder has a default for everything, so that a test states only what it is about."""

from dataclasses import replace

from bot.core.conversation import (
    AgentId,
    Channel,
    Conversation,
    ConversationId,
    Kind,
    Message,
    Role,
    Source,
    TurnId,
)
from bot.core.inbound import CustomerMessage
from bot.core.knowledge import ArticleId, FoundPassage, Passage, PassageId, RankedPassage
from bot.core.outcome import Answer, Handoff, Outcome, ReasonCode
from bot.core.revisions import revision_id
from bot.core.turn import Fence, Turn

CONVERSATION = ConversationId("c1")
NOON_MS = 1_750_000_000_000


def a_conversation(**fields) -> Conversation:
    """Return a new conversation that the bot has."""
    return replace(Conversation(id=CONVERSATION, created_ms=NOON_MS), **fields)


def a_message(text: str = "How do I reschedule a class?", **fields) -> Message:
    """Return a customer's text message."""
    return replace(Message(seq=1, role=Role.CUSTOMER, text=text, at_ms=NOON_MS), **fields)


def a_bot_message(text: str = "Open My Lessons and choose Reschedule.", **fields) -> Message:
    """Return a message by the bot."""
    return a_message(text, role=Role.BOT, **fields)


def an_agent_message(text: str = "Let me look into it.", *, id: str = "r1", **fields) -> Message:
    """Return what the agent *author* says under the id that its console gave it."""
    author = fields.setdefault("author", AgentId("anna"))
    return a_message(text, role=Role.AGENT, channel_message_id=f"agent:{author}:{id}", **fields)


def a_customer_message(text: str = "How do I reschedule a class?", **fields) -> CustomerMessage:
    """Return what a channel hands over; the message id is taken from the text unless it is given."""
    fields.setdefault("channel_message_id", f"id of {text}")
    return replace(
        CustomerMessage(
            conversation=CONVERSATION, channel=Channel.WIDGET, channel_message_id="m1", text=text
        ),
        **fields,
    )


def a_revision(
    original: str, text: str | None = "How do I move a class?", *, revision: str = "1", **fields
) -> CustomerMessage:
    """Return a customer's edit of the message with the id *original*, or without a text its deletion."""
    return replace(
        a_customer_message(
            text or "",
            channel_message_id=revision_id(original, None if text is None else revision),
            kind=Kind.TOMBSTONE if text is None else Kind.TEXT,
            revises=original,
        ),
        **fields,
    )


def an_answer(text: str = "Open My Lessons and choose Reschedule.", **fields) -> Answer:
    """Return an answer with one source."""
    source = Source(id="KB000003", title="How to Reschedule a Lesson", url="https://help.example/KB000003")
    return replace(Answer(text=text, sources=(source,)), **fields)


def a_handoff(reason: ReasonCode = ReasonCode.NO_EVIDENCE, **fields) -> Handoff:
    """Return a handoff."""
    return replace(Handoff(reason=reason), **fields)


def a_fence(conversation: Conversation | None = None) -> Fence:
    """Return the fence of a turn that begins on *conversation*."""
    read = a_conversation(last_seq=1, last_customer_seq=1) if conversation is None else conversation
    return Fence(conversation=read.id, epoch=read.epoch, last_customer_seq=read.last_customer_seq)


def a_turn(
    outcome: Outcome | None = None, *, on: Conversation | None = None, id: str = "t1", **fields
) -> Turn:
    """Return a settled turn that began on the conversation *on*."""
    fence = a_fence(on)
    turn = Turn(
        id=TurnId(id),
        fence=fence,
        outcome=an_answer() if outcome is None else outcome,
        covers=(fence.last_customer_seq,),
        started_ms=NOON_MS,
        settled_ms=NOON_MS + 1_000,
    )
    return replace(turn, **fields)


def after(turn: Turn, read: Conversation) -> Conversation:
    """Return the state that *turn*, begun on *read*, leaves."""
    if isinstance(turn.outcome, Handoff):
        return read.queued(since_ms=turn.settled_ms, now_ms=turn.settled_ms)
    return replace(read, answered_seq=read.last_customer_seq)


def a_passage(text: str = "Open My Lessons and choose Reschedule.", **fields) -> Passage:
    """Return a passage of the article on rescheduling."""
    passage = Passage(
        id=PassageId("KB000003#0"),
        article_id=ArticleId("KB000003"),
        position=0,
        headings=("How to Reschedule a Lesson",),
        text=text,
        embedded_text=f"How to Reschedule a Lesson\n\n{text}",
    )
    return replace(passage, **fields)


def a_found_passage(cosine: float = 0.8, **fields) -> FoundPassage:
    """Return a passage that a search found."""
    found = FoundPassage(
        passage=a_passage(),
        title="How to Reschedule a Lesson",
        url="https://help.example/KB000003",
        cosine=cosine,
    )
    return replace(found, **fields)


def a_ranked_passage(cosine: float = 0.8, **fields) -> RankedPassage:
    """Return a ranked passage whose order is its cosine."""
    return replace(RankedPassage(found=a_found_passage(cosine), freshness=None, score=cosine), **fields)
