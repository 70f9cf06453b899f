"""The answer gate: does a draft rest on the evidence, word for word where words matter (DESIGN §5.8, FAULTS L4)?

What does not pass is never shown. Total: any block gives a verdict.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from bot.core.article_pages import link_to
from bot.core.facts import emails_in, figures_in, links_in, without_step_numbers
from bot.core.knowledge import FoundPassage, PassageId
from bot.core.markdown import sentences_of
from bot.core.promises import promises_person
from bot.core.prompt import Asked, Block, Evidence
from bot.core.quantities import REMEMBERED

NOT_WITHIN = re.compile(r"(?<![\w.,:/@%$€£-])")
NOT_GOING_ON = re.compile(r"(?![\w%]|[.,:/@-]\w)")


class Finding(StrEnum):
    """Why a block does not pass; PROMISED_PERSON becomes a handoff of its own kind (DESIGN §6)."""

    PROMISED_PERSON = "promised_person"
    UNKNOWN_PASSAGE = "unknown_passage"
    MISQUOTED = "misquoted"
    UNCITED = "uncited"
    UNSUPPORTED_FIGURE = "unsupported_figure"
    UNSUPPORTED_ADDRESS = "unsupported_address"
    UNSUPPORTED_LINK = "unsupported_link"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The block may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ungrounded:
    """The block must not be shown; `detail` names what has no support, for agents only."""

    finding: Finding
    detail: str = ""


Verdict = Grounded | Ungrounded


def answer_gate(block: Block, evidence: Evidence, said: Sequence[str]) -> Verdict:
    """Check one block of a draft against the passages that it cites and the customer's own words, *said*."""
    found = {ranked.found.passage.id: ranked.found for ranked in evidence.passages}
    cited = [found[citation.passage] for citation in block.citations if citation.passage in found]
    if not block.fixed and (promise := _promise(block.text, cited)):
        return Ungrounded(finding=Finding.PROMISED_PERSON, detail=promise)
    if unsound := _unsound_citation(block, found):
        return unsound
    if block.fixed:
        return Grounded()
    if not cited and not is_question(block.text):
        return Ungrounded(finding=Finding.UNCITED)
    return _supported(block.text, cited or list(found.values()), said)


def draft_gate(blocks: Sequence[Block], evidence: Evidence, said: Sequence[str]) -> Verdict:
    """Check a whole draft: every block passes, and at least one cites something."""
    verdicts = (answer_gate(block, evidence, said) for block in blocks)
    failed = next((verdict for verdict in verdicts if isinstance(verdict, Ungrounded)), None)
    if failed:
        return failed
    return Grounded() if any(block.citations for block in blocks) else Ungrounded(finding=Finding.UNCITED)


def question_gate(asked: Asked, evidence: Evidence, said: Sequence[str]) -> Verdict:
    """Check a question to the customer and the answers that it offers."""
    text = "\n".join([asked.text, *(f"{option.rstrip('?!.')}?" for option in asked.options)])
    return answer_gate(Block(text=text, citations=asked.citations), evidence, said)


def is_question(text: str) -> bool:
    """Whether a text asks and states nothing: each of its sentences is a question."""
    sentences = sentences_of(text)
    return bool(sentences) and all(re.search(r"\?[\"')\]*_]*$", sentence) for sentence in sentences)


def _unsound_citation(block: Block, found: dict[PassageId, FoundPassage]) -> Ungrounded | None:
    for citation in block.citations:
        if citation.passage not in found:
            return Ungrounded(finding=Finding.UNKNOWN_PASSAGE, detail=citation.passage)
        if not _is_verbatim(citation.quote, found[citation.passage].passage.text):
            return Ungrounded(finding=Finding.MISQUOTED, detail=citation.quote)
    return None


def _is_verbatim(quote: str, text: str) -> bool:
    plain = _comparable(quote)
    return bool(plain) and plain in _comparable(text)


@lru_cache(maxsize=REMEMBERED)
def _comparable(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _promise(text: str, cited: Sequence[FoundPassage]) -> str | None:
    """Return the sentence that promises a person and is not an article's own."""
    # Lines are joined again, so that a line break within a promise does not hide it.
    rest = " ".join(_own_lines(text, cited))
    promises = "\n".join(sentence for sentence in sentences_of(rest) if promises_person(sentence))
    return next(iter(_own_lines(promises, cited)), None)


def _supported(text: str, sources: Sequence[FoundPassage], said: Sequence[str]) -> Verdict:
    """Check what a text states in words of its own."""
    rest = without_step_numbers("\n".join(_own_lines(text, sources)))
    for finding, read in (
        (Finding.UNSUPPORTED_FIGURE, figures_in),
        (Finding.UNSUPPORTED_ADDRESS, emails_in),
        (Finding.UNSUPPORTED_LINK, links_in),
    ):
        stated = read(rest)
        if unsupported := stated and stated - _known(read, sources, said):
            return Ungrounded(finding=finding, detail=", ".join(sorted(unsupported)))
    return Grounded()


def _known(
    read: Callable[[str], frozenset[str]], sources: Sequence[FoundPassage], said: Sequence[str]
) -> frozenset[str]:
    return frozenset(fact for text in (*_readable(sources), *said) for fact in read(text))


def _own_lines(text: str, sources: Iterable[FoundPassage]) -> list[str]:
    """Return the lines that stand in no source."""
    texts = [_comparable(found.passage.text) for found in sources]
    return [line for line in text.splitlines() if line.strip() and not _stands_whole(line, texts)]


def _readable(sources: Iterable[FoundPassage]) -> Iterator[str]:
    for found in sources:
        link = link_to(found.article_id, found.url)
        yield from (found.passage.text, found.title, *found.passage.headings, link)


def _stands_whole(line: str, texts: Sequence[str]) -> bool:
    """Whether *line* occurs in one of the comparable *texts*, and not as "5 days" does in "15 days"."""
    plain = _comparable(line)
    return any(
        NOT_WITHIN.match(text, at) and NOT_GOING_ON.match(text, at + len(plain))
        for text in texts
        for at in _occurrences(plain, text)
    )


def _occurrences(plain: str, text: str) -> Iterator[int]:
    at = text.find(plain)
    while at >= 0:
        yield at
        at = text.find(plain, at + 1)
