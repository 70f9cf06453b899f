"""Puts the model's content blocks together again where a sentence was divided by its citations. Pure.

A piece is given out as soon as it is whole. Words without a citation never ride along behind cited ones; before and between them
only a short lead-in does, such as "To reschedule, " or the number of a step.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.core.prompt import Block, Citation

LEAD_IN = 80  # characters; what is longer states something and needs a citation of its own
ENDED = re.compile(r"[.!?…。\uff01\uff1f][\"'”’»)\]*_]*\s*$")  # noqa: RUF001 - closing quotes
CLOSING = re.compile(r"[.,;:!?…。\uff01\uff1f\"'”’»)\]*_]+(?=\s|$)")  # noqa: RUF001 - closing quotes
STATES_ANYTHING = re.compile(r"\w")
SAYS_SOMETHING = re.compile(r"[^\W\d_]{2}")


@dataclass(slots=True, kw_only=True)
class Joining:
    """What has come but is not whole: cited text, and text without a citation behind it."""

    _cited: str = ""
    _citations: list[Citation] = field(default_factory=list)
    _loose: str = ""

    def add(self, text: str, citations: Sequence[Citation]) -> list[Block]:
        """Take a content block; return what is whole now, in order."""
        return self._add_cited(text, citations) if citations else self._add_loose(text)

    def rest(self) -> list[Block]:
        """Return what is left when the draft has ended."""
        return [*self._take_cited(), *self._take_loose()]

    def _add_cited(self, text: str, citations: Sequence[Citation]) -> list[Block]:
        begins_new = "\n" in self._loose or text.startswith("\n")
        whole = self._take_cited() if begins_new else []
        self._cited += self._loose + text
        self._citations.extend(citations)
        self._loose = ""
        if ENDED.search(self._cited) or self._cited.endswith("\n"):
            whole += self._take_cited()
        return whole

    def _add_loose(self, text: str) -> list[Block]:
        if self._citations and not self._loose and (closing := CLOSING.match(text)):
            self._cited += closing[0]
            text = text[closing.end() :]
        whole = self._take_cited() if self._citations and ENDED.search(self._cited) else []
        self._loose += text
        if SAYS_SOMETHING.search(self._loose) and (ENDED.search(self._loose) or len(self._loose) > LEAD_IN):
            whole += self.rest()
        return whole

    def _take_cited(self) -> list[Block]:
        block = Block(text=self._cited.strip(), citations=tuple(dict.fromkeys(self._citations)))
        self._cited, self._citations = "", []
        return [block] if block.text else []

    def _take_loose(self) -> list[Block]:
        block = Block(text=self._loose.strip())
        self._loose = ""
        return [block] if STATES_ANYTHING.search(block.text) else []
