"""An answer in an article's own words: which section is quoted, and what is asked where a condition decides.

Every block is either a sentence of replies.toml or stands verbatim in the passage that it cites.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.core.conditions import Bound, Condition, StatedValue, single_condition
from bot.core.conversation import Role
from bot.core.knowledge import Passage, PassageId
from bot.core.markdown import BlockKind
from bot.core.policy import RetrievalPolicy
from bot.core.prompt import Abstained, AnswerRequest, Asked, Block, Citation, DraftPiece, Finished, Stop
from bot.core.quantities import HOURS_OF_UNIT, folded
from bot.core.replies import Replies
from bot.core.rivals import Candidate, Quoted, WhichApplies, choose_article
from bot.core.rules import Rules, is_bare_reply
from bot.core.sections import Piece, lead_of, pieces_of, within, without_overlap

LONGEST_ANSWER = 1_200  # characters; more is not read in a chat
ASKS_HOW = re.compile(
    r"\bhow (?:do|can|to|could|should|would|must|might)\b|\b(?:wie|como|comment)\b(?! (?:lange|viel|oft|mucho|muito|estas))|\bsteps\b"
)
BARE_REPLY_WORDS = RetrievalPolicy().bare_reply_words
NUMBERED = re.compile(r"\s*\d+[.)]\s")
LITTLE = 500  # a quotation this short and without steps goes on into the next passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A piece, the passage that each of its parts stands in, and the heading to show above it."""

    piece: Piece
    passages: tuple[PassageId, ...]
    heading: str = ""

    @property
    def block(self) -> Block:
        """Return the piece as a block that quotes itself."""
        text = f"**{self.heading}**\n\n{self.piece.text}" if self.heading else self.piece.text
        pairs = zip(self.passages, self.piece.parts, strict=True)
        return Block(text=text, citations=tuple(Citation(passage=id_, quote=part) for id_, part in pairs))

    def continued_by(self, other: "Excerpt") -> bool:
        """Whether both are steps of one list that was cut between passages."""
        return self.piece.kind is other.piece.kind is BlockKind.ITEM and not other.heading

    def with_steps_of(self, other: "Excerpt") -> "Excerpt":
        """Return one list of both."""
        piece = Piece(kind=self.piece.kind, parts=self.piece.parts + other.piece.parts)
        return replace(self, piece=piece, passages=self.passages + other.passages)

    def within(self, room: int) -> "Excerpt | None":
        """Return the steps that fit into *room* characters; None when there are none."""
        piece = within(self.piece, room)
        return replace(self, piece=piece, passages=self.passages[: len(piece.parts)]) if piece else None


def quoted_draft(request: AnswerRequest, replies: Replies, rules: Rules) -> tuple[DraftPiece, ...]:
    """Return the whole draft, its end last."""
    if not request.evidence.passages:
        return (Abstained(why="no passages"),)
    chosen = choose_article(request, rules)
    if isinstance(chosen, WhichApplies):
        return (_which_applies(chosen, replies, request.locale),)
    return tuple(_quotation(chosen, replies, request.locale, wants_steps=_wants_steps(request, rules)))


def excerpts(
    passages: Sequence[Passage], stated: StatedValue | None, *, wants_steps: bool = False
) -> tuple[tuple[Excerpt, ...], bool]:
    """Return what to quote of an article, its passages given by falling rank, and whether something was left out."""
    known = {passage.position: passage for passage in passages}
    start = _start(passages, stated, known if wants_steps else None)
    found = _lists_whole(_read(_run(start, known)))
    kept = _within_budget(found)
    while len(kept) > 1 and kept[-1].piece.announces:
        del kept[-1]
    return tuple(kept), _parts(kept) < _parts(found)


# --- the pieces of a draft ----------------------------------------------------------------------


def _quotation(chosen: Quoted, replies: Replies, locale: str, *, wants_steps: bool) -> Iterator[DraftPiece]:
    passages = [ranked.found.passage for ranked in chosen.article.passages]
    quoted, is_cut = excerpts(passages, chosen.stated, wants_steps=wants_steps)
    if not quoted:
        yield Abstained(why="the passages hold nothing to quote")
        return
    yield _fixed(replies.text("quote_intro", locale, title=chosen.article.title))
    yield from (excerpt.block for excerpt in quoted)
    if is_cut:
        yield _fixed(replies.text("read_more", locale))
    if chosen.exception is None:
        yield Finished(stop=Stop.COMPLETE)
        return
    other, condition = chosen.exception
    key = "exception_less" if condition.bound is Bound.BELOW else "exception_more"
    limit = _limit(condition, replies, locale)
    yield _fixed(replies.text(key, locale, limit=limit, title=other.title))
    yield Finished(stop=Stop.COMPLETE, options=_both_sides(condition, replies, locale))


def _which_applies(choice: WhichApplies, replies: Replies, locale: str) -> Asked:
    found = [condition for _, condition in choice.articles]
    citations = tuple(citation for article, _ in choice.articles for citation in _lead_citation(article))
    options = tuple(_in_words(condition, replies, locale) for condition in found)
    if len({condition.hours for condition in found}) > 1:
        return Asked(text=replies.text("which_applies", locale), options=options, citations=citations)
    text = replies.text("condition_question", locale, limit=_limit(found[0], replies, locale))
    return Asked(text=text, options=options, citations=citations)


def _fixed(text: str) -> Block:
    return Block(text=text, fixed=True)


