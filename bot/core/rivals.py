"""Which article to quote where several on one topic differ by a condition (DESIGN §2.1).

"How to Reschedule a Lesson" and "Rescheduling With Less Than 24 Hours Notice" are rivals: what the customer stated
decides between them, whatever their ranks; where nothing was stated, the customer is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.conditions import (
    Condition,
    StatedValue,
    asked_conditions,
    opposed,
    single_condition,
    stated_condition,
)
from bot.core.conversation import Kind, Message, Role
from bot.core.knowledge import ArticleId, RankedPassage
from bot.core.prompt import AnswerRequest, Evidence
from bot.core.rules import Rules, affirmation
from bot.core.sections import lead_of
from bot.core.topics import is_one_topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An article in the evidence, its passages by falling rank, and the conditions that its title and its lead name."""

    passages: tuple[RankedPassage, ...]
    titled: Condition | None
    led: Condition | None

    @property
    def id(self) -> ArticleId:
        """Return the article's id."""
        return self.passages[0].found.article_id

    @property
    def title(self) -> str:
        """Return the article's title."""
        return self.passages[0].found.title

    def passes(self, threshold: float | None) -> bool:
        """Return whether the article passes the evidence gate by itself; any does where there was no threshold."""
        return threshold is None or any(p.found.cosine >= threshold for p in self.passages)

    @property
    def condition(self) -> Condition | None:
        """Return what the article applies to; the title says it before the lead does."""
        return self.titled or self.led


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """The article to quote; `exception` is another one and the condition under which it applies instead, to be asked about."""

    article: Candidate
    stated: StatedValue | None = None
    exception: tuple[Candidate, Condition] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichApplies:
    """Rivals that only the customer can choose between, each with its condition."""

    articles: tuple[tuple[Candidate, Condition], ...]


def candidates(evidence: Evidence) -> tuple[Candidate, ...]:
    """Return the evidence by article, best first."""
    ids = dict.fromkeys(passage.found.article_id for passage in evidence.passages)
    return tuple(
        _candidate(tuple(p for p in evidence.passages if p.found.article_id == article)) for article in ids
    )


def choose_article(request: AnswerRequest, rules: Rules) -> Quoted | WhichApplies:
    """Choose among the articles of the evidence, of which there is at least one."""
    found = candidates(request.evidence)
    anchor = _anchor(found, request, rules)
    siblings = [
        article for article in found if article is anchor or is_one_topic(article.title, anchor.title)
    ]
    stated = stated_by(request.history, request.question, rules)
    chosen = _by_condition(siblings, stated) if stated else None
    choice = Quoted(article=chosen) if chosen else _between_rivals(anchor, siblings, request.evidence)
    return replace(choice, stated=stated) if isinstance(choice, Quoted) else choice


def _candidate(passages: tuple[RankedPassage, ...]) -> Candidate:
    opening = min(passages, key=lambda ranked: ranked.found.passage.position).found.passage
    sentences = lead_of(opening.text) if opening.position == 0 else ()
    return Candidate(
        passages=passages,
        titled=single_condition(passages[0].found.title),
        led=next((condition for sentence in sentences if (condition := single_condition(sentence))), None),
    )


# --- what the customer stated -------------------------------------------------------------------


def stated_by(history: Sequence[Message], question: str, rules: Rules) -> StatedValue | None:
    """Return the customer's newest statement about an amount of time; *history* is oldest first and ends before *question*, or in parts of it."""
    statements = (
        stated_condition(said, bot, affirmation(said, rules)) for bot, said in _exchanges(history, question)
    )
    return next((statement for statement in statements if statement), None)


def _exchanges(history: Sequence[Message], question: str) -> list[tuple[str, str]]:
    """Pair each customer message with the bot's last text before it, newest first."""
    pairs: list[tuple[str, str]] = []
    bot = ""
    for message in _earlier(history, question):
        if message.role is Role.BOT:
            bot = message.text
        elif message.role is Role.CUSTOMER:
            pairs.append((bot, message.text))
    return [(bot, question), *reversed(pairs)]


def _earlier(history: Sequence[Message], question: str) -> list[Message]:
    """Return the text messages before the ones that the bare message joins."""
    texts = [message for message in history if message.kind is Kind.TEXT]
    while texts and texts[-1].role is Role.CUSTOMER and texts[-1].text.strip() in question:
        texts.pop()
    return texts


def _anchor(found: Sequence[Candidate], request: AnswerRequest, rules: Rules) -> Candidate:
    """Return the article that the others are compared with: the one that the bot has just asked about, if this is the reply.

    A question on something else is not one, nor does a question that the bot only quoted ask anything.
    """
    asked = next(
        (m for m in reversed(_earlier(request.history, request.question)) if m.role is Role.BOT), None
    )
    if asked is None or not _is_settled_by(request.question, asked.text, rules):
        return found[0]
    shown = {source.id for source in asked.sources}
    return next((article for article in found if article.id in shown), found[0])


def _is_settled_by(question: str, bot_text: str, rules: Rules) -> bool:
    """Return whether the bot asked about a condition and *question* says which holds."""
    if not asked_conditions(bot_text):
        return False
    return stated_condition(question, bot_text, affirmation(question, rules)) is not None


# --- choosing -----------------------------------------------------------------------------------


def _by_condition(siblings: Sequence[Candidate], stated: StatedValue) -> Candidate | None:
    """Return the sibling that the statement speaks for; None when it decides nothing."""
    fitting = [a for a in siblings if a.condition and a.condition.fits(stated)]
    excluded = [a for a in siblings if a.condition and a.condition.excludes(stated)]
    general = [a for a in siblings if a.condition is None]
    titled = [a for a in fitting if a.titled]
    return next(iter(titled or fitting or (general if excluded else [])), None)


def _between_rivals(
    anchor: Candidate, siblings: Sequence[Candidate], evidence: Evidence
) -> Quoted | WhichApplies:
    for rival in siblings:
        if rival is anchor or not rival.passages[0].rival or not _contend(anchor, rival):
            continue
        special, general = (anchor, rival) if anchor.titled else (rival, anchor)
        if special.titled and not general.titled:
            if not general.passes(evidence.threshold):
                continue  # it is there for comparison only; alone it would be no evidence
            return Quoted(article=general, exception=(special, special.titled))
        pairs = ((a, a.condition) for a in (anchor, rival))
        return WhichApplies(articles=tuple((a, condition) for a, condition in pairs if condition))
    return Quoted(article=anchor)


def _contend(a: Candidate, b: Candidate) -> bool:
    """Whether at most one of two articles can apply: opposed conditions, or one is the exception from the other."""
    if a.condition and b.condition:
        return opposed(a.condition, b.condition)
    return bool(a.titled) is not bool(b.titled)
