"""From a question to ranked passages: the retrieval query, the state of the index, two vectors, one search."""

from dataclasses import dataclass, replace

from bot.core.gate import best_cosine, threshold_for
from bot.core.knowledge import Calibration, IndexState, SearchQuery, SearchResult, Vector
from bot.core.policy import TurnPolicy
from bot.core.ranking import rank
from bot.core.retrieval_query import WindowRules, blended, retrieval_query
from bot.core.routing import Question
from bot.core.rules import Rules, carries_text, is_bare_reply, is_refusal_echo, subjects_of
from bot.core.topics import support
from bot.core.turn import IndexSeen, RetrievalQuery, Stage, TurnStart
from bot.errors import IndexNotReady, RetrievalUnavailable
from bot.ports import Clock, Embedder, PassageIndex
from bot.service.trace import Trace

SUPPORTING = (
    8  # passages in which a question's words are looked for; fewer and more told questions apart less well
)
HIGHEST_COSINE = 1.001  # rounding of 32-bit vectors included; beyond it, or NaN, a score is not a cosine


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieving:
    """The stages between routing and the evidence gate; what they find is left in the trace."""

    index: PassageIndex
    embedder: Embedder
    rules: Rules
    policy: TurnPolicy
    clock: Clock

    async def retrieve(
        self, start: TurnStart, question: Question, trace: Trace, *, can_abstain: bool
    ) -> None:
        """Leave the search and the ranked passages in *trace*; StageBroken."""
        query = await self._query(start, question, trace)
        calibration = await self._look_at_index(trace, can_abstain=can_abstain)
        vectors = await self._embed(query, trace)
        query, found = await self._search(query, vectors, start, trace)
        async with trace.stage(Stage.RANK):
            trace.ranked = rank(found.passages, now_ms=self.clock.now_ms(), policy=self.policy.ranking)
            trace.best_cosine = best_cosine(trace.ranked) if trace.ranked else None
            trace.support = self._support(query, found)
            trace.threshold = threshold_for(
                calibration, self.policy, can_abstain=can_abstain, support=trace.support
            )

    def _support(self, query: RetrievalQuery, found: SearchResult) -> float | None:
        """Look for the question's words in the nearest passages; a bare reply's question stands in the window."""
        asked = query.text if query.window_weight == 1.0 else query.bare
        nearest = (passage.passage.embedded_text for passage in found.passages[:SUPPORTING])
        return support(subjects_of(asked, self.rules), nearest)

    async def _query(self, start: TurnStart, question: Question, trace: Trace) -> RetrievalQuery:
        async with trace.stage(Stage.QUERY):
            earlier = [m for m in start.history if m.seq < question.current.seq]
            query = retrieval_query(earlier, question.current, question.bare, self._window_rules())
            trace.query = replace(query, window_weight=self._window_weight(query.bare))
        return trace.query

    def _window_weight(self, bare: str) -> float:
        policy = self.policy.retrieval
        is_bare = is_bare_reply(bare, self.rules, subject_words=policy.bare_reply_words)
        return 1.0 if is_bare else policy.window_weight

    def _window_rules(self) -> WindowRules:
        return WindowRules(
            is_refusal_echo=lambda text: is_refusal_echo(text, self.rules),
            carries_text=carries_text,
            count_tokens=self.embedder.count_tokens,
            token_limit=self.embedder.token_limit,
            messages=self.policy.retrieval.window_messages,
        )

    async def _look_at_index(self, trace: Trace, *, can_abstain: bool) -> Calibration | None:
        """An index that cannot be believed ends the turn here; its emptiness says nothing about the articles."""
        async with trace.stage(Stage.INDEX, within_s=self.policy.deadlines.search_s):
            status = await self.index.status()
            trace.threshold = threshold_for(status.calibration, self.policy, can_abstain=can_abstain)
            trace.index = IndexSeen(
                state=status.state,
                fingerprint=status.fingerprint,
                generation=status.generation,
                calibrated=trace.threshold is not None,
            )
            if status.state is not IndexState.READY:
                raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")
        return status.calibration

    async def _embed(self, query: RetrievalQuery, trace: Trace) -> tuple[Vector, Vector]:
        async with trace.stage(Stage.EMBED, within_s=self.policy.deadlines.embed_s):
            window, bare = await self.embedder.embed_queries((query.text, query.bare))
        return window, bare

    async def _search(
        self, query: RetrievalQuery, vectors: tuple[Vector, Vector], start: TurnStart, trace: Trace
    ) -> tuple[RetrievalQuery, SearchResult]:
        window, bare = vectors
        locales = (start.conversation.locale, self.policy.kb_locale)
        async with trace.stage(Stage.SEARCH, within_s=self.policy.deadlines.search_s):
            if await self._stands_alone(query, bare, locales):
                query = replace(query, window_weight=self.policy.retrieval.window_weight)
            trace.query = query
            vector = blended(window, bare, window_weight=query.window_weight)
            trace.search = SearchQuery(vector=vector, locales=locales, limit=self.policy.retrieval.limit)
            found = await self.index.search(trace.search)
            if trace.index is not None:
                _require_comparable(found, trace.index)
                trace.index = replace(trace.index, generation=found.generation)
        return query, found

    async def _stands_alone(self, query: RetrievalQuery, bare: Vector, locales: tuple[str, ...]) -> bool:
        """Whether a message as short as a reply is close to an article by itself: "I want a refund" after an answer on something else."""
        is_short = query.window_weight == 1.0 and len(query.used) > 1
        if not is_short or not subjects_of(query.bare, self.rules):
            return False
        nearest = await self.index.search(SearchQuery(vector=bare, locales=locales, limit=1))
        return any(p.cosine >= self.policy.retrieval.stands_alone for p in nearest.passages)


def _require_comparable(found: SearchResult, seen: IndexSeen) -> None:
    """Refuse scores that the threshold was not measured for, and scores that are no cosines: nothing would pass the gate."""
    if found.fingerprint != seen.fingerprint:
        raise IndexNotReady(f"the index was exchanged meanwhile: now {found.fingerprint}")
    if not all(abs(p.cosine) <= HIGHEST_COSINE for p in found.passages):
        raise RetrievalUnavailable("the index returned a score that is no cosine")