def _lead_citation(article: Candidate) -> Iterator[Citation]:
    passage = article.passages[0].found.passage
    if pieces := pieces_of(passage.text):
        yield Citation(passage=passage.id, quote=pieces[0].parts[0])


def _both_sides(condition: Condition, replies: Replies, locale: str) -> tuple[str, str]:
    other = Condition(bound=condition.bound.other, hours=condition.hours, unit=condition.unit)
    return _in_words(condition, replies, locale), _in_words(other, replies, locale)


def _in_words(condition: Condition, replies: Replies, locale: str) -> str:
    key = "condition_less" if condition.bound is Bound.BELOW else "condition_more"
    return replies.text(key, locale, limit=_limit(condition, replies, locale))


def _limit(condition: Condition, replies: Replies, locale: str) -> str:
    """Name the amount in the article's unit, or in a smaller one where there would be just one of it."""
    units = list(HOURS_OF_UNIT)
    unit = condition.unit
    while units.index(unit) > 0 and condition.hours / HOURS_OF_UNIT[unit][0] < 2:
        unit = units[units.index(unit) - 1]
    number = condition.hours / HOURS_OF_UNIT[unit][0]
    return replies.text(f"amount_{unit}s", locale, number=f"{round(number, 2):g}")


# --- the section --------------------------------------------------------------------------------


def _start(
    passages: Sequence[Passage], stated: StatedValue | None, leading_to_steps: Mapping[int, Passage] | None
) -> Passage:
    """Return the best passage; one that is excluded by what the customer stated goes last.

    Where a way to do something is asked for, one that has steps, or leads to some in *leading_to_steps*, goes first.
    """

    def order(passage: Passage) -> tuple[int, bool]:
        has_way = leading_to_steps is None or any(map(_has_steps, _run(passage, leading_to_steps)))
        return _misfit(passage, stated), not has_way

    return min(passages, key=order)


def _has_steps(passage: Passage) -> bool:
    return any(
        piece.kind is BlockKind.ITEM and NUMBERED.match(piece.parts[0]) for piece in pieces_of(passage.text)
    )


def _wants_steps(request: AnswerRequest, rules: Rules) -> bool:
    """Whether the customer asks how to do something, now or in the question that a bare reply is about."""
    asked = [request.question]
    if is_bare_reply(request.question, rules, subject_words=BARE_REPLY_WORDS):
        earlier = (m.text for m in reversed(request.history) if m.role is Role.CUSTOMER)
        asked.extend(t for t in earlier if not is_bare_reply(t, rules, subject_words=BARE_REPLY_WORDS))
    return any(ASKS_HOW.search(folded(text)) for text in asked[:2])


def _misfit(passage: Passage, stated: StatedValue | None) -> int:
    texts = [*reversed(passage.headings), *lead_of(passage.text)]
    condition = next((found for text in texts if (found := single_condition(text))), None)
    if stated is None or condition is None or condition.fits(stated):
        return 0
    return 1 if condition.excludes(stated) else 0


def _run(start: Passage, known: Mapping[int, Passage]) -> list[Passage]:
    """Return *start* and the retrieved neighbours that its section goes on into."""
    run = [start]
    while (before := known.get(run[0].position - 1)) and _goes_on(before, run[0]):
        run.insert(0, before)
    while (after := known.get(run[-1].position + 1)) and (_goes_on(run[-1], after) or _says_little(run)):
        run.append(after)
    return run


def _goes_on(passage: Passage, after: Passage) -> bool:
    """Whether the steps of *passage*, or what it announces, are continued *after* it under the same heading."""
    last, first = pieces_of(passage.text)[-1:], without_overlap(after.text, passage.text)[:1]
    if not last or not first or passage.headings != after.headings:
        return False
    is_list = first[0].kind is BlockKind.ITEM
    return is_list and (last[0].kind is BlockKind.ITEM or last[0].announces)


def _says_little(run: Sequence[Passage]) -> bool:
    pieces = [piece for passage in run for piece in pieces_of(passage.text)]
    has_steps = any(piece.kind is BlockKind.ITEM for piece in pieces)
    return not has_steps and sum(len(piece.text) for piece in pieces) < LITTLE


def _read(run: Sequence[Passage]) -> Iterator[Excerpt]:
    before: Passage | None = None
    for passage in run:
        pieces = without_overlap(passage.text, before.text) if before else pieces_of(passage.text)
        is_new = before is None or before.headings != passage.headings
        for number, piece in enumerate(pieces):
            heading = passage.headings[-1] if passage.headings and is_new and number == 0 else ""
            yield Excerpt(piece=piece, passages=(passage.id,) * len(piece.parts), heading=heading)
        before = passage


def _lists_whole(found: Iterable[Excerpt]) -> list[Excerpt]:
    joined: list[Excerpt] = []
    for excerpt in found:
        if joined and joined[-1].continued_by(excerpt):
            joined[-1] = joined[-1].with_steps_of(excerpt)
        else:
            joined.append(excerpt)
    return joined


def _within_budget(found: Sequence[Excerpt]) -> list[Excerpt]:
    kept: list[Excerpt] = []
    room = LONGEST_ANSWER
    for excerpt in found:
        size = len(excerpt.block.text)
        if size > room:
            part = excerpt.within(room) or (None if kept else excerpt)
            return [*kept, part] if part else kept
        kept.append(excerpt)
        room -= size
    return kept


def _parts(found: Sequence[Excerpt]) -> int:
    return sum(len(excerpt.piece.parts) for excerpt in found)
