"""Sums up each handoff as an internal note, after it is committed and beside it: no handoff ever waits for its summary.

A model's summary that fails, is late or states what nobody said is replaced by an extractive one. The first note of a handoff is kept.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

import structlog

from bot.core.conversation import ConversationId
from bot.core.handoffs import HandoffRow
from bot.core.notes import BOT, Note, summary_key
from bot.core.outcome import Handoff, ReasonCode
from bot.core.replies import Replies
from bot.core.rules import Rules
from bot.core.summary import (
    Summary,
    SummaryRequest,
    extractive_summary,
    in_lines,
    rests_on,
    summary_request,
)
from bot.core.turn import Turn
from bot.errors import CandorError, ModelUnavailable
from bot.model_ports import Summarizer
from bot.ports import Clock, ConversationStore
from bot.service.background import Background
from bot.service.live import Changed, LiveHub

log = structlog.get_logger()

EVERY_S = 5.0
DEADLINE_S = 10.0
LEFT_AFTER_MS = 30_000  # by then the process that handed over has written its summary, or is gone
AT_ONCE = 20
# Where the model just failed, or must not be paid for, nothing is asked of it.
WITHOUT_MODEL = frozenset({ReasonCode.MODEL_UNAVAILABLE, ReasonCode.BOT_PAUSED})


@dataclass(slots=True, kw_only=True)
class Summarising:
    """Writes the summaries of this process's handoffs, and those that another process left; `locale` is the agents' language."""

    store: ConversationStore
    replies: Replies
    rules: Rules
    clock: Clock
    locale: str
    summarizer: Summarizer | None = None
    live: LiveHub = field(default_factory=LiveHub)
    deadline_s: float = DEADLINE_S
    every_s: float = EVERY_S
    background: Background = field(default_factory=Background)

    def start(self, conversation: ConversationId) -> None:
        """Sum up the conversation's open handoff in the background; returns at once and never raises."""
        self.background.start(self._try(conversation), name=f"summary:{conversation}")

    async def drain(self, *, grace_s: float) -> None:
        """Let what runs finish for *grace_s* seconds; the next process writes the rest."""
        await self.background.drain(grace_s=grace_s)

    async def summarise(self, conversation: ConversationId) -> Note | None:
        """Write the summary of the open handoff; None when there is none, the stored note when it has one. StoreUnavailable."""
        handoff = _open(await self.store.handoffs(conversation))
        turn = None if handoff is None else await self._turn(handoff)
        if handoff is None or turn is None or not isinstance(turn.outcome, Handoff):
            return None
        key = summary_key(handoff.epoch)
        if stored := _with_key(key, await self.store.notes(conversation)):
            return stored
        seen = await self.store.snapshot(conversation, after=0)
        request = summary_request(seen.messages, turn, turn.outcome, locale=self.locale)
        text = in_lines(await self._summary(request), self.replies, self.locale)
        note = Note(seq=0, author=BOT, text=text, at_ms=self.clock.now_ms(), key=key)
        stored = await self.store.add_note(conversation, note)
        self.live.publish(conversation, Changed())  # consoles may be open on it already
        return stored

    async def write_left(self) -> int:
        """Write the summaries that were not written in time, by whichever process; return how many were tried."""
        before_ms = self.clock.now_ms() - LEFT_AFTER_MS
        left = await self.store.unsummarised(opened_before_ms=before_ms, limit=AT_ONCE)
        for handoff in left:
            await self._try(handoff.conversation)
        return len(left)

    async def run_forever(self) -> None:
        """Write what is left, round after round, until cancelled."""
        while True:
            try:
                await self.write_left()
            except Exception:  # tried again at the next round
                log.exception("summaries_failed")
            await asyncio.sleep(self.every_s)

    async def _summary(self, request: SummaryRequest) -> Summary:
        by_model = await self._by_model(request)
        if by_model is not None and rests_on(by_model, request):
            return by_model
        return extractive_summary(request, self.replies, self.rules)

    async def _by_model(self, request: SummaryRequest) -> Summary | None:
        if self.summarizer is None or request.reason in WITHOUT_MODEL:
            return None
        try:
            async with asyncio.timeout(self.deadline_s):
                return await self.summarizer.summarise(request)
        except (ModelUnavailable, TimeoutError) as failure:
            log.warning("summary_without_model", error=type(failure).__name__)
        except Exception:  # whatever breaks in there, the agent gets a summary
            log.exception("summarizer_broke")
        return None

    async def _turn(self, handoff: HandoffRow) -> Turn | None:
        turns = await self.store.turns(handoff.conversation)
        return next((turn for turn in turns if turn.id == handoff.turn), None)

    async def _try(self, conversation: ConversationId) -> None:
        try:
            await self.summarise(conversation)
        except CandorError as failure:  # the store is away; the next round tries again
            log.warning("summary_not_written", conversation=conversation, error=type(failure).__name__)
        except Exception:  # a defect must not keep the other conversations waiting
            log.exception("summary_broke", conversation=conversation)


def _open(handoffs: Iterable[HandoffRow]) -> HandoffRow | None:
    return next((row for row in handoffs if row.closed_ms is None), None)


def _with_key(key: str, notes: Iterable[Note]) -> Note | None:
    return next((note for note in notes if note.key == key), None)
