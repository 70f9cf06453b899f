"""From a question to ranked passages: the retrieval query, the state of the index, two vectors, one search."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.core.conditions import StatedValue
from bot.core.conversation import Message
from bot.core.gate import gate_cosine, threshold_for
from bot.core.knowledge import Calibration, IndexState, SearchQuery, SearchResult, Vector
from bot.core.lexical import Words, terms
from bot.core.policy import TurnPolicy
from bot.core.ranking import rank
from bot.core.retrieval_query import (
    WindowRules,
    answers_a_question,
    as_bare_reply,
    blended,
    retrieval_query,
    stands_out,
)
from bot.core.rivals import stated_by
from bot.core.routing import Question
from bot.core.rules import Rules, carries_text, is_bare_reply, is_refusal_echo, subjects_of, words_to_find
from bot.core.topics import support
from bot.core.turn import IndexSeen, RetrievalQuery, Stage, TurnStart
from bot.errors import IndexNotReady, RetrievalUnavailable
from bot.model_ports import Embedder, Reranker
from bot.ports import Clock, PassageIndex
from bot.service.reranking import look_again
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
    reranker: Reranker | None = None

    async def retrieve(
        self, start: TurnStart, question: Question, trace: Trace, *, can_abstain: bool
    ) -> None:
        """Leave the search and the ranked passages in *trace*; StageBroken."""
        earlier = [m for m in start.history if m.seq < question.current.seq]
        query = await self._query(earlier, question, trace)
        calibration = await self._look_at_index(trace, can_abstain=can_abstain)
        vectors = await self._embed(query, trace)
        query, found = await self._search(query, vectors, start, trace)
        async with trace.stage(Stage.RANK):
            stated = self._stated(earlier, query)
            trace.ranked = rank(
                found.passages,
                now_ms=self.clock.now_ms(),
                policy=self.policy.ranking,
                named=self._named(query, found),
                stated=stated,
            )
            trace.best_cosine = self._gate_cosine(found)
            trace.support = self._support(query, found)
            trace.threshold = threshold_for(
                calibration, self.policy, can_abstain=can_abstain, support=trace.support
            )
        if self.reranker is not None and stated is None:  # what the customer stated is not to be outvoted
            await look_again(self.reranker, query.own, trace, within_s=self.policy.deadlines.rerank_s)

    def _named(self, query: RetrievalQuery, found: SearchResult) -> frozenset[str]:
        """Return the terms whose articles were named: a message close to one by itself may be about something else than before."""
        if query.is_bare_reply:
            return frozenset()
        _, to_own = found.beside
        is_new = stands_out(to_own, self.policy.retrieval.stands_out)
        return frozenset(terms(query.own if is_new else query.text))

    def _gate_cosine(self, found: SearchResult) -> float | None:
        if not found.passages:
            return None
        blended_best = max(p.cosine for p in found.passages)
        return gate_cosine([cosines[0] for cosines in found.beside], blended_best, self.policy.retrieval)

    def _stated(self, earlier: Sequence[Message], query: RetrievalQuery) -> StatedValue | None:
        """A bare reply goes on with what was said before it; a full question may be about something else."""
        before = [m for m in earlier if m.seq in query.used] if query.is_bare_reply else []
        return stated_by(before, query.bare, self.rules)

    def _support(self, query: RetrievalQuery, found: SearchResult) -> float | None:
        """Look for the question's words in the nearest passages; a bare reply's question stands before it."""
        nearest = (passage.passage.embedded_text for passage in found.passages[:SUPPORTING])
        return support(subjects_of(query.own, self.rules), nearest)

    async def _query(self, earlier: Sequence[Message], question: Question, trace: Trace) -> RetrievalQuery:
        async with trace.stage(Stage.QUERY):
            query = retrieval_query(earlier, question.current, question.bare, self._window_rules())
            if len(query.used) > 1 and self._is_bare_reply(query, earlier):
                query = as_bare_reply(query)
            trace.query = replace(query, window_weight=self.policy.retrieval.window_weight)
        return trace.query

    def _is_bare_reply(self, query: RetrievalQuery, earlier: Sequence[Message]) -> bool:
        policy = self.policy.retrieval
        asked = answers_a_question(query, earlier)
        subject_words = policy.answering_words if asked else policy.bare_reply_words
        return is_bare_reply(
            query.bare, self.rules, subject_words=subject_words, question_words=policy.bare_question_words
        )

    def _window_rules(self) -> WindowRules:
        return WindowRules(
            is_refusal_echo=lambda text: is_refusal_echo(text, self.rules),
            carries_text=carries_text,
            count_tokens=self.embedder.count_tokens,
            token_limit=self.embedder.token_limit,
            messages=self.policy.retrieval.window_messages,
            told_words=self.policy.retrieval.told_words,
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

    async def _embed(self, query: RetrievalQuery, trace: Trace) -> dict[str, Vector]:
        texts = tuple(dict.fromkeys((query.text, query.own, query.bare)))
        async with trace.stage(Stage.EMBED, within_s=self.policy.deadlines.embed_s):
            vectors = await self.embedder.embed_queries(texts)
        return dict(zip(texts, vectors, strict=True))

    async def _search(
        self, query: RetrievalQuery, vectors: Mapping[str, Vector], start: TurnStart, trace: Trace
    ) -> tuple[RetrievalQuery, SearchResult]:
        locales = (start.conversation.locale, self.policy.kb_locale)
        async with trace.stage(Stage.SEARCH, within_s=self.policy.deadlines.search_s):
            if await self._stands_alone(query, vectors[query.bare], locales):
                query = replace(query, own=query.bare, is_bare_reply=False)
            trace.query = query
            both = (vectors[query.text], vectors[query.own])
            trace.search = SearchQuery(
                vector=blended(*both, window_weight=query.window_weight),
                locales=locales,
                limit=self.policy.retrieval.limit,
                words=self._words(query),
                beside=both,
            )
            found = await self.index.search(trace.search)
            if trace.index is not None:
                _require_comparable(found, trace.index)
                trace.index = replace(trace.index, generation=found.generation)
        return query, found

    def _words(self, query: RetrievalQuery) -> tuple[Words, ...]:
        """Look for the customer's own words, and for a bare reply also for those of the question that it answers."""
        own = Words(terms=words_to_find(query.own, self.rules))
        told = Words(terms=words_to_find(query.told, self.rules), weight=self.policy.retrieval.told_weight)
        wanted = (own, told) if query.is_bare_reply else (own,)
        return tuple(words for words in wanted if words.terms)

    async def _stands_alone(self, query: RetrievalQuery, bare: Vector, locales: tuple[str, ...]) -> bool:
        """Whether a message as short as a reply is close to an article by itself: "I want a refund" after an answer on something else."""
        if not query.is_bare_reply or not subjects_of(query.bare, self.rules):
            return False
        nearest = await self.index.search(SearchQuery(vector=bare, locales=locales, limit=1))
        return any(p.cosine >= self.policy.retrieval.stands_alone for p in nearest.passages)


def _require_comparable(found: SearchResult, seen: IndexSeen) -> None:
    """Refuse scores that the threshold was not measured for, and scores that are no cosines: nothing would pass the gate."""
    if found.fingerprint != seen.fingerprint:
        raise IndexNotReady(f"the index was exchanged meanwhile: now {found.fingerprint}")
    beside = (cosine for cosines in found.beside for cosine in cosines)
    scores = (*(p.cosine for p in found.passages), *beside)
    if not all(abs(score) <= HIGHEST_COSINE for score in scores):
        raise RetrievalUnavailable("the index returned a score that is no cosine")
