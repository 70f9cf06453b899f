"""The answer gate: does a draft rest on the evidence, word for word where words matter (DESIGN §5.8, FAULTS L4)?

What does not pass is never shown. Total: any block gives a verdict.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.core.article_pages import link_to
from bot.core.echoes import without_echoes
from bot.core.facts import emails_in, figures_in, figures_known_from, links_in, without_step_numbers
from bot.core.hidden import hidden_in, internal_in, markup_in, reveals
from bot.core.knowledge import FoundPassage, PassageId
from bot.core.markdown import ends_in_question, sentences_of
from bot.core.promises import promises_person
from bot.core.prompt import Asked, Block, Evidence
from bot.core.quotations import comparable, is_verbatim, own_lines, own_sentences
from bot.core.statements import Statements, unsupported_claim, unsupported_option, unsupported_statement

# ", right?" makes no question of what stands before it.
TAG = re.compile(
    r",\s*(?:right|ok(?:ay)?|correct|yes|isn't it|aren't you|verdad|no|oder|richtig|stimmt's|n'est-ce pas|non|certo|ne)\s*\?",
    re.IGNORECASE,
)


class Finding(StrEnum):
    """Why a block does not pass; PROMISED_PERSON becomes a handoff of its own kind (DESIGN §6)."""

    PROMISED_PERSON = "promised_person"
    UNKNOWN_PASSAGE = "unknown_passage"
    MISQUOTED = "misquoted"
    UNCITED = "uncited"
    UNSUPPORTED_FIGURE = "unsupported_figure"
    UNSUPPORTED_ADDRESS = "unsupported_address"
    UNSUPPORTED_LINK = "unsupported_link"
    UNSUPPORTED_LIMIT = "unsupported_limit"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    UNSUPPORTED_WORDING = "unsupported_wording"
    UNSUPPORTED_OPTION = "unsupported_option"
    MARKUP = "markup"
    HIDDEN_SIGNS = "hidden_signs"
    SECRET = "secret"  # noqa: S105 - the name of a finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The block may be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ungrounded:
    """The block must not be shown; `detail` names what has no support, for agents only."""

    finding: Finding
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What an installation allows and hides: fixed `phrases` that need no source, and `secrets` that no draft may hold."""

    phrases: frozenset[str] = frozenset()
    secrets: tuple[str, ...] = ()
    locale: str = "en"

    @classmethod
    def saying(cls, phrases: Iterable[str]) -> "House":
        """Return one whose answers may hold *phrases*, in whatever case."""
        return cls(phrases=frozenset(comparable(phrase).casefold() for phrase in phrases))


Verdict = Grounded | Ungrounded
NO_HOUSE = House()


def answer_gate(block: Block, evidence: Evidence, said: Sequence[str], house: House = NO_HOUSE) -> Verdict:
    """Check one block of a draft against the passages that it cites and the customer's own words, *said*."""
    found = {ranked.found.passage.id: ranked.found for ranked in evidence.passages}
    cited = [found[citation.passage] for citation in block.citations if citation.passage in found]
    if reveals(block.text, house.secrets):
        return Ungrounded(finding=Finding.SECRET)
    if not block.fixed and (promise := _promise(block.text, cited)):
        return Ungrounded(finding=Finding.PROMISED_PERSON, detail=promise)
    if unsound := _unsound_citation(block, found):
        return unsound
    if block.fixed or (not cited and comparable(block.text).casefold() in house.phrases):
        return Grounded()
    if not cited and not is_question(block.text):
        return Ungrounded(finding=Finding.UNCITED)
    sources = cited or list(found.values())
    return _supported(block, sources, said, house)


def draft_gate(blocks: Sequence[Block], evidence: Evidence, said: Sequence[str]) -> Verdict:
    """Check a whole draft: every block passes, and at least one cites something."""
    verdicts = (answer_gate(block, evidence, said) for block in blocks)
    failed = next((verdict for verdict in verdicts if isinstance(verdict, Ungrounded)), None)
    if failed:
        return failed
    return Grounded() if any(block.citations for block in blocks) else Ungrounded(finding=Finding.UNCITED)


def question_gate(asked: Asked, evidence: Evidence, said: Sequence[str], house: House = NO_HOUSE) -> Verdict:
    """Check a question to the customer and the answers that it offers."""
    text = Block(text=asked.text, citations=asked.citations)
    if asked.text and isinstance(verdict := answer_gate(text, evidence, said, house), Ungrounded):
        return verdict
    return _options(asked, evidence, said, house)


