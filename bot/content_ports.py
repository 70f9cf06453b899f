"""What the content team's page reads of the knowledge base, and the decisions that it keeps, as Protocols."""

from typing import Protocol

from bot.core.content import Decision, ListedArticle, NearPair, PairKey
from bot.core.knowledge import Article, ArticleId
from bot.sync_ports import Generation, RunRecord


class ArticleCatalogue(Protocol):
    """The live generation for people who keep it, and what they decided. Every method may raise RetrievalUnavailable."""

    async def articles(self) -> tuple[ListedArticle, ...]:
        """Return every article of any status, by id; none without a live generation."""
        ...

    async def find_articles(self, text: str, *, limit: int) -> tuple[ArticleId, ...]:
        """Return articles whose id, title, tags or body have, for each word of *text*, a word that begins with it; by id.

        A text without a word finds nothing.
        """
        ...

    async def whole_article(self, article: ArticleId) -> Article | None:
        """Return an article of any status, as its source has it; None for an unknown id."""
        ...

    async def near_pairs(self, *, least: float, limit: int) -> tuple[NearPair, ...]:
        """Return passages of two active articles of one locale with a raw cosine of *least* or more, falling, then by id.

        At most *limit*; the same until the live generation or the decisions change.
        """
        ...

    async def decisions(self) -> tuple[Decision, ...]:
        """Return the decisions that count, newest first."""
        ...

    async def decide(self, decision: Decision) -> None:
        """Keep a decision in place of one with its key, and let it count at once, for searches too.

        Refused, and nothing kept, when one of its articles is not active by then: of two people who decide at once, the second
        would otherwise put out what the first has kept.
        """
        ...

    async def withdraw(self, key: PairKey) -> None:
        """Drop a decision, so that the pair is as before it; one that is not there is left alone."""
        ...

    async def runs(self, *, limit: int) -> tuple[RunRecord, ...]:
        """Return the records of runs, newest first."""
        ...

    async def generations(self) -> tuple[Generation, ...]:
        """Return what is live, what was before it and what is being built, newest first."""
        ...
