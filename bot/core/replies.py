"""The bot's fixed sentences, by reason code or key, in the reader's language: the customer's, or the agents'.

All languages are checked when the file is loaded: every key, and the same placeholders everywhere. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from bot.core.business_hours import WEEKDAYS
from bot.core.languages import language_part
from bot.core.outcome import ReasonCode
from bot.errors import Misconfigured

DEFAULT_LANGUAGE = "en"
LANGUAGES = ("en", "es", "de", "fr", "pt")
# Each fixed sentence beside the handoffs' that customers read, and the values it must be given.
PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "greeting": frozenset(),
    "thanks": frozenset(),
    "category": frozenset(),
    "what_was_missing": frozenset(),
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
    "old_articles": frozenset(),
    "wait_2m": frozenset({"position", "wait"}),
    "wait_known": frozenset({"amount"}),
    "wait_unknown": frozenset(),
    "wait_10m": frozenset(),
    "closed": frozenset({"opens"}),
    "ask_email": frozenset(),
    "opens_at": frozenset({"weekday", "time", "zone"}),
    **{f"weekday_{day}": frozenset() for day in WEEKDAYS},
    "email_noted": frozenset({"email"}),
    "back_to_bot": frozenset(),
    "resolved": frozenset(),
    "transcript_head": frozenset(),
    "transcript_customer": frozenset(),
    "transcript_bot": frozenset(),
    "transcript_agent": frozenset(),
    "transcript_helped": frozenset(),
    "transcript_not_helped": frozenset(),
    "transcript_file": frozenset({"name"}),
    "from_articles": frozenset(),
    "did_it_help": frozenset(),
    "helped_yes": frozenset(),
    "helped_no": frozenset(),
    "thanks_for_feedback": frozenset(),
    "talk_to_person": frozenset(),
    "you_chose": frozenset({"option"}),
    "from_agent": frozenset({"name"}),
    "message_deleted": frozenset(),
    "too_long": frozenset({"limit"}),
    "nothing_said": frozenset(),
    "is_searching": frozenset(),
    "is_writing": frozenset(),
    "topics": frozenset(),
    "sign_in": frozenset(),
    "records_found": frozenset(),
    "records_nothing": frozenset(),
    "records_first": frozenset({"shown", "total"}),
    "records_unchecked": frozenset(),
    "try_again": frozenset(),
}
# The same for what agents read in the summary of a handoff.
NOTE_PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "asked": frozenset({"asked"}),
    "asked_nothing": frozenset(),
    "said": frozenset({"said"}),
    "said_nothing": frozenset(),
    "open": frozenset({"open"}),
    "nearest": frozenset({"title"}),
}
_NO_PLACEHOLDERS: Mapping[str, frozenset[str]] = {str(reason): frozenset() for reason in ReasonCode}


Sentences = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Sentences by language and key; complete and checked once built by `from_mapping`."""

    handoffs: Sentences
    texts: Sentences
    reasons: Sentences
    notes: Sentences
    lead_ins: Mapping[str, tuple[str, ...]]

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Replies":
        """Check the parsed file; raise `Misconfigured` naming the key, the language, the problem and the remedy."""
        return cls(
            handoffs=_sentences(data, "handoff", _NO_PLACEHOLDERS),
            texts=_sentences(data, "text", PLACEHOLDERS),
            reasons=_sentences(data, "reason", _NO_PLACEHOLDERS),
            notes=_sentences(data, "note", NOTE_PLACEHOLDERS),
            lead_ins={language: _lead_ins(data, language) for language in LANGUAGES},
        )

    def handoff(self, reason: ReasonCode, locale: str) -> str:
        """Return what the customer is told when the conversation goes to a person for *reason*."""
        return self.handoffs[language_of(locale)][reason]

    def text(self, key: str, locale: str, **values: str) -> str:
        """Return the sentence *key* with *values* in its placeholders; a key or value that does not exist is a `Misconfigured`."""
        if key not in PLACEHOLDERS or values.keys() != PLACEHOLDERS[key]:
            raise Misconfigured(f'the reply "{key}" with {sorted(values)} does not exist; see PLACEHOLDERS')
        return self.texts[language_of(locale)][key].format_map(values)

    def reason(self, reason: ReasonCode, locale: str) -> str:
        """Return why, in a few words for agents, a conversation came to them."""
        return self.reasons[language_of(locale)][reason]

    def note(self, key: str, locale: str, **values: str) -> str:
        """Return the words *key* of a handoff's summary with *values* in their placeholders."""
        return self.notes[language_of(locale)][key].format_map(values)


def language_of(locale: str) -> str:
    """Return the language that we have sentences in: "pt-BR" is "pt", an unknown one is English."""
    language = language_part(locale)
    return language if language in LANGUAGES else DEFAULT_LANGUAGE


def _sentences(
    data: Mapping[str, object], section: str, placeholders: Mapping[str, frozenset[str]]
) -> Sentences:
    table = _table(data, section)
    _reject_unknown(table, set(placeholders), section)
    return {
        language: {
            key: _sentence(table, f"{section}.{key}", language, names) for key, names in placeholders.items()
        }
        for language in LANGUAGES
    }


def _lead_ins(data: Mapping[str, object], language: str) -> tuple[str, ...]:
    listed = _table(data, "lead_ins").get(language)
    phrases = (
        tuple(phrase for phrase in listed if isinstance(phrase, str)) if isinstance(listed, list) else ()
    )
    if (
        not phrases
        or not isinstance(listed, list)
        or len(phrases) != len(listed)
        or not all(map(str.strip, phrases))
    ):
        raise Misconfigured(f"lead_ins.{language}: not a list of phrases; add one")
    return phrases


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
