"""What agents send is bounded like what customers send, and is about something that is there."""

import pytest

from bot.core.accounts import Agent, AgentRole
from bot.core.conversation import AgentId, Message
from bot.core.desk import Mark, MarkKind
from bot.core.desk_input import require_markable, require_receiver, require_same_text, required_text
from bot.core.inbound import MAX_TEXT_CHARACTERS
from bot.errors import InputRejected, MessageConflict
from tests.builders import CONVERSATION, NOON_MS, a_bot_message, a_message, an_agent_message

GAP, WRONG = MarkKind.KNOWLEDGE_GAP, MarkKind.WRONG_ANSWER


def a_mark(kind: MarkKind, seq: int) -> Mark:
    return Mark(conversation=CONVERSATION, kind=kind, seq=seq, agent=AgentId("anna"), at_ms=NOON_MS)


def an_agent(role: AgentRole, *, disabled_ms: int | None = None) -> Agent:
    return Agent(
        id=AgentId("ben"), email="b@x.example", name="Ben", role=role, created_ms=0, disabled_ms=disabled_ms
    )


def test_a_text_is_cleaned():
    assert required_text(" Hello\r\n\x00there ") == "Hello\nthere"


@pytest.mark.parametrize("raw", ["", " \n\t", "\x00\x07", "a" * (MAX_TEXT_CHARACTERS + 1), "\ud800"])
def test_a_text_that_cannot_be_kept_is_refused(raw: str):
    with pytest.raises(InputRejected):
        required_text(raw)


def test_a_repeat_has_the_same_text():
    require_same_text("Hello", "Hello", message_id="r1")
    with pytest.raises(MessageConflict, match="r1"):
        require_same_text("Hello", "Hello!", message_id="r1")


@pytest.mark.parametrize(("kind", "seq", "message"), [(GAP, 0, None), (WRONG, 2, a_bot_message(seq=2))])
def test_a_mark_is_about_the_conversation_or_a_message_of_the_bot(kind, seq: int, message: Message | None):
    require_markable(a_mark(kind, seq), message)


@pytest.mark.parametrize(
    ("kind", "seq", "message"),
    [
        (GAP, 2, a_bot_message(seq=2)),
        (WRONG, 0, None),
        (WRONG, 1, a_message(seq=1)),
        (WRONG, 3, an_agent_message(seq=3)),
    ],
    ids=["gap in a message", "no message", "the customer's", "an agent's"],
)
def test_any_other_mark_is_refused(kind: MarkKind, seq: int, message: Message | None):
    with pytest.raises(InputRejected, match="seq"):
        require_markable(a_mark(kind, seq), message)


@pytest.mark.parametrize("role", [AgentRole.AGENT, AgentRole.ADMIN])
def test_who_answers_customers_can_be_given_a_conversation(role: AgentRole):
    require_receiver(an_agent(role))


@pytest.mark.parametrize(
    "agent",
    [None, an_agent(AgentRole.CONTENT), an_agent(AgentRole.ADMIN, disabled_ms=1)],
    ids=["unknown", "content", "disabled"],
)
def test_nobody_else_can(agent: Agent | None):
    with pytest.raises(InputRejected, match="choose another agent"):
        require_receiver(agent)
