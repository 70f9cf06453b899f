"""Whether a generation may go live, decided from what it was found to hold (FAULTS K6)."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from bot.core.knowledge import ArticleId, PassageId
from bot.sync_ports import CheckedQuestion, Near
from kb_sync.plan import Contents
from kb_sync.questions import Question

AMONG_FIRST = 3
CANARIES = 5
_CANARY_COSINE = 0.99
_TIE = 1e-5  # the same text in two articles: either may come first
_ALLOWED_LOSS = 0.02
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a build holds: `passages` counts all, `dimensions` are the sizes of the vectors, `vectorless` passages have none."""

    contents: Contents
    passages: int
    dimensions: frozenset[int]
    vectorless: tuple[PassageId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a build must hold; `passages` is None when not all of them were cut in this run."""

    contents: Contents
    dimension: int
    passages: int | None = None


def problems(found: Found, expected: Expected) -> Iterator[str]:
    """Yield, in sentences without a full stop, what a build holds otherwise than planned."""
    yield from _differences(found.contents.digests, expected.contents.digests)
    if found.contents.retired != expected.contents.retired:
        differing = found.contents.retired ^ expected.contents.retired
        yield f"{len(differing)} articles are retired that should not be, or the other way round: {_some(differing)}"
    if expected.passages is not None and found.passages != expected.passages:
        yield f"it holds {found.passages} passages instead of {expected.passages}"
    if found.vectorless:
        yield f"{len(found.vectorless)} passages have no vector: {_some(found.vectorless)}"
    if wrong := found.dimensions - {expected.dimension}:
        sizes = ", ".join(str(size) for size in sorted(wrong))
        yield f"some vectors have {sizes} dimensions instead of {expected.dimension}"


def lost_canaries(owners: Sequence[ArticleId], found: Sequence[Near]) -> tuple[ArticleId, ...]:
    """Return the articles that their own passages' vectors, in the same order, do not find first of all."""
    return tuple(owner for owner, near in zip(owners, found, strict=True) if not _finds(owner, near))


def checked(
    questions: Sequence[Question], found: Sequence[Near], *, active: frozenset[ArticleId]
) -> tuple[CheckedQuestion, ...]:
    """Return whether each question found one of its articles; one whose articles are all gone is left out."""
    return tuple(
        CheckedQuestion(text=question.text, gold=question.gold, hit=_hits(question, near))
        for question, near in zip(questions, found, strict=True)
        if active.intersection(question.gold)
    )


def is_worse(before: Sequence[CheckedQuestion], after: Sequence[CheckedQuestion]) -> bool:
    """Tell whether recall@3 over the questions that both were asked fell by more than two points."""
    hits = {one.text: one.hit for one in before}
    again = [one for one in after if one.text in hits]
    lost = sum(hits[one.text] for one in again) - sum(one.hit for one in again)
    return bool(again) and lost / len(again) > _ALLOWED_LOSS


def _differences(found: Mapping[ArticleId, str], expected: Mapping[ArticleId, str]) -> Iterator[str]:
    if missing := expected.keys() - found.keys():
        yield f"{len(missing)} articles are missing: {_some(missing)}"
    if surplus := found.keys() - expected.keys():
        yield f"{len(surplus)} articles are in it that were not planned: {_some(surplus)}"
    if other := {one for one in expected.keys() & found.keys() if expected[one] != found[one]}:
        yield f"{len(other)} articles are not as the source has them: {_some(other)}"


def _finds(owner: ArticleId, near: Near) -> bool:
    best = max((cosine for _, cosine in near), default=0.0)
    own = max((cosine for article, cosine in near if article == owner), default=0.0)
    return own >= _CANARY_COSINE and own >= best - _TIE


def _hits(question: Question, near: Near) -> bool:
    return any(article in question.gold for article, _ in near[:AMONG_FIRST])


def _some(ids: Set[ArticleId] | Sequence[PassageId]) -> str:
    return ", ".join(sorted(ids)[:_NAMED])
