"""Articles that an agent may answer with: those that the bot found last, then those that a search finds now.

A search that failed is said, beside whatever there is without it: an outage must never look like missing content.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from bot.core.failures import reason_for
from bot.core.inbound import clean_text
from bot.core.knowledge import ArticleId, FoundPassage, SearchQuery
from bot.core.lexical import Words, terms
from bot.core.outcome import ReasonCode
from bot.core.policy import TurnPolicy
from bot.core.ranking import rank
from bot.core.rules import Rules, carries_text, words_to_find
from bot.core.turn import Stage, Turn
from bot.errors import IndexNotReady, OutsideFailure
from bot.model_ports import Embedder
from bot.ports import Clock, PassageIndex

log = structlog.get_logger()

MOST_ARTICLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """The nearest passage of each article, best first; `problem` is why the search could not be made, None when it was."""

    passages: tuple[FoundPassage, ...]
    problem: ReasonCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggesting:
    """Looks in the index that answers come from, in the customer's language as a turn does."""

    index: PassageIndex
    embedder: Embedder
    rules: Rules
    policy: TurnPolicy
    clock: Clock

    async def articles(self, turns: Sequence[Turn], text: str, *, locale: str) -> Suggestions:
        """Return what the last of *turns* that searched had found and is still there, then what *text* finds."""
        deadlines = self.policy.deadlines
        known, problem = tuple[FoundPassage, ...](), None
        try:
            async with asyncio.timeout(deadlines.search_s):
                known = await self._still_there(_last_found(turns))
            async with asyncio.timeout(deadlines.embed_s + deadlines.search_s):
                found = await self._search(text, locale)
        except (OutsideFailure, TimeoutError) as failure:
            problem, found = reason_for(Stage.SEARCH, failure), ()
            log.warning("suggestions_not_searched", error=type(failure).__name__)
        return Suggestions(passages=_of_each_article((*known, *found))[:MOST_ARTICLES], problem=problem)

    async def _still_there(self, found: Sequence[FoundPassage]) -> tuple[FoundPassage, ...]:
        """Leave out what was retired or rewritten since: agents must not send what no customer may read any more."""
        there = []
        for passage in _of_each_article(found):
            article = await self.index.article(passage.article_id)
            if article is not None and passage.passage.text in (p.text for p in article.passages):
                there.append(passage)
        return tuple(there)

    async def _search(self, text: str, locale: str) -> tuple[FoundPassage, ...]:
        asked = clean_text(text, field="q")
        if not carries_text(asked):
            return ()
        (vector,) = await self.embedder.embed_queries((asked,))
        query = SearchQuery(
            vector=vector,
            locales=(locale, self.policy.kb_locale),
            limit=self.policy.retrieval.limit,
            words=(Words(terms=words_to_find(asked, self.rules)),),
        )
        found = await self.index.search(query)
        if not found.passages:
            raise IndexNotReady(
                "the search returned no candidates"
            )  # a healthy index always has a nearest passage
        policy = replace(self.policy.ranking, max_articles=MOST_ARTICLES, max_passages=2 * MOST_ARTICLES)
        ranked = rank(
            found.passages, now_ms=self.clock.now_ms(), policy=policy, named=frozenset(terms(asked))
        )
        return tuple(one.found for one in ranked)


def _last_found(turns: Sequence[Turn]) -> tuple[FoundPassage, ...]:
    last = next((turn for turn in reversed(turns) if turn.ranked), None)
    return tuple(one.found for one in last.ranked) if last else ()


def _of_each_article(passages: Sequence[FoundPassage]) -> tuple[FoundPassage, ...]:
    """Keep the first passage of each article, in order."""
    first: dict[ArticleId, FoundPassage] = {}
    for passage in passages:
        first.setdefault(passage.article_id, passage)
    return tuple(first.values())
