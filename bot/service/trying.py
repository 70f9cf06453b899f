"""Tries a question or a whole conversation: what would be embedded, found and let through. It uses a turn's own steps, and keeps nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.asking import start_after, unanswered_in
from bot.core.conversation import Message, Role
from bot.core.gate import evidence_gate
from bot.core.inbound import clean_text
from bot.core.knowledge import RankedPassage
from bot.core.outcome import Handoff
from bot.core.policy import GatePolicy
from bot.core.prompt import Evidence
from bot.core.routing import Permits, Question, route
from bot.core.turn import RetrievalQuery, TurnStart
from bot.errors import InputRejected
from bot.service.retrieving import Retrieving
from bot.service.trace import StageBroken, Trace
from bot.service.turns import HISTORY


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a turn on the messages would have searched with and found; scores are raw cosine.

    `routed` is empty, or the reason or courtesy with which a real turn would have ended before any search. `problem` is empty, or says
    why there was no search, or why the gate could not judge.
    """

    query: RetrievalQuery | None = None
    passages: tuple[RankedPassage, ...] = ()
    best: float | None = None
    threshold: float | None = None
    support: float | None = None
    passes: bool = False
    fingerprint: str | None = None
    generation: str | None = None
    routed: str = ""
    problem: str = ""

    @property
    def embedded(self) -> tuple[str, ...]:
        """Return the exact texts that were embedded, each once."""
        query = self.query
        return () if query is None else tuple(dict.fromkeys((query.text, query.own, query.bare)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """The search tester; *can_abstain* is the answerer's, because it decides which threshold counts."""

    retrieving: Retrieving
    can_abstain: bool

    async def attempt(self, said: Sequence[tuple[Role, str]], *, locale: str) -> Tried:
        """Search as a turn would for the last of *said*, oldest first; InputRejected unless it is the customer's.

        What the customer wrote after everybody else is the question, as in a turn.
        """
        start = _start(said, locale=locale)
        trace = Trace(clock=self.retrieving.clock, started_ms=self.retrieving.clock.now_ms())
        question, routed = self._question(start)
        try:
            await self.retrieving.retrieve(start, question, trace, can_abstain=self.can_abstain)
        except StageBroken as broken:
            return replace(_seen(trace), routed=routed, problem=broken.handoff.detail)
        gated = evidence_gate(
            trace.ranked,
            GatePolicy(threshold=trace.threshold),
            score=trace.best_cosine,
            can_abstain=self.can_abstain,
        )
        problem = gated.detail if isinstance(gated, Handoff) else ""
        return replace(_seen(trace), passes=isinstance(gated, Evidence), routed=routed, problem=problem)

    def _question(self, start: TurnStart) -> tuple[Question, str]:
        """Return what a turn would search for; where it would not search at all, the last message as it stands and why."""
        routed = route(start.unanswered, self.retrieving.rules, Permits(), prompted=start.prompted)
        if isinstance(routed, Question):
            return routed, ""
        last = start.unanswered[-1]
        reason = routed.reason if isinstance(routed, Handoff) else routed.kind
        return Question(current=last, bare=last.text), str(reason)


def _start(said: Sequence[tuple[Role, str]], *, locale: str) -> TurnStart:
    messages = [
        Message(seq=seq, role=role, text=clean_text(text, field=f"messages[{seq - 1}].text"))
        for seq, (role, text) in enumerate(said, start=1)
    ][-HISTORY:]
    if not messages or messages[-1].role is not Role.CUSTOMER or not messages[-1].text:
        raise InputRejected(
            "messages", "do not end with the customer's question", "write what was asked last"
        )
    return start_after("tried", messages, locale=locale, unanswered=unanswered_in(messages))


def _seen(trace: Trace) -> Tried:
    seen = trace.index
    return Tried(
        query=trace.query,
        passages=trace.ranked,
        best=trace.best_cosine,
        threshold=trace.threshold,
        support=trace.support,
        fingerprint=seen.fingerprint if seen else None,
        generation=seen.generation if seen else None,
    )
