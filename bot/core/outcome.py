"""The ways a turn can end, and the reason codes of a handoff (DESIGN §6). Codes are added, never renamed."""

from dataclasses import dataclass
from enum import StrEnum

from bot.core.conversation import Source


class ReasonCode(StrEnum):
    """Why the bot gave the conversation to the queue; derived from what happened, never chosen by a model."""

    CUSTOMER_ASKED = "customer_asked"
    ESCALATION_RULE = "escalation_rule"
    NO_EVIDENCE = "no_evidence"
    MODEL_ABSTAINED = "model_abstained"
    UNGROUNDED_DRAFT = "ungrounded_draft"
    UNRESOLVED = "unresolved"
    RETRIEVAL_UNAVAILABLE = "retrieval_unavailable"
    INDEX_NOT_READY = "index_not_ready"
    MODEL_UNAVAILABLE = "model_unavailable"
    RECORDS_UNAVAILABLE = "records_unavailable"
    OUT_OF_TIME = "out_of_time"
    TURN_LOST = "turn_lost"
    BOT_PAUSED = "bot_paused"
    UNSUPPORTED_MESSAGE = "unsupported_message"


class CourtesyKind(StrEnum):
    """What a fixed sentence answers: a bare courtesy, a chosen category, an answer that did not help, or records that are nobody's."""

    GREETING = "greeting"
    THANKS = "thanks"
    CATEGORY = "category"
    WHAT_WAS_MISSING = "what_was_missing"
    SIGN_IN = "sign_in"


class Triage(StrEnum):
    """Why nothing was found, for the content team."""

    NEAR_MISS = "near_miss"
    ONLY_DRAFT = "only_draft"
    ONLY_SUPERSEDED = "only_superseded"
    NOT_YET_INDEXED = "not_yet_indexed"
    OTHER_LANGUAGE = "other_language"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A draft that passed the answer gate, or what the customer's records hold.

    `unchecked` marks that the text says beside it that the records could not be looked up.
    """

    text: str
    sources: tuple[Source, ...]
    options: tuple[str, ...] = ()
    unchecked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A clarifying question; `options` are answers that the customer may tap. `offer` marks that nothing was found, `unchecked` as in an answer."""

    text: str
    options: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    offer: bool = False
    unchecked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Courtesy:
    """A fixed sentence in return for a message that asks nothing which articles could answer."""

    kind: CourtesyKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """The conversation goes to the queue. `rule` names the escalation rule, `detail` what happened, for agents only."""

    reason: ReasonCode
    rule: str | None = None
    detail: str = ""
    triage: Triage | None = None


Outcome = Answer | Ask | Courtesy | Handoff


def outcome_name(outcome: Outcome) -> str:
    """Return the word that stores, logs and the command line use for *outcome*."""
    return type(outcome).__name__.lower()
