"""From groups of questions, and what today's index says of them, to the gaps that people read. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from bot.core.gap_grouping import Group, Point
from bot.core.gap_questions import Replies, replies_to
from bot.core.gaps import AskedAgain, Gap, GapQuestion
from bot.core.knowledge import ArticleId
from bot.core.outcome import Triage
from bot.core.traffic import QuestionTurn

LONGEST_LABEL = 300  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the gaps are told with: what points find today, when articles came or changed, agents' replies and all turns."""

    today: Mapping[Point, AskedAgain] = field(default_factory=dict[Point, AskedAgain])
    changed_ms: Mapping[ArticleId, int] = field(default_factory=dict[ArticleId, int])
    replies: Replies = field(default_factory=dict)
    turns: Sequence[QuestionTurn] = ()


def to_ask_again(groups: Iterable[Group]) -> tuple[Point, ...]:
    """Return the points to ask again, the most typical of each group first, of larger groups before those of smaller ones."""
    labels = [group.labels for group in groups]
    firsts, others = (one[:1] for one in labels), (one[1:] for one in labels)
    return tuple(chain(*firsts, *others))


def gaps_of(groups: Iterable[Group], known: Known) -> tuple[Gap, ...]:
    """Return a gap for each group: open ones first, those that most customers met first."""
    return tuple(sorted((_gap(group, known) for group in groups), key=_by_weight))


def _gap(group: Group, known: Known) -> Gap:
    points = [_told_today(point, known) for point in group.points]
    told = replace(group, points=tuple(points))
    typical, asked_again = points[0], [q for point in told.labels for q in point.questions if q.today]
    return Gap(
        id=typical.questions[0].id,
        label=tuple(one_line(point.text) for point in told.labels),
        count=len(told.askers),
        last_ms=max(point.last_ms for point in points),
        locale=typical.locale,
        triage=_triage(asked_again or told.questions),
        questions=told.questions,
        replies=replies_to(told.questions, known.replies, known.turns),
        answered_by=_answered_by(asked_again),
    )


def one_line(text: str) -> str:
    """Return a question as a label shows it."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_LABEL else f"{line[: LONGEST_LABEL - 1]}…"


def _told_today(point: Point, known: Known) -> Point:
    today = known.today.get(point)
    if today is None:
        return point
    changed_ms = 0 if today.article is None else known.changed_ms.get(today.article, 0)
    told = (replace(q, today=replace(today, newer=changed_ms > q.at_ms)) for q in point.questions)
    return replace(point, questions=tuple(told))


def _triage(questions: Iterable[GapQuestion]) -> Triage | None:
    said = Counter(q.triage_now for q in questions if q.triage_now is not None)
    order = list(Triage)
    return min(said, key=lambda triage: (-said[triage], order.index(triage)), default=None)


def _answered_by(asked_again: Sequence[GapQuestion]) -> ArticleId | None:
    """Only when every label is answered, so that what is still open in a gap is not put away with the rest."""
    articles = [question.answered_by for question in asked_again]
    return articles[0] if articles and all(articles) else None


def _by_weight(gap: Gap) -> tuple[bool, int, int, str]:
    return gap.answered_by is not None, -gap.count, -gap.last_ms, gap.id
