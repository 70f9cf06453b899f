"""A question on something else, right after an answer: the answer's long text must not carry the next question over the gate."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bot.core.asking import question_after
from bot.core.conversation import Message, Role, Source, TurnId
from bot.core.outcome import Answer
from bot.core.turn import Turn
from bot.evaluation.trials import Trial, outcome_word
from bot.service.answering import Answering
from bot.settings import Settings
from bot.turn_wiring import answering, language, opened_parts, turn_policy

pytestmark = pytest.mark.timeout(300)

BEFORE = ("How do I reschedule a class?", "no its more than 24 hours")
UNANSWERABLE = (
    "How do I book a class?",
    "Can I bring my dog to the lesson?",
    "do you offer discounts for companies?",
    "Is there a phone number?",
    "what's the weather in Paris",
)
ANSWERED_FROM = {
    "How do I cancel my subscription?": "KB000042",
    "what are your opening hours": "KB000001",
    "how do I get a refund?": "KB000009",
    "I want to cancel my subscription": "KB000042",
    "i forgot my password": "KB000025",
}


@pytest.fixture(scope="module")
def turns(synced_sample: Path) -> Mapping[str, Turn]:
    """Return the turn that each question comes to after an answered conversation on rescheduling."""
    return asyncio.run(_asked(Settings(data_dir=synced_sample)))


async def _asked(settings: Settings) -> Mapping[str, Turn]:
    spoken = language()
    async with opened_parts(settings, spoken) as parts:
        steps = answering(parts, spoken, turn_policy(settings))
        history: tuple[Message, ...] = ()
        for text in BEFORE:
            turn = await _settled(steps, history, text)
            assert isinstance(turn.outcome, Answer)
            history = (*history, _message(history, Role.CUSTOMER, text))
            history = (*history, _message(history, Role.BOT, turn.outcome.text, turn.outcome.sources))
        return {q: await _settled(steps, history, q) for q in (*UNANSWERABLE, *ANSWERED_FROM)}


async def _settled(steps: Answering, history: tuple[Message, ...], text: str) -> Turn:
    start = question_after(history, text, locale="en")
    return await steps.settle(start, TurnId(text), capped=None, show=_nothing)


def _message(history: Sequence[Message], role: Role, text: str, sources: tuple[Source, ...] = ()) -> Message:
    """Return the next message as the store keeps it: with the sources, by which a reply is known to be about them."""
    return Message(seq=len(history) + 1, role=role, text=text, sources=sources)


async def _nothing(_texts: Sequence[str]) -> None:
    """Show nothing."""


@pytest.mark.parametrize("question", UNANSWERABLE)
def test_what_no_article_answers_is_not_answered_from_the_last_topic(turns, question):
    assert outcome_word(turns[question]) == "no_evidence"


@pytest.mark.parametrize(("question", "article"), ANSWERED_FROM.items())
def test_another_topic_is_answered_from_its_own_article(turns, question, article):
    turn = turns[question]

    assert outcome_word(turn) == "answered", (turn.best_cosine, turn.threshold)
    assert Trial(golden=None, turn=turn).answered_from == (article,)
