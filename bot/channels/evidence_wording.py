"""The words in which agents read a turn's record: its stages, how each ended, what it found, and what was left out. Pure.

A code of a later release stays as it is, so that nothing is hidden.
"""

from collections.abc import Mapping
from contextlib import suppress

from bot.core.grounding import Finding
from bot.core.outcome import ReasonCode, Triage
from bot.core.records import Route
from bot.core.replies import Replies
from bot.core.truth import (
    ABSTAINED,
    CAPPED,
    COMPUTED,
    DEFECT,
    FOUND,
    FOUND_NOTHING,
    PROMISED_PERSON,
    REJECTED,
    REPEATED,
    TABULATED,
    TO_ARTICLES,
    TO_BOTH,
    TO_RECORDS,
    TURN_BUDGET,
    WORDED,
)
from bot.core.turn import Stage, StageRecord, StageStatus

STAGES: Mapping[Stage, str] = {
    Stage.ROUTE: "Deciding who takes the message",
    Stage.QUERY: "Putting together what to search for",
    Stage.INDEX: "Looking whether the articles can be searched",
    Stage.EMBED: "Turning the text into numbers that can be compared",
    Stage.SEARCH: "Searching the articles",
    Stage.RANK: "Ordering what was found",
    Stage.RERANK: "Comparing the closest articles once more",
    Stage.EVIDENCE_GATE: "Deciding whether what was found is enough",
    Stage.DRAFT: "Writing an answer",
    Stage.ANSWER_GATE: "Checking the answer against the articles",
    Stage.RECORDS: "Looking into the customer's own records",
}
ROUTES: Mapping[Route, str] = {
    Route.ARTICLES: "The articles",
    Route.RECORDS: "The customer's own records",
    Route.BOTH: "The customer's own records and the articles",
}
STATUSES: Mapping[StageStatus, str] = {
    StageStatus.OK: "done",
    StageStatus.STOPPED: "done, and ended the turn",
    StageStatus.FAILED: "failed",
    StageStatus.TIMED_OUT: "took too long",
}
DROPPED: Mapping[str, str] = {
    "refusal_echo": "The bot said there that it could not help",
    "no_words": "It has no words",
    "repeat": "It says the same as the next one",
    "older_than_window": "It is older than the messages that count",
    "token_limit": "There was no room left for it",
    "kind_category": "It is a choice from a list",
    "kind_feedback": "It is feedback",
    "kind_notice": "It is a notice",
    "kind_file": "It is a file",
    "kind_note": "It is an internal note",
    "kind_person_request": "It asks for a person",
    "kind_tombstone": "It was deleted",
    "kind_retry": "It asks again what could not be looked up",
}
ERRORS: Mapping[str, str] = {
    "TimeoutError": "no answer in time",
    "RetrievalUnavailable": "the search does not work",
    "EmbedderKeyRejected": "the provider of the search refuses our key",
    "IndexNotReady": "the articles are not ready to be searched",
    "ModelUnavailable": "the model does not work",
    "NotAsked": "the model kept failing, so it was left alone",
    "KeyRejected": "the model's provider refuses our key",
    "ProviderLimitReached": "the spending limit at the model's provider is used up",
    "RecordsUnavailable": "the records cannot be read",
    "StoreUnavailable": "the store of conversations does not work",
}
TRIAGES: Mapping[Triage, str] = {
    Triage.NEAR_MISS: "An article came close, but not close enough",
    Triage.ONLY_DRAFT: "Only a draft answers it",
    Triage.ONLY_SUPERSEDED: "Only an article that was replaced answers it",
    Triage.NOT_YET_INDEXED: "An article about it came later, or is not published yet",
    Triage.OTHER_LANGUAGE: "Only an article in another language answers it",
    Triage.ABSENT: "No article is about it",
}
_FOUND: Mapping[str, str] = {
    COMPUTED: "It asks about the customer's own data",
    DEFECT: "A defect of the program",
    TURN_BUDGET: "The time for the whole answer was used up",
    ABSTAINED: "The model says that the articles do not answer it",
    CAPPED: "The bot's limit was reached",
    PROMISED_PERSON: "The draft promised a person",
    REPEATED: "The draft was the same answer that had not helped",
    TO_RECORDS: "The records are to be asked",
    TO_ARTICLES: "It is a question for the articles after all",
    TO_BOTH: "The records are to be asked for one half, the articles for the other",
    REJECTED: "The statement was rejected",
    FOUND: "Rows were found",
    FOUND_NOTHING: "No rows were found",
    WORDED: "The model's words hold what the rows say",
    TABULATED: "The rows are shown as they are, without a model's words",
    Finding.UNKNOWN_PASSAGE: "The draft cites what was not found",
    Finding.MISQUOTED: "The draft quotes an article wrongly",
    Finding.UNCITED: "The draft says something without a source",
    Finding.UNSUPPORTED_FIGURE: "The draft has a number that no cited article has",
    Finding.UNSUPPORTED_ADDRESS: "The draft has an address that no cited article has",
    Finding.UNSUPPORTED_LINK: "The draft has a link that no cited article has",
    Finding.UNSUPPORTED_LIMIT: "The draft states a limit otherwise than the article",
    Finding.UNSUPPORTED_CLAIM: "The draft claims what no cited article says",
    Finding.UNSUPPORTED_WORDING: "The draft turns an article's meaning around",
    Finding.UNSUPPORTED_OPTION: "The draft offers a choice that no article has",
    Finding.MARKUP: "The draft holds markup",
    Finding.HIDDEN_SIGNS: "The draft holds signs that cannot be seen",
    Finding.SECRET: "The draft gives something internal away",
}


_UNSEARCHED: Mapping[ReasonCode, str] = {
    ReasonCode.INDEX_NOT_READY: "Our articles are not ready to be searched right now",
    ReasonCode.RETRIEVAL_UNAVAILABLE: "Our articles cannot be searched right now",
}


def unsearched_in_words(problem: ReasonCode) -> str:
    """Return why there may be articles that are not shown."""
    why = _UNSEARCHED.get(problem, _UNSEARCHED[ReasonCode.RETRIEVAL_UNAVAILABLE])
    return f"{why}. That does not mean that there are none."


def finding_in_words(finding: str | None, replies: Replies, locale: str) -> str | None:
    """Return what a stage found; None when it had nothing to say."""
    if finding is None:
        return None
    with suppress(ValueError):
        return replies.reason(ReasonCode(finding), locale)
    return _FOUND.get(finding, finding)


def error_in_words(stage: StageRecord) -> str | None:
    """Return what went wrong in a stage, with the error's own name for who looks into the log."""
    if stage.error is None:
        return None
    words = ERRORS.get(stage.error)
    return f"{words} ({stage.error})" if words else stage.error


def dropped_in_words(why: str) -> str:
    """Return why a message was left out of the search."""
    return DROPPED.get(why, why)