def _options(asked: Asked, evidence: Evidence, said: Sequence[str], house: House) -> Verdict:
    """Check the texts to tap; they offer cases of the evidence, and what the customer said supports none."""
    offered = tuple(f"{option.rstrip('?!.')}?" for option in asked.options)
    if not offered:
        return Grounded()
    block = Block(text="\n".join(offered), citations=asked.citations)
    if isinstance(verdict := answer_gate(block, evidence, (), house), Ungrounded):
        return verdict
    found = [ranked.found for ranked in evidence.passages]
    statements = Statements(block=block, own=offered, sources=found, said=said, locale=house.locale)
    if any(unsupported_option(option, statements) for option in offered):
        return Ungrounded(finding=Finding.UNSUPPORTED_OPTION)
    return Grounded()


def is_question(text: str) -> bool:
    """Whether a text asks and states nothing: each of its sentences is a question, and none only has one at its end."""
    sentences = sentences_of(text)
    asks = all(ends_in_question(s) and not TAG.search(s) for s in sentences)
    return bool(sentences) and asks


def _unsound_citation(block: Block, found: dict[PassageId, FoundPassage]) -> Ungrounded | None:
    for citation in block.citations:
        if citation.passage not in found:
            return Ungrounded(finding=Finding.UNKNOWN_PASSAGE, detail=citation.passage)
        if not is_verbatim(citation.quote, found[citation.passage].passage.text):
            return Ungrounded(finding=Finding.MISQUOTED, detail=citation.quote)
    return None


def _promise(text: str, cited: Sequence[FoundPassage]) -> str | None:
    """Return the sentence that promises a person and is not an article's own."""
    # Lines are joined again, so that a line break within a promise does not hide it.
    rest = " ".join(own_lines(text, cited))
    promises = "\n".join(sentence for sentence in sentences_of(rest) if promises_person(sentence))
    return next(iter(own_lines(promises, cited)), None)


def _supported(block: Block, sources: Sequence[FoundPassage], said: Sequence[str], house: House) -> Verdict:
    """Check what a text states in words of its own: facts one by one, then how it is written, then what it says."""
    rest = without_step_numbers("\n".join(own_lines(block.text, sources)))
    if unsound := _unknown_fact(rest, sources, said) or _disguised(rest):
        return unsound
    own = tuple(
        s for s in own_sentences(block.text, sources) if comparable(s).casefold() not in house.phrases
    )
    statements = Statements(block=block, own=own, sources=sources, said=said, locale=house.locale)
    if claim := unsupported_claim(statements):
        return Ungrounded(finding=Finding.UNSUPPORTED_CLAIM, detail=claim)
    return _limited_and_worded(statements) if block.citations else Grounded()


def _unknown_fact(rest: str, sources: Sequence[FoundPassage], said: Sequence[str]) -> Ungrounded | None:
    for finding, stated_in, known_from in (
        (Finding.UNSUPPORTED_FIGURE, figures_in, figures_known_from),
        (Finding.UNSUPPORTED_ADDRESS, emails_in, emails_in),
        (Finding.UNSUPPORTED_LINK, links_in, links_in),
    ):
        if unknown := stated_in(rest) - _known(known_from, _readable(sources)):
            unknown -= _echoed(rest, stated_in, said)
        if unknown:
            return Ungrounded(finding=finding, detail=", ".join(sorted(unknown)))
    return None


def _disguised(rest: str) -> Ungrounded | None:
    """Refuse what a reader would not see as it is, and words of the machinery."""
    if hidden_in(rest):
        return Ungrounded(finding=Finding.HIDDEN_SIGNS)
    markup = markup_in(rest) or internal_in(rest)
    return Ungrounded(finding=Finding.MARKUP, detail=markup) if markup else None


def _limited_and_worded(statements: Statements) -> Verdict:
    if unsupported := unsupported_statement(statements):
        sentence, is_limit = unsupported
        finding = Finding.UNSUPPORTED_LIMIT if is_limit else Finding.UNSUPPORTED_WORDING
        return Ungrounded(finding=finding, detail=sentence)
    return Grounded()


def _echoed(rest: str, read: Callable[[str], frozenset[str]], said: Sequence[str]) -> frozenset[str]:
    """Return what the customer said and the text only repeats."""
    own = (without_echoes(sentence) for sentence in sentences_of(rest))
    return _known(read, said) - _known(read, own)


def _known(read: Callable[[str], frozenset[str]], texts: Iterable[str]) -> frozenset[str]:
    return frozenset(fact for text in texts for fact in read(text))


def _readable(sources: Iterable[FoundPassage]) -> Iterator[str]:
    for found in sources:
        link = link_to(found.article_id, found.url)
        yield from (found.passage.text, found.title, *found.passage.headings, link)
