"""Who takes a turn before anything is searched: a person, a fixed sentence, or the answering path (DESIGN §5.2).

Every unanswered message is examined on its own, so that "a person please" followed by "thanks" still hands over; no older
message ever counts, but for the question that a RETRY asks again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.core.conversation import Kind, Message
from bot.core.outcome import Courtesy, CourtesyKind, Handoff, ReasonCode
from bot.core.rules import Rules, Signals, signals, subjects_of

RETRIEVAL_OFF = "RETRIEVAL_ENABLED is off"

MOST_SUBJECTS = 1  # more of them, and a message that follows what records told asks something of its own

_READ_KINDS = frozenset({Kind.TEXT, Kind.CATEGORY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is left to answer: `current` is the newest text of substance, `bare` all of them together."""

    current: Message
    bare: str
    computed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Permits:
    """What the operator and the caps allow; `capped` is None or the cap's name, for agents."""

    bot_enabled: bool = True
    retrieval_enabled: bool = True
    capped: str | None = None


Routed = Question | Courtesy | Handoff


def route(
    unanswered: Sequence[Message],
    rules: Rules,
    permits: Permits,
    *,
    prompted: bool = False,
    doubted: bool = False,
    follows_records: bool = False,
) -> Routed:
    """Decide on the unanswered messages, oldest first; there is at least one.

    *prompted* says that the bot's last message was a question, to which a bare thumb is no readable reply; *doubted* that an earlier
    answer had not helped either, so that this time nobody is asked what was missing; *follows_records* that the bot has just told what
    records hold, so that "which 10 are next?" goes on with that.
    """
    read = {m.seq: signals(m.text, rules) for m in unanswered if m.kind in _READ_KINDS}
    person = any(m.kind is Kind.PERSON_REQUEST for m in unanswered) or any(
        s.asks_for_person for s in read.values()
    )
    if person:
        return Handoff(reason=ReasonCode.CUSTOMER_ASKED)
    if rule := next((s.escalation for s in read.values() if s.escalation), None):
        return Handoff(reason=ReasonCode.ESCALATION_RULE, rule=rule)
    if not permits.bot_enabled or permits.capped:
        return Handoff(reason=ReasonCode.BOT_PAUSED, detail=permits.capped or "BOT_ENABLED is off")
    if doubted and _did_not_help(unanswered):
        return Handoff(reason=ReasonCode.UNRESOLVED)
    question = _question(unanswered, read)
    if question and follows_records and len(subjects_of(question.bare, rules)) <= MOST_SUBJECTS:
        question = replace(question, computed=True)
    if question and not permits.retrieval_enabled:
        return Handoff(reason=ReasonCode.BOT_PAUSED, detail=RETRIEVAL_OFF)
    return question or _without_question(unanswered, read, prompted=prompted)


def _question(unanswered: Sequence[Message], read: Mapping[int, Signals]) -> Question | None:
    asking = [m for m in unanswered if m.kind is Kind.TEXT and _asks_something(read[m.seq])]
    if not asking:
        return None
    return Question(
        current=asking[-1],
        bare="\n".join(m.text.strip() for m in asking),
        computed=any(read[m.seq].is_computed_question for m in asking),
    )


def _without_question(
    unanswered: Sequence[Message], read: Mapping[int, Signals], *, prompted: bool
) -> Courtesy | Handoff:
    unreadable_reply = prompted and bool(read) and not any(s.carries_text for s in read.values())
    if unreadable_reply or any(m.kind is Kind.FILE for m in unanswered):
        return Handoff(reason=ReasonCode.UNSUPPORTED_MESSAGE)
    if _did_not_help(unanswered):
        return Courtesy(kind=CourtesyKind.WHAT_WAS_MISSING)
    if any(m.kind in (Kind.CATEGORY, Kind.RETRY) for m in unanswered):
        return Courtesy(kind=CourtesyKind.CATEGORY)
    if any(s.is_bare_greeting for s in read.values()):
        return Courtesy(kind=CourtesyKind.GREETING)
    thanked = any(s.is_bare_thanks for s in read.values())
    if thanked or any(m.kind is Kind.FEEDBACK for m in unanswered):
        return Courtesy(kind=CourtesyKind.THANKS)
    return Handoff(reason=ReasonCode.UNSUPPORTED_MESSAGE)


def _did_not_help(unanswered: Sequence[Message]) -> bool:
    return any(m.verdict is False for m in unanswered)


def _asks_something(read: Signals) -> bool:
    return read.carries_text and not read.is_bare_greeting and not read.is_bare_thanks
