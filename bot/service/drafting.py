"""Evidence to answer: the draft is read piece by piece, and each block is verified and recorded before it is shown.

Blocks that come over time are shown as they come. A draft that is there at once is shown when all of it has passed, so that
nothing is ever seen of one that did not.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from bot.core.article_pages import link_to
from bot.core.conversation import Kind, Message, Role, Source, customer_visible
from bot.core.grounding import NO_HOUSE, Finding, House, Ungrounded, answer_gate, question_gate
from bot.core.input_size import within_input
from bot.core.knowledge import FoundPassage
from bot.core.outcome import Answer, Ask, Handoff, Outcome, ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.prompt import (
    Abstained,
    AnswerRequest,
    Asked,
    Block,
    Citation,
    DraftPiece,
    Evidence,
    Finished,
    Stop,
)
from bot.core.routing import Question
from bot.core.truth import ABSTAINED, CAPPED, PROMISED_PERSON, REPEATED
from bot.core.turn import Stage, TurnStart
from bot.errors import ModelUnavailable, NotAsked, Refused, StoreUnavailable
from bot.model_ports import Answerer
from bot.service.metering import Metering
from bot.service.trace import Note, Trace

Show = Callable[[Sequence[str]], Awaitable[None]]

PARAGRAPH = "\n\n"
# The conversation store's own failures and refusals are about writing the turn, not about the draft.
NOT_THE_DRAFTS = (StoreUnavailable, Refused)

# What becomes of a draft by what the gate found; every other finding is an ungrounded draft.
REFUSALS = {
    PROMISED_PERSON: (ReasonCode.MODEL_ABSTAINED, "the draft promised a person"),
    REPEATED: (ReasonCode.UNRESOLVED, "the draft was what had not helped before"),
}


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A draft as far as it came: verified blocks, what a gate found, and how it ended."""

    blocks: list[Block] = field(default_factory=list)
    refused: Finding | None = None
    end: Asked | Abstained | Finished | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """The answerer behind the answer gate; `house` is what the gate knows of this installation."""

    answerer: Answerer
    policy: TurnPolicy
    house: House = NO_HOUSE
    metering: Metering | None = None

    async def draft(
        self, start: TurnStart, question: Question, evidence: Evidence, trace: Trace, *, show: Show
    ) -> Outcome:
        """Return an answer that rests on *evidence*, a question, or the handoff that follows from the draft."""
        limit_s = self.policy.deadlines.draft_s
        request = self._request(start, question, evidence, trace)
        trace.model = self.answerer.name
        async with trace.stage(Stage.DRAFT, within_s=limit_s, passing=NOT_THE_DRAFTS) as note:
            with note.paused():
                capped = await self._set_aside(request, start, trace)
            if capped is not None:
                note.stop(CAPPED)
                return Handoff(reason=ReasonCode.BOT_PAUSED, detail=capped)
            draft = await self._counted(request, start, trace, note, show)
            _require_whole(draft)
            if isinstance(draft.end, Abstained):
                note.stop(ABSTAINED)
        if isinstance(draft.end, Abstained):
            return Handoff(reason=ReasonCode.MODEL_ABSTAINED, detail=draft.end.why)
        return await self._verdict(draft, request, trace, show, unhelpful=start.unhelpful)

    def _request(
        self, start: TurnStart, question: Question, evidence: Evidence, trace: Trace
    ) -> AnswerRequest:
        request = AnswerRequest(
            question=question.bare,
            evidence=evidence,
            history=answer_history(start.history, question.current.seq, limit=self.policy.answer_history),
            locale=start.conversation.locale,
            deadline_s=min(trace.clock.monotonic_s() + self.policy.deadlines.draft_s, trace.ends_at_s),
            nonce=trace.clock.new_id(),
        )
        return within_input(request, self.policy.max_input_tokens)

    async def _set_aside(self, request: AnswerRequest, start: TurnStart, trace: Trace) -> str | None:
        """Count the most that the draft can use; the name of the cap that forbids it, if one does."""
        if self.metering is None:
            return None
        most = trace.counted(self.metering.most_of(request))
        reached = await self.metering.set_aside(trace.turn, start.conversation.id, most)
        trace.usage = most if reached is None else trace.counted_before
        return reached

    async def _counted(
        self, request: AnswerRequest, start: TurnStart, trace: Trace, note: Note, show: Show
    ) -> _Draft:
        """Read the draft, and count what it did use in place of what was set aside for it."""
        try:
            draft = await self._read(request, trace, _untimed(show, note))
        except NotAsked:
            with note.paused():
                await self._give_back(start, trace)
            raise
        with note.paused():
            await self._count(draft, start, trace)
        return draft

    async def _give_back(self, start: TurnStart, trace: Trace) -> None:
        trace.usage = trace.counted_before
        if self.metering is not None:
            await self.metering.used(trace.turn, start.conversation.id, trace.usage)

    async def _count(self, draft: _Draft, start: TurnStart, trace: Trace) -> None:
        """Count what the draft did use, where its provider said."""
        if draft.end is None or draft.end.usage is None:
            return
        trace.usage = trace.counted(draft.end.usage)
        if self.metering is not None:
            await self.metering.used(trace.turn, start.conversation.id, trace.usage)

    async def _read(self, request: AnswerRequest, trace: Trace, show: Show) -> _Draft:
        draft = _Draft()
        async with aclosing(self.answerer.draft(request)) as pieces:
            async for piece in pieces:
                await self._take(piece, draft, request, show)
                if draft.refused or draft.end:
                    break
        if draft.end is not None:
            trace.prompt_digest = draft.end.prompt_digest
        if isinstance(draft.end, Finished):
            trace.model = draft.end.model or trace.model
        return draft

    async def _take(self, piece: DraftPiece, draft: _Draft, request: AnswerRequest, show: Show) -> None:
        if not isinstance(piece, Block):
            draft.end = piece
            return
        draft.refused = self._finding(piece, request)
        if draft.refused is None:
            draft.blocks.append(piece)
            if self.answerer.streams:
                await show((piece.text,))

    async def _verdict(
        self, draft: _Draft, request: AnswerRequest, trace: Trace, show: Show, *, unhelpful: str | None
    ) -> Outcome:
        async with trace.stage(Stage.ANSWER_GATE, passing=NOT_THE_DRAFTS) as note:
            finding = draft.refused or self._unfounded(draft, request) or self._repeated(draft, unhelpful)
            if finding is not None:
                note.stop(finding)
            elif draft.blocks and not self.answerer.streams:
                await show([block.text for block in draft.blocks])
        return _outcome(draft, request.evidence) if finding is None else _refusal(finding)

    def _repeated(self, draft: _Draft, unhelpful: str | None) -> str | None:
        """Nobody is told again what did not help. What was streamed has been shown by now, and stands."""
        return REPEATED if not self.answerer.streams and _text_of(draft) == unhelpful else None

    def _finding(self, block: Block, request: AnswerRequest) -> Finding | None:
        verdict = answer_gate(block, request.evidence, _said(request), self._house(request))
        return verdict.finding if isinstance(verdict, Ungrounded) else None

    def _unfounded(self, draft: _Draft, request: AnswerRequest) -> Finding | None:
        """A question must rest on the evidence as a block does, and so must replies to tap; a whole answer must cite something."""
        asked = draft.end if isinstance(draft.end, Asked) else None
        if isinstance(draft.end, Finished):
            if not any(b.citations for b in draft.blocks):
                return Finding.UNCITED
            asked = Asked(text="", options=draft.end.options) if draft.end.options else None
        if asked is None:
            return None
        verdict = question_gate(asked, request.evidence, _said(request), self._house(request))
        return verdict.finding if isinstance(verdict, Ungrounded) else None

    def _house(self, request: AnswerRequest) -> House:
        return replace(self.house, secrets=(*self.house.secrets, request.nonce), locale=request.locale)


