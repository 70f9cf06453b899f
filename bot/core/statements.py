"""Does a draft's own sentence state what it cites: the same limits, no claim of its own, and about the same thing?

A limiting word that was dropped and one that was added are both unsupported. Each sentence is held against the quoted clause that shares
most words with it; another sentence of the same block may carry what this one leaves out, except for a negation.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.core.bounds import amounts_in, unsupported_bound
from bot.core.claims import claims_in
from bot.core.echoes import divided, without_echoes
from bot.core.knowledge import FoundPassage
from bot.core.languages import language_in
from bot.core.limits import Limit, clauses_of, limits_of
from bot.core.markdown import plain_text, sentences_of
from bot.core.prompt import Block
from bot.core.quotations import cited_clauses
from bot.core.replies import language_of
from bot.core.wording import is_about, overlap

LONGEST_OPTION = 60  # characters
A_STATEMENT = 5  # words; fewer, such as "not yet", only answer a question
ADDED = frozenset({Limit.ALWAYS, Limit.ONLY, Limit.EXCEPT, Limit.AFTER})
DROPPED_HARMLESSLY = frozenset({Limit.NOT, Limit.ALWAYS})  # a negation is compared by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """A block's sentences of its own, the passages that it cites, or all where it only asks, and the customer's words."""

    block: Block
    own: tuple[str, ...]
    sources: Sequence[FoundPassage]
    said: Sequence[str]
    locale: str = "en"

    @property
    def source_texts(self) -> tuple[str, ...]:
        return tuple(text for f in self.sources for text in (f.passage.text, f.title, *f.passage.headings))


def unsupported_claim(statements: Statements) -> str | None:
    """Return a claim that no source makes; a question may also take up what the customer spoke of."""
    known = frozenset[str]().union(*map(claims_in, statements.source_texts))
    asked = frozenset[str]().union(*map(claims_in, statements.said))
    for sentence in statements.own:
        claims = claims_in(sentence) - known
        if sentence.rstrip("\"')]*_").endswith("?"):
            claims -= asked
        if claims:
            return min(claims)
    return None


def unsupported_statement(statements: Statements) -> tuple[str, bool] | None:
    """Return the first sentence that its citations do not support, and whether a limit is what differs."""
    cited = cited_clauses(statements.block.citations, statements.sources)
    translated = _is_translated(statements)
    for sentence in statements.own:
        stated = without_echoes(sentence)
        if not stated:
            continue
        if _limits_differ(sentence, stated, cited, statements):
            return sentence, True
        if not translated and not is_about(stated, statements.source_texts):
            return sentence, False
    return None


def unsupported_option(option: str, statements: Statements) -> bool:
    """Whether a text to tap says more than which case of the sources is the customer's; what they asked for is no case."""
    text = plain_text(option)
    known = frozenset[str]().union(*map(claims_in, statements.source_texts))
    if len(text) > LONGEST_OPTION or claims_in(text) - known:
        return True
    clauses = _clauses(statements.source_texts)
    limits = limits_of(text)
    if limits.stated & ADDED - frozenset[Limit]().union(*(limits_of(clause).met for clause in clauses)):
        return True
    if len(text.split()) >= A_STATEMENT and not any(
        limits_of(clause).negated is limits.negated for clause in _nearest(text, clauses)
    ):
        return True
    return not _is_translated(statements) and not is_about(text, statements.source_texts)


def _limits_differ(sentence: str, stated: str, cited: Sequence[str], statements: Statements) -> bool:
    around = " ".join((*cited, *_headings(statements.sources)))
    if unsupported_bound(amounts_in(sentence), amounts_in(around)):
        return True
    whole = limits_of(plain_text(statements.block.text)).met
    supposed = divided(sentence)[1]
    passages = _clauses([found.passage.text for found in statements.sources])
    return any(
        limits_of(clause).stated - {Limit.NOT, Limit.IF} - _met_by(cited, statements.sources)
        or not any(_carries(clause, supposed, quoted, whole) for quoted in _told(clause, cited, passages))
        for clause in clauses_of(stated)
    )


def _carries(clause: str, supposed: str, quoted: str, whole: frozenset[Limit]) -> bool:
    """Whether *clause* is negated as what it tells of, and nothing else that limits it is missing in the *whole* block.

    What both suppose ("if you do not answer, …") is compared by itself.
    """
    own, supposed_there = divided(quoted)
    if supposed and supposed_there and limits_of(supposed).negated is not limits_of(supposed_there).negated:
        return False
    same = limits_of(clause).negated is limits_of(own or quoted).negated
    return same and limits_of(quoted).stated - DROPPED_HARMLESSLY <= whole


def _met_by(cited: Sequence[str], sources: Sequence[FoundPassage]) -> frozenset[Limit]:
    return frozenset[Limit]().union(*(limits_of(text).met for text in (*cited, *_headings(sources))))


def _clauses(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(c for text in texts for s in sentences_of(text) for c in clauses_of(plain_text(s)))


def _told(clause: str, cited: Sequence[str], passages: Sequence[str]) -> tuple[str, ...]:
    """Return the clauses that *clause* may tell of: cited ones, unless others of the same passages share far more words with it.

    Else "it is free" could cite a sentence beside the one that says until when.
    """
    most = max((overlap(clause, told) for told in passages), default=0)
    nearest = _nearest(clause, cited)
    is_near = any(2 * overlap(clause, told) >= most for told in nearest)
    return nearest if is_near else _nearest(clause, passages)


def _nearest(clause: str, cited: Sequence[str]) -> tuple[str, ...]:
    """Return the quoted clauses that share most words with *clause*; all where none shares any, as between languages."""
    shared = [overlap(clause, quoted) for quoted in cited]
    most = max(shared, default=0)
    return tuple(quoted for quoted, count in zip(cited, shared, strict=True) if count == most)


def _headings(sources: Sequence[FoundPassage]) -> Iterator[str]:
    for found in sources:
        yield from (found.title, *found.passage.headings)


def _is_translated(statements: Statements) -> bool:
    """Whether the block is in the customer's language and its sources are in another one."""
    sources = language_in("\n".join(statements.source_texts))
    spoken = {language_of(statements.locale), *map(language_in, statements.said)} - {None}
    written = language_in(statements.block.text)
    return (
        sources is not None
        and written != sources
        and (written in spoken or (written is None and sources not in spoken))
    )
