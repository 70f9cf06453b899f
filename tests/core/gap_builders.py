"""Recorded turns, marks, questions and gaps for tests: a test states only what it is about."""

from dataclasses import replace

from bot.core.conversation import AgentId, ConversationId, TurnId
from bot.core.gap_grouping import Point
from bot.core.gaps import Gap, GapQuestion, GapSign, QuotedReply
from bot.core.outcome import ReasonCode
from bot.core.traffic import AgentReply, GapMark, QuestionTurn
from tests.builders import CONVERSATION, NOON_MS

ANNA = AgentId("anna")


def a_question_turn(text: str = "Is there a ramp?", **fields) -> QuestionTurn:
    """Return a turn that the gate stopped; its customer is its conversation's unless it is said otherwise."""
    conversation = ConversationId(fields.setdefault("conversation", CONVERSATION))
    turn = QuestionTurn(
        conversation=conversation,
        turn=TurnId(f"{conversation}-t1"),
        asker=conversation,
        settled_ms=NOON_MS,
        locale="en",
        texts=(text,) if text else (),
        outcome="handoff",
        reason=ReasonCode.NO_EVIDENCE,
        best_cosine=0.4,
        threshold=0.5,
    )
    return replace(turn, **fields)


def an_answered_turn(text: str = "Is there a ramp?", **fields) -> QuestionTurn:
    """Return a turn with an answer."""
    return a_question_turn(text, **({"outcome": "answer", "reason": None, "best_cosine": 0.8} | fields))


def a_verdict(verdict: bool, **fields) -> QuestionTurn:
    """Return the turn on a customer's feedback."""
    ended = {"outcome": "courtesy", "reason": None, "best_cosine": None, "verdict": verdict}
    return a_question_turn("", **(ended | fields))


def a_mark(*texts: str, **fields) -> GapMark:
    """Return an agent's mark on a conversation in which these texts were typed."""
    mark = GapMark(
        conversation=CONVERSATION,
        asker=CONVERSATION,
        locale="en",
        agent=ANNA,
        at_ms=NOON_MS + 100,
        asked_ms=NOON_MS,
        texts=texts,
    )
    return replace(mark, **fields)


def a_reply(text: str = "There is one at the back.", **fields) -> AgentReply:
    """Return what an agent told a customer."""
    reply = AgentReply(conversation=CONVERSATION, seq=3, agent=ANNA, text=text, at_ms=NOON_MS + 50)
    return replace(reply, **fields)


def a_gap_question(text: str = "Is there a ramp?", **fields) -> GapQuestion:
    """Return a question that the gate stopped, of one customer in one conversation."""
    turn = fields.setdefault("turn", TurnId("t1"))
    question = GapQuestion(
        conversation=CONVERSATION,
        turn=turn,
        asker=fields.get("conversation", CONVERSATION),
        at_ms=NOON_MS,
        text=text,
        locale="en",
        sign=GapSign.NO_EVIDENCE,
    )
    return replace(question, **fields)


def a_point(*questions: GapQuestion) -> Point:
    """Return what was asked in the words of the first of *questions*."""
    asked = questions or (a_gap_question(),)
    return Point(text=asked[0].text, locale=asked[0].locale, questions=asked)


def a_gap(*questions: GapQuestion, **fields) -> Gap:
    """Return a gap of *questions*, the first of which is its label."""
    asked = questions or (a_gap_question(),)
    gap = Gap(
        id=asked[0].id,
        label=(asked[0].text,),
        count=len({question.asker for question in asked}),
        last_ms=max(question.at_ms for question in asked),
        locale="en",
        triage=None,
        questions=asked,
    )
    return replace(gap, **fields)


def a_quoted_reply(text: str = "There is one at the back.", **fields) -> QuotedReply:
    """Return a reply as a gap has it."""
    reply = QuotedReply(conversation=CONVERSATION, agent=ANNA, text=text, at_ms=NOON_MS)
    return replace(reply, **fields)
