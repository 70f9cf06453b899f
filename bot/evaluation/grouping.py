"""The same measures by what rows have in common (a tag, a source, a label), and as a mean over sets."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from bot.core.metrics import auroc
from bot.evaluation.measures import is_answerable, measured
from bot.evaluation.strategies import Retrieved, Strategy
from bot.evaluation.trials import Trial

TAG = "tag"

Found = Mapping[Strategy, Sequence[Retrieved]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What a strategy came to over the conversations that share a value; a measure that they cannot tell is absent."""

    conversations: int
    strategies: Mapping[Strategy, Mapping[str, float]]


Groups = Mapping[str, Mapping[str, Group]]  # by field and value


def grouped(tried: Sequence[Trial], retrieved: Found, fields: Iterable[str]) -> Groups:
    """Return the measures by each value of each of *fields*, the commonest first; a field that no row has is left out."""
    by_field = {field: _by_value(tried, retrieved, field) for field in fields}
    return {field: values for field, values in by_field.items() if values}


def _by_value(tried: Sequence[Trial], retrieved: Found, field: str) -> dict[str, Group]:
    counts = Counter(value for t in tried if (value := t.golden.fields.get(field)))
    return {
        value: Group(conversations=count, strategies=_measured(retrieved, field, value))
        for value, count in counts.most_common()
    }


def _measured(retrieved: Found, field: str, value: str) -> dict[Strategy, Mapping[str, float]]:
    chosen = {s: [r for r in found if r.golden.fields.get(field) == value] for s, found in retrieved.items()}
    return {strategy: measured(found) for strategy, found in chosen.items() if found}


def auroc_by_label(found: Sequence[Retrieved]) -> Mapping[str, float]:
    """Return how well the score tells the answerable questions from the unanswerable ones of each label."""
    answerable = [r.score for r in found if is_answerable(r)]
    others: dict[str, list[float]] = {}
    for r in found:
        if not is_answerable(r):
            others.setdefault(r.golden.label or r.golden.topic, []).append(r.score)
    return {label: auroc(answerable, scores) for label, scores in others.items()} if answerable else {}


def averaged(values: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the mean of each name over the mappings that have it, whatever their sizes."""
    every = list(values)
    names = dict.fromkeys(name for one in every for name in one)
    return {name: fmean(one[name] for one in every if name in one) for name in names}