def _untimed(show: Show, note: Note) -> Show:
    """Let no store that is slow to record a block use up the time of the draft."""

    async def shown(texts: Sequence[str]) -> None:
        with note.paused():
            await show(texts)

    return shown


def _require_whole(draft: _Draft) -> None:
    if draft.end is None and draft.refused is None:
        raise ModelUnavailable("the draft ended without saying that it was complete")
    if isinstance(draft.end, Finished) and draft.end.stop is not Stop.COMPLETE:
        raise ModelUnavailable(f"the draft was {draft.end.stop}")


def _said(request: AnswerRequest) -> tuple[str, ...]:
    return (request.question, *(m.text for m in request.history if m.role is Role.CUSTOMER))


def _refusal(finding: str) -> Handoff:
    reason, detail = REFUSALS.get(finding, (ReasonCode.UNGROUNDED_DRAFT, finding))
    return Handoff(reason=reason, detail=detail)


def _text_of(draft: _Draft) -> str:
    asked = draft.end.text if isinstance(draft.end, Asked) else ""
    return PARAGRAPH.join(part for part in (*(b.text for b in draft.blocks), asked) if part)


def _outcome(draft: _Draft, evidence: Evidence) -> Outcome:
    text = _text_of(draft)
    cited = [c for b in draft.blocks for c in b.citations]
    if isinstance(draft.end, Asked):
        sources = _sources([*cited, *draft.end.citations], evidence)
        return Ask(text=text, options=draft.end.options, sources=sources)
    options = draft.end.options if isinstance(draft.end, Finished) else ()
    return Answer(text=text, sources=_sources(cited, evidence), options=options)


def _sources(citations: Sequence[Citation], evidence: Evidence) -> tuple[Source, ...]:
    """Return the cited articles, each once, in the order of citation."""
    found = {p.found.passage.id: p.found for p in evidence.passages}
    cited = [found[c.passage] for c in citations]
    return tuple({f.article_id: _source(f) for f in cited}.values())


def _source(found: FoundPassage) -> Source:
    return Source(id=found.article_id, title=found.title, url=link_to(found.article_id, found.url))


def answer_history(history: Sequence[Message], before_seq: int, *, limit: int) -> tuple[Message, ...]:
    """Return the last *limit* text messages that the customer could see, starting with one of the customer's."""
    seen = [
        m
        for m in history
        if m.seq < before_seq and m.kind is Kind.TEXT and customer_visible(m) and m.text.strip()
    ]
    recent = seen[-limit:]
    first = next((i for i, m in enumerate(recent) if m.role is Role.CUSTOMER), len(recent))
    return tuple(recent[first:])
