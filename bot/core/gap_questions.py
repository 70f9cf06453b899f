"""Which recorded turns show that an article is missing, and what agents then told the customer. Pure.

Texts lose here what the redaction rules remove, so that no label, list or draft made of them names a person.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from bot.core.conversation import ConversationId
from bot.core.gaps import GapQuestion, GapSign, QuotedReply
from bot.core.outcome import ReasonCode
from bot.core.redaction import redacted
from bot.core.traffic import AgentReply, GapMark, QuestionTurn

LONGEST_QUESTION = 2_000  # characters, far more than an embedder reads
REPLIES_EACH = 2  # to one question; later ones are about what came of it
REPLIES_SHOWN = 12  # of one gap

Replies = Mapping[ConversationId, Sequence[AgentReply]]


def counted(turns: Sequence[QuestionTurn], marks: Sequence[GapMark]) -> tuple[GapQuestion, ...]:
    """Return the questions that show a gap, each once, oldest first.

    Those are what the gate stopped, offers to rephrase included; what the model declared unanswerable; what an answer had been given
    to that the customer then said did not help; and, of a conversation that an agent marked, the last question that was searched
    before the mark, else what the customer had typed last.
    """
    by_conversation: dict[ConversationId, list[QuestionTurn]] = defaultdict(list)
    for turn in sorted(turns, key=lambda turn: (turn.settled_ms, turn.turn)):
        by_conversation[turn.conversation].append(turn)
    signs = _signs(by_conversation.values())
    shown = cache(_shown)  # many ask in the same words, and the rules look at each letter many times
    found = {turn.turn: _of_turn(turn, signs[turn.turn], shown) for turn in turns if turn.turn in signs}
    typed: list[GapQuestion] = []
    for mark in marks:
        searched = _searched_before(mark, by_conversation.get(mark.conversation, ()))
        if searched is not None:
            question = found.get(searched.turn) or _of_turn(searched, GapSign.KNOWLEDGE_GAP, shown)
            found[searched.turn] = replace(question, marked=True, remark=redacted(mark.remark))
        elif mark.texts:
            typed.append(_of_mark(mark))
    asked = [question for question in (*found.values(), *typed) if question.text]
    return tuple(sorted(asked, key=lambda question: (question.at_ms, question.id)))


def replies_to(
    questions: Iterable[GapQuestion], replies: Replies, turns: Sequence[QuestionTurn]
) -> tuple[QuotedReply, ...]:
    """Return the first replies of agents to each question, those to the newest question first.

    A reply belongs to a question until the conversation is handed over once more after the handoff that the question led to.
    """
    handed_over: dict[ConversationId, list[int]] = defaultdict(list)
    for turn in turns:
        if turn.outcome == "handoff":
            handed_over[turn.conversation].append(turn.settled_ms)
    newest_first = sorted(questions, key=lambda question: (-question.at_ms, question.id))
    quoted = dict.fromkeys(
        reply
        for question in newest_first
        for reply in _first(question, replies, handed_over[question.conversation])
    )
    return tuple(quoted)[:REPLIES_SHOWN]


def _signs(conversations: Iterable[Sequence[QuestionTurn]]) -> Mapping[str, GapSign]:
    signs: dict[str, GapSign] = {}
    for turns in conversations:
        for place, turn in enumerate(turns):
            if turn.stopped:
                signs[turn.turn] = GapSign.NO_EVIDENCE
            elif turn.reason is ReasonCode.MODEL_ABSTAINED:
                signs[turn.turn] = GapSign.MODEL_ABSTAINED
            doubted = _last_answer(turns[:place]) if turn.verdict is not None else None
            if doubted is not None and turn.verdict is False:
                signs[doubted.turn] = GapSign.UNRESOLVED
            elif doubted is not None and signs.get(doubted.turn) is GapSign.UNRESOLVED:
                del signs[doubted.turn]  # a second thought: it helped after all
    return signs


def _last_answer(turns: Sequence[QuestionTurn]) -> QuestionTurn | None:
    return next((turn for turn in reversed(turns) if turn.answered), None)


def _searched_before(mark: GapMark, turns: Sequence[QuestionTurn]) -> QuestionTurn | None:
    before = (t for t in reversed(turns) if t.settled_ms <= mark.at_ms and t.searched and t.question)
    return next(before, None)


def _of_turn(turn: QuestionTurn, sign: GapSign, shown: Callable[[str], str]) -> GapQuestion:
    return GapQuestion(
        conversation=turn.conversation,
        turn=turn.turn,
        asker=turn.asker,
        at_ms=turn.settled_ms,
        text=shown(turn.question),
        locale=turn.locale,
        sign=sign,
        triage=turn.triage,
        best_cosine=turn.best_cosine,
        threshold=turn.threshold,
        article=turn.articles[0] if turn.articles else None,
    )


def _of_mark(mark: GapMark) -> GapQuestion:
    return GapQuestion(
        conversation=mark.conversation,
        turn=None,
        asker=mark.asker,
        at_ms=mark.asked_ms,
        text=_shown(mark.texts[-1]),
        locale=mark.locale,
        sign=GapSign.KNOWLEDGE_GAP,
        marked=True,
        remark=redacted(mark.remark),
    )


def _first(question: GapQuestion, replies: Replies, handed_over: Sequence[int]) -> Iterable[QuotedReply]:
    later = [at_ms for at_ms in handed_over if at_ms >= question.at_ms]
    theirs = [
        reply
        for reply in replies.get(question.conversation, ())
        if reply.at_ms >= question.at_ms and (len(later) < 2 or reply.at_ms < later[1])
    ]
    return [
        QuotedReply(
            conversation=one.conversation, agent=one.agent, text=redacted(one.text.strip()), at_ms=one.at_ms
        )
        for one in theirs[:REPLIES_EACH]
    ]


def _shown(text: str) -> str:
    return redacted(text.strip()[:LONGEST_QUESTION])
