"""What customers asked and no article answers: read from the store each time, grouped, and asked again of today's index."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.content_ports import ArticleCatalogue
from bot.core.caps import DAY_MS
from bot.core.gap_assembly import Known, gaps_of, to_ask_again
from bot.core.gap_drafts import GapDraft, gap_draft
from bot.core.gap_grouping import Clustering, Group, Point, grouped, points_of
from bot.core.gap_questions import counted
from bot.core.gap_rows import to_csv
from bot.core.gaps import GapReport, find_gap
from bot.core.traffic import QuestionTurn
from bot.errors import InputRejected, RetrievalUnavailable
from bot.ports import Clock
from bot.service.answering import Answering
from bot.service.gap_asking import MOST_AT_ONCE, AskingAgain
from bot.service.gap_builds import Unpublished
from bot.service.gap_vectors import RememberedVectors
from bot.traffic_ports import TrafficReads

MOST_DAYS = 366
MOST_TURNS = 100_000  # of the span, the newest
MOST_POINTS = 3_000  # differently worded questions, the newest; 36 MB of cosines while they are grouped


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """Gaps of a span of days. One report at a time: two would embed the same questions twice."""

    traffic: TrafficReads
    asking: AskingAgain
    vectors: RememberedVectors
    clustering: Clustering
    clock: Clock
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def over(
        cls,
        traffic: TrafficReads,
        catalogue: ArticleCatalogue,
        answering: Answering,
        clustering: Clustering,
        *,
        unpublished: Unpublished | None = None,
        asked_at_once: int = MOST_AT_ONCE,
    ) -> "Gaps":
        """Build them over the steps of a turn, whose reranker is left out: it orders what passes the gate and changes no verdict.

        *unpublished* is what a sync has written and not published; *asked_at_once* questions are asked again in one report.
        """
        vectors = RememberedVectors(answering.retrieving.embedder)
        return cls(
            traffic=traffic,
            asking=AskingAgain(
                retrieving=replace(answering.retrieving, embedder=vectors, reranker=None),
                triaging=replace(
                    answering.triaging, unpublished=None
                ),  # builds are looked at for all together
                catalogue=catalogue,
                unpublished=unpublished,
                can_abstain=answering.can_abstain,
                most=asked_at_once,
            ),
            vectors=vectors,
            clustering=clustering,
            clock=answering.clock,
        )

    async def report(self, days: int) -> GapReport:
        """Return the gaps of the last *days*; InputRejected, StoreUnavailable, RetrievalUnavailable when nothing can be embedded."""
        if not 1 <= days <= MOST_DAYS:
            raise InputRejected("days", f"is {days}", f"use a number from 1 to {MOST_DAYS}")
        async with self._one_at_a_time:
            return await self._report(days)

    async def csv(self, days: int) -> str:
        """Return the gaps for a spreadsheet, beginning with a byte order mark; raises as `report` does."""
        return to_csv(await self.report(days))

    async def draft(self, gap: str, days: int) -> GapDraft | None:
        """Return a draft of an article on the gap with this id; None when the span has none. Raises as `report` does."""
        found = find_gap((await self.report(days)).gaps, gap)
        if found is None:
            return None
        try:
            taken = frozenset(article.id for article in await self.asking.catalogue.articles())
        except RetrievalUnavailable:
            taken = frozenset()
        return gap_draft(found, taken=taken)

    async def _report(self, days: int) -> GapReport:
        until_ms = self.clock.now_ms() + 1
        since_ms = until_ms - days * DAY_MS
        turns = await self.traffic.question_turns(since_ms=since_ms, until_ms=until_ms, limit=MOST_TURNS)
        marks = await self.traffic.gap_marks(since_ms=since_ms, until_ms=until_ms)
        # The loop has customers to serve meanwhile, so whatever takes long is done on other threads.
        questions = await asyncio.to_thread(counted, turns, marks)
        points, left_out = _newest(await asyncio.to_thread(points_of, questions))
        texts = [point.text for point in points]
        vectors = await self.vectors.embed_queries(texts)
        self.vectors.keep(texts)
        groups = await asyncio.to_thread(grouped, points, vectors, self.clustering)
        return await self._told(groups, turns, _Span(since_ms=since_ms, until_ms=until_ms, left_out=left_out))

    async def _told(self, groups: Sequence[Group], turns: Sequence[QuestionTurn], span: "_Span") -> GapReport:
        questions = [question for group in groups for question in group.questions]
        today = await self.asking.today(to_ask_again(groups))
        replies = await self.traffic.agents_replies({question.conversation for question in questions})
        known = Known(today=today.asked, changed_ms=today.changed_ms, replies=replies, turns=turns)
        return GapReport(
            since_ms=span.since_ms,
            until_ms=span.until_ms,
            gaps=await asyncio.to_thread(gaps_of, groups, known),
            questions=len(questions),
            left_out=span.left_out,
            not_asked=sum(group.points[0] not in today.asked for group in groups),
            problem=today.problem,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    since_ms: int
    until_ms: int
    left_out: int


def _newest(points: Sequence[Point]) -> tuple[tuple[Point, ...], int]:
    """Keep as many points as can be grouped; return also how many questions are left out with the others."""
    newest = sorted(points, key=lambda point: (-point.last_ms, point.text))
    kept, others = newest[:MOST_POINTS], newest[MOST_POINTS:]
    return tuple(kept), sum(len(point.questions) for point in others)
