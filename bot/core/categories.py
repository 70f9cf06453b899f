"""The categories that a customer may tap before the first question: scaffolding, which no retrieval query ever holds. Pure.

All languages are checked when the file is loaded, so that none has fewer categories than another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.core.replies import LANGUAGES, language_of
from bot.errors import Misconfigured

MOST = 8  # more of them are a menu, which nobody reads
LONGEST = 40  # characters that a button has room for


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Labels by language, in the order of the file; complete and checked once built by `from_mapping`."""

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Categories":
        """Check the parsed file; raise `Misconfigured` naming the category, the language, the problem and the remedy."""
        rows = data.get("category", [])
        if not isinstance(rows, list) or data.keys() - {"category"}:
            raise Misconfigured("category: the file holds [[category]] tables and nothing else; correct it")
        if len(rows) > MOST:
            raise Misconfigured(f"category: there are {len(rows)}, but at most {MOST} are shown; remove some")
        return cls(labels={language: _labels(rows, language) for language in LANGUAGES})

    def in_language(self, locale: str) -> tuple[str, ...]:
        """Return the labels in the customer's language."""
        return self.labels.get(language_of(locale), ())


def _labels(rows: list[object], language: str) -> tuple[str, ...]:
    labels = tuple(_label(row, language, number) for number, row in enumerate(rows, start=1))
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise Misconfigured(f'category, language "{language}": "{twice}" is there twice; rename one')
    return labels


def _label(row: object, language: str, number: int) -> str:
    place = f"category {number}"
    if not isinstance(row, Mapping):
        raise Misconfigured(f"{place}: not a table; begin it with [[category]]")
    if unknown := sorted(row.keys() - set(LANGUAGES)):
        raise Misconfigured(f'{place}: "{unknown[0]}" is no language of ours; remove it')
    label = row.get(language)
    if not isinstance(label, str) or not label.strip():
        raise Misconfigured(f'{place}: no label for "{language}"; add it')
    if len(label.strip()) > LONGEST or not label.strip().isprintable():
        raise Misconfigured(
            f'{place}, language "{language}": not a line of at most {LONGEST} characters; shorten it'
        )
    return label.strip()
