"""Answers with the articles' own words: no model, no network, nothing that is not quoted."""

from collections.abc import AsyncGenerator

from bot.core.prompt import AnswerRequest, DraftPiece
from bot.core.quoting import quoted_draft
from bot.core.replies import Replies
from bot.core.rules import Rules


class ExtractiveAnswerer:
    """Quotes the winning article; it cannot tell whether the article answers the question."""

    def __init__(self, replies: Replies, rules: Rules) -> None:
        self._replies = replies
        self._rules = rules

    @property
    def can_abstain(self) -> bool:
        """Return False: the evidence gate alone decides whether there is an answer."""
        return False

    @property
    def streams(self) -> bool:
        """Return False: the whole quotation is there at once."""
        return False

    @property
    def name(self) -> str:
        """Return the name that records and logs use."""
        return "extractive"

    async def draft(self, request: AnswerRequest) -> AsyncGenerator[DraftPiece, None]:
        """Yield the quotation block by block, then its end."""
        for piece in quoted_draft(request, self._replies, self._rules):
            yield piece
