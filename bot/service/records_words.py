"""Rows to what the customer reads: a model's words where the rows bear them out, else the rows themselves as a table."""

import asyncio
from dataclasses import dataclass

import structlog

from bot.core.records import Rows
from bot.core.records_answer import found_nothing, is_cut, table_of, unfounded
from bot.core.replies import Replies
from bot.core.rules import Rules
from bot.core.truth import TABULATED, WORDED
from bot.core.turn import Stage
from bot.errors import OutsideFailure
from bot.model_ports import WordingRequest
from bot.service.drafting import PARAGRAPH
from bot.service.records_calls import CapReached, PlannerCalls
from bot.service.trace import Trace

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsWords:
    """How found rows are told in one turn. A model that fails costs only its words."""

    calls: PlannerCalls
    trace: Trace
    replies: Replies
    rules: Rules
    locale: str
    word_s: float

    async def of(self, rows: Rows, question: str) -> str:
        """Return Markdown that states what was found and nothing else."""
        if found_nothing(rows):
            return self.replies.text("records_nothing", self.locale)
        async with self.trace.stage(Stage.RECORDS) as note:
            text = await self._worded(rows, question)
            note.finding = TABULATED if text is None else WORDED
        if text is None:
            text = PARAGRAPH.join((self.replies.text("records_found", self.locale), table_of(rows)))
        if not is_cut(rows):
            return text
        shown, total = str(len(rows.rows)), str(rows.total)
        return PARAGRAPH.join(
            (text, self.replies.text("records_first", self.locale, shown=shown, total=total))
        )

    async def _worded(self, rows: Rows, question: str) -> str | None:
        """Return the model's words; None when it has none that hold."""
        clock = self.trace.clock
        request = WordingRequest(
            question=question,
            rows=rows,
            locale=self.locale,
            nonce=clock.new_id(),
            deadline_s=min(clock.monotonic_s() + self.word_s, self.trace.ends_at_s),
        )
        try:
            async with asyncio.timeout(self.word_s):
                text = await self.calls.word(request)
        except (OutsideFailure, CapReached, TimeoutError) as failure:
            log.warning("records_not_worded", error=type(failure).__name__)
            return None
        wrong = unfounded(text, rows, self.rules, secrets=(request.nonce,))
        if wrong is not None:
            log.warning("records_words_unfounded")
        return text.strip() if wrong is None else None
