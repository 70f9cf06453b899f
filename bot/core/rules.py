"""Decides what a customer's bare message is, from the phrase tables of `prompts/rules.toml`.

Every function takes the message as it was written and answers for all languages at once: a customer may ask for a
person in any language, whatever the conversation's locale. Pure and total; the tables hold the words, not this module.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.core.lexical import terms
from bot.core.phrase_tables import Table
from bot.core.phrases import Phrases, Sentence, Spelling
from bot.errors import Misconfigured

# A courtesy longer than this says something else as well.
_LONGEST_COURTESY_WORDS = 25
# A yes or no further into a message answers something else.
_ELLIPTIC = 3  # words of a question that only changes the subject of the one before
_LONGEST_OPENING = 400
_PART_END = re.compile(r"[,.;:!?\n\u2013\u2014]")
_EMOJI_OF_LETTERS = re.compile(r".\ufe0f\u20e3?|[0-9#*]\u20e3", re.DOTALL)
# Letters by category that show nothing: the Hangul fillers.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0")


class Polarity(StrEnum):
    """Whether a reply says yes or no."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Phrases that make a sentence this, after the look-alikes have been cut out."""

    name: str
    patterns: Phrases
    lookalikes: Phrases | None

    def matches(self, sentence: Sentence) -> bool:
        if self.patterns.words.isdisjoint(sentence.words):
            return False
        return self.patterns.match(self.lookalikes.without(sentence) if self.lookalikes else sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Courtesies:
    """What is set aside when a message is looked at for substance."""

    greeting: Phrases
    thanks: Phrases
    opener: Phrases
    filler: Phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The phrase tables, compiled. `escalations` are in the order of the file; the first match names the rule."""

    spelling: Spelling
    courtesies: Courtesies
    asks_person: Intent
    computed_question: Intent
    refusal_echo: Intent
    longest_refusal_echo_words: int
    escalations: tuple[Intent, ...]
    yes: Intent
    no: Intent
    unclear: Intent
    function_words: frozenset[str]
    question_words: frozenset[str]

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> "Rules":
        """Compile the parsed tables; raise `Misconfigured` naming the key, the problem and the remedy."""
        table = Table.from_mapping(data)
        return cls(
            spelling=table.spelling(),
            courtesies=_courtesies(table),
            asks_person=_intent(table, "asks_person"),
            computed_question=_intent(table, "computed_question"),
            refusal_echo=_intent(table, "refusal_echo"),
            longest_refusal_echo_words=table.number("refusal_echo", "longest_words"),
            escalations=_escalations(table),
            yes=_intent(table, "yes"),
            no=_intent(table, "no"),
            unclear=_intent(table, "unclear"),
            function_words=table.plain_words("subject", "function_words"),
            question_words=table.plain_words("subject", "question_words"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Everything that routing asks of one message, read once. `escalation` is the matching rule's name, `None` when none does."""

    carries_text: bool
    asks_for_person: bool
    is_bare_greeting: bool
    is_bare_thanks: bool
    escalation: str | None
    is_computed_question: bool


def signals(text: str, rules: Rules) -> Signals:
    """Read *text* once and answer all of routing's questions."""
    sentences = rules.spelling.read(text)
    return Signals(
        carries_text=carries_text(text),
        asks_for_person=_any(rules.asks_person, sentences),
        is_bare_greeting=_is_bare_greeting(sentences, rules.courtesies),
        is_bare_thanks=_is_bare_thanks(sentences, rules.courtesies),
        escalation=_escalation(sentences, rules),
        is_computed_question=_any(rules.computed_question, sentences),
    )


def asks_for_person(text: str, rules: Rules) -> bool:
    """Tell whether the customer asks to be helped by a person."""
    return _any(rules.asks_person, rules.spelling.read(text))


def is_bare_greeting(text: str, rules: Rules) -> bool:
    """Tell whether *text* greets and says nothing else."""
    return _is_bare_greeting(rules.spelling.read(text), rules.courtesies)


def is_bare_thanks(text: str, rules: Rules) -> bool:
    """Tell whether *text* thanks and says nothing else. A "yes, thanks" is an answer, not bare thanks."""
    return _is_bare_thanks(rules.spelling.read(text), rules.courtesies)


def escalation_rule(text: str, rules: Rules) -> str | None:
    """Return the name of the first escalation rule that matches, `None` when none does."""
    return _escalation(rules.spelling.read(text), rules)


def is_computed_question(text: str, rules: Rules) -> bool:
    """Tell whether *text* asks about the customer's own records: how many lessons are left, when the next one is."""
    return _any(rules.computed_question, rules.spelling.read(text))


def is_refusal_echo(text: str, rules: Rules) -> bool:
    """Tell whether a bot's message said that it could not help. A long message says something else as well."""
    sentences = rules.spelling.read(text)
    words = sum(sentence.text.count(" ") for sentence in sentences)
    return words <= rules.longest_refusal_echo_words and _any(rules.refusal_echo, sentences)


def carries_text(text: str) -> bool:
    """Tell whether *text* holds a letter or digit that can be read; emoji, punctuation and invisible characters do not count."""
    seen = text if text.isascii() else _EMOJI_OF_LETTERS.sub("", text)
    return any(character.isalnum() and character not in _BLANKS for character in seen)


def is_bare_reply(text: str, rules: Rules, *, subject_words: int, question_words: int = 0) -> bool:
    """Tell whether *text* names at most so many subjects, numbers and amounts of time aside: it says little by itself.

    A question that names any subject stands by itself, but for one that is hardly more than that: "and Chromebooks?".
    """
    sentences = rules.spelling.read(text)
    allowed = subject_words
    if _is_question(text, sentences, rules):
        allowed = question_words if sum(len(s.words) for s in sentences) <= _ELLIPTIC else 0
    return len(_subjects(sentences, rules)) <= allowed


def subjects_of(text: str, rules: Rules) -> frozenset[str]:
    """Return the words of *text* that may name a subject: lower case, without accents, numbers aside."""
    return _subjects(rules.spelling.read(text), rules)


def words_to_find(text: str, rules: Rules) -> frozenset[str]:
    """Return the terms of *text* that a lexical search looks for: function words aside, numbers included."""
    return frozenset(terms(text, rules.function_words))


def _subjects(sentences: tuple[Sentence, ...], rules: Rules) -> frozenset[str]:
    words = frozenset(word for sentence in sentences for word in sentence.words)
    return frozenset(word for word in words - rules.function_words if not word.isdecimal())


def _is_question(text: str, sentences: tuple[Sentence, ...], rules: Rules) -> bool:
    opened = sentences[0].text.split()[:1] if sentences else []
    return text.rstrip().endswith("?") or any(word in rules.question_words for word in opened)


def affirmation(text: str, rules: Rules) -> Polarity | None:
    """Return what a reply to a yes/no question says; `None` when it says neither, or both.

    The first part, up to a comma or the sentence's end, decides when it is nothing but a yes or no. Otherwise the
    first sentence does, when it goes on as such replies do ("no its more than 24 hours") and asks nothing back.
    """
    opening = text[:_LONGEST_OPENING]
    sentences = rules.spelling.read(opening)
    if not sentences or rules.unclear.matches(sentences[0]):
        return None
    return _polarity(_first_part(opening, rules), rules) or (
        None if "?" in text else _polarity(sentences[0], rules)
    )


def _polarity(sentence: Sentence, rules: Rules) -> Polarity | None:
    if rules.no.matches(sentence):
        return Polarity.NO
    return Polarity.YES if rules.yes.matches(sentence) else None


def _first_part(opening: str, rules: Rules) -> Sentence:
    parts = (rules.spelling.read(part) for part in _PART_END.split(opening))
    return next((sentences[0] for sentences in parts if sentences), Sentence.empty())


def _any(intent: Intent, sentences: tuple[Sentence, ...]) -> bool:
    return any(intent.matches(sentence) for sentence in sentences)


def _escalation(sentences: tuple[Sentence, ...], rules: Rules) -> str | None:
    return next((rule.name for rule in rules.escalations if _any(rule, sentences)), None)


def _is_bare_greeting(sentences: tuple[Sentence, ...], courtesies: Courtesies) -> bool:
    return _is_only(sentences, courtesies.greeting, (courtesies.opener, courtesies.filler))


def _is_bare_thanks(sentences: tuple[Sentence, ...], courtesies: Courtesies) -> bool:
    return _is_only(sentences, courtesies.thanks, (courtesies.greeting, courtesies.filler))


def _is_only(sentences: tuple[Sentence, ...], wanted: Phrases, ignored: tuple[Phrases, ...]) -> bool:
    if sum(sentence.text.count(" ") for sentence in sentences) > _LONGEST_COURTESY_WORDS:
        return False
    return any(map(wanted.match, sentences)) and all(
        _is_spent(sentence, (wanted, *ignored)) for sentence in sentences
    )


def _is_spent(sentence: Sentence, phrases: tuple[Phrases, ...]) -> bool:
    for each in phrases:
        sentence = each.without(sentence)
    return sentence.words <= {"~"}


def _courtesies(table: Table) -> Courtesies:
    return Courtesies(
        greeting=table.phrases("courtesy", "greeting"),
        thanks=table.phrases("courtesy", "thanks"),
        opener=table.phrases("courtesy", "opener"),
        filler=table.phrases("courtesy", "filler"),
    )


def _intent(table: Table, key: str) -> Intent:
    return Intent(
        name=key,
        patterns=table.phrases(key, "patterns"),
        lookalikes=table.optional_phrases(key, "lookalikes"),
    )


def _escalations(table: Table) -> tuple[Intent, ...]:
    rules = tuple(
        Intent(
            name=row.text("name"),
            patterns=row.phrases("", "patterns"),
            lookalikes=row.optional_phrases("", "lookalikes"),
        )
        for row in table.rows("escalation")
    )
    names = [rule.name for rule in rules]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise Misconfigured(f'escalation: the name "{twice[0]}" is used twice; give each rule its own')
    return rules
