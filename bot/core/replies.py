"""The bot's fixed sentences, by reason code or key, in the customer's language.

All languages are checked when the file is loaded: every key, and the same placeholders everywhere. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from bot.core.outcome import ReasonCode
from bot.errors import Misconfigured

DEFAULT_LANGUAGE = "en"
LANGUAGES = ("en", "es", "de", "fr", "pt")
# Each fixed sentence beside the handoffs', and the values it must be given.
PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "greeting": frozenset(),
    "thanks": frozenset(),
    "quote_intro": frozenset({"title"}),
    "which_applies": frozenset(),
    "condition_more": frozenset({"limit"}),
    "condition_less": frozenset({"limit"}),
    "condition_question": frozenset({"limit"}),
    "exception_more": frozenset({"limit", "title"}),
    "exception_less": frozenset({"limit", "title"}),
    "read_more": frozenset(),
    "amount_minutes": frozenset({"number"}),
    "amount_hours": frozenset({"number"}),
    "amount_days": frozenset({"number"}),
    "amount_weeks": frozenset({"number"}),
    "amount_months": frozenset({"number"}),
    "amount_years": frozenset({"number"}),
    "offer": frozenset(),
    "offer_person": frozenset(),
    "interrupted": frozenset(),
    "general_information": frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Sentences by language and key; complete and checked once built by `from_mapping`."""

    handoffs: Mapping[str, Mapping[ReasonCode, str]]
    texts: Mapping[str, Mapping[str, str]]

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Replies":
        """Check the parsed file; raise `Misconfigured` naming the key, the language, the problem and the remedy."""
        handoffs = _table(data, "handoff")
        texts = _table(data, "text")
        _reject_unknown(handoffs, {str(reason) for reason in ReasonCode}, "handoff")
        _reject_unknown(texts, set(PLACEHOLDERS), "text")
        return cls(
            handoffs={
                language: {
                    reason: _sentence(handoffs, f"handoff.{reason}", language, frozenset())
                    for reason in ReasonCode
                }
                for language in LANGUAGES
            },
            texts={
                language: {
                    key: _sentence(texts, f"text.{key}", language, names)
                    for key, names in PLACEHOLDERS.items()
                }
                for language in LANGUAGES
            },
        )

    def handoff(self, reason: ReasonCode, locale: str) -> str:
        """Return what the customer is told when the conversation goes to a person for *reason*."""
        return self.handoffs[language_of(locale)][reason]

    def text(self, key: str, locale: str, **values: str) -> str:
        """Return the sentence *key* with *values* in its placeholders; a key or value that does not exist is a `Misconfigured`."""
        if key not in PLACEHOLDERS or values.keys() != PLACEHOLDERS[key]:
            raise Misconfigured(f'the reply "{key}" with {sorted(values)} does not exist; see PLACEHOLDERS')
        return self.texts[language_of(locale)][key].format_map(values)


def language_of(locale: str) -> str:
    """Return the language that we have sentences in: "pt-BR" is "pt", an unknown one is English."""
    language = locale.replace("_", "-").partition("-")[0].strip().lower()
    return language if language in LANGUAGES else DEFAULT_LANGUAGE


def _table(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise Misconfigured(f"{key}: missing or not a table; add [{key}.…] tables")
    return value


def _reject_unknown(table: Mapping[str, object], known: set[str], place: str) -> None:
    if unknown := sorted(table.keys() - known):
        raise Misconfigured(f"{place}.{unknown[0]}: no such reply; correct the name or remove it")


def _sentence(table: Mapping[str, object], place: str, language: str, names: frozenset[str]) -> str:
    row = table.get(place.partition(".")[2])
    text = row.get(language) if isinstance(row, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        raise Misconfigured(f'{place}: no sentence for "{language}"; add it')
    if (found := _placeholders(text, place, language)) != names:
        wrong = min(found ^ names)
        problem = "is unknown; remove it" if wrong in found else "is missing; put it into the sentence"
        raise Misconfigured(f'{place}, language "{language}": the placeholder {{{wrong}}} {problem}')
    return text.strip()


def _placeholders(text: str, place: str, language: str) -> frozenset[str]:
    try:
        fields = list(Formatter().parse(text))
    except ValueError as error:
        raise Misconfigured(
            f'{place}, language "{language}": a brace has no partner; close or double it'
        ) from error
    if any(spec or conversion for _, _, spec, conversion in fields):
        raise Misconfigured(
            f'{place}, language "{language}": a placeholder is a plain {{name}}; remove what follows it'
        )
    return frozenset(name for _, name, _, _ in fields if name is not None)
