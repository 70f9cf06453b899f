"""Every error of Candor, on one page.

CandorError
├── Misconfigured            start-up: a setting, file or table is wrong; the message says which and what to do
├── Refused                  the request does not fit; the caller's business
│   ├── InputRejected        a field is missing or wrong (field, problem, remedy)
│   ├── NoRoom               the conversation holds as much as it may
│   ├── MessageConflict      the same message id came with another body
│   ├── ConversationUnknown  no such conversation
│   ├── ConversationChanged  the conversation moved on since it was read
│   ├── ArticlesChanged      what a draft rests on was changed by a sync
│   ├── CustomerWrote        the customer has written what the agent had not seen
│   ├── ClaimRefused         another agent was first
│   ├── AccessRefused        nobody is signed in, or the role does not allow it
│   │   └── IdentityRequired the site lets in only customers whom it vouches for
│   └── MoveRefused          this state has no such move
│       └── ClaimLost        the agent does not hold the conversation, or no longer
├── OutsideFailure           an outside system failed; the service's business
│   ├── StoreUnavailable
│   ├── RetrievalUnavailable embedding or search failed
│   │   └── EmbedderKeyRejected  the embedder's provider refuses the key
│   ├── IndexNotReady        missing, empty, building, or of another model
│   ├── ModelUnavailable
│   │   ├── NotAsked         it kept failing, so it was left alone this time
│   │   ├── KeyRejected      the provider refuses the key
│   │   └── ProviderLimitReached  its spending limit is used up; waiting does not help
│   ├── RecordsUnavailable
│   └── NotDelivered         somebody outside could not be told (wait_s)
├── StatementRejected        the records' parser or database refuses a statement, in its own words; once it is repaired
├── SourceRejected           kb_sync: the source cannot be trusted; nothing was changed
│   └── SourceUnavailable    it could not be fetched, which says nothing of what it holds
└── SyncRefused              kb_sync: this run may not change what is live; nothing was changed
    ├── SyncBusy             another run holds the lock (holder, since_ms, until_ms)
    ├── SyncFenced           another run has taken the lock since
    ├── GenerationRefused    the generation failed its checks, or there is none to go back to
    ├── BudgetReached        the run may embed no more
    └── SyncHeld             this state of the source was rolled back
"""


class CandorError(Exception):
    """The root of every error that Candor raises on purpose."""


class Misconfigured(CandorError):
    """A setting, prompt file or table is wrong; the message names it and the remedy."""


class Refused(CandorError):
    """The request does not fit the conversation or its own form."""


class InputRejected(Refused):
    """A field is missing or wrong."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(f"{field}: {problem}; {remedy}")
        self.field = field
        self.problem = problem
        self.remedy = remedy


class MessageConflict(Refused):
    """The same message id was used before with another body."""


class NoRoom(Refused):
    """The conversation holds as many attachments as it may."""


class ConversationUnknown(Refused):
    """No conversation has this id."""


class ConversationChanged(Refused):
    """The conversation moved on since it was read; nothing was written."""


class ArticlesChanged(Refused):
    """A sync withdrew, superseded or rewrote what a draft rests on; no more of it may be shown than was `shown` before."""

    def __init__(self, *, shown: bool) -> None:
        super().__init__("the articles that the draft rests on were changed by a sync")
        self.shown = shown


class CustomerWrote(Refused):
    """The customer has written something that the agent had not seen yet; it would be closed unread."""


class ClaimRefused(Refused):
    """Another agent holds the conversation, or nobody waits in it."""

    def __init__(self, holder: str | None) -> None:
        super().__init__(f"already claimed by {holder}" if holder else "not waiting for an agent")
        self.holder = holder


class MoveRefused(Refused):
    """The conversation's state has no such move, or it is not this agent's to make."""


class ClaimLost(MoveRefused):
    """The agent does not hold the conversation: another does, or the claim has run out."""

    def __init__(self, message: str, *, holder: str | None) -> None:
        super().__init__(message)
        self.holder = holder


class AccessRefused(Refused):
    """Nobody is signed in, the sign-in is wrong or too old, or the agent's role does not allow it."""


class IdentityRequired(AccessRefused):
    """The site lets in only customers whom it vouches for, and vouches for nobody here."""


class OutsideFailure(CandorError):
    """An outside system failed, timed out or answered nonsense."""


class StoreUnavailable(OutsideFailure):
    """The conversation store cannot be read or written."""


class RetrievalUnavailable(OutsideFailure):
    """Embedding or search failed or timed out."""


class EmbedderKeyRejected(RetrievalUnavailable):
    """The embedder's provider refuses the key: it is wrong, revoked, or not allowed to use the model."""


class IndexNotReady(OutsideFailure):
    """The passage index is missing, empty, building or of another model."""


class ModelUnavailable(OutsideFailure):
    """The answerer failed, was cut off, refused, or reached its provider's limit."""


class NotAsked(ModelUnavailable):
    """The model kept failing, so it was left alone this time; nothing was used."""


class KeyRejected(ModelUnavailable):
    """The model's provider refuses the key: it is wrong, revoked, or not allowed to use the model."""


class ProviderLimitReached(ModelUnavailable):
    """The spending limit at the model's provider is used up; no waiting within a turn helps."""


class RecordsUnavailable(OutsideFailure):
    """A computed question could not be computed."""


class StatementRejected(CandorError):
    """The records' parser or database refuses a statement; its own words are what a repair starts from."""


class NotDelivered(OutsideFailure):
    """Somebody outside could not be told; `wait_s` is how long they ask to be left alone."""

    def __init__(self, message: str, *, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class SourceRejected(CandorError):
    """A knowledge-base source cannot be trusted; the message names the file and nothing was changed."""


class SourceUnavailable(SourceRejected):
    """A source could not be fetched; that is never a deletion."""


class SyncRefused(CandorError):
    """A run of kb_sync may not change what is live; nothing was changed."""


class SyncBusy(SyncRefused):
    """Another run holds the lock until its lease ends."""

    def __init__(self, holder: str, *, since_ms: int, until_ms: int) -> None:
        minutes = -(-until_ms // 60_000)  # rounded up: at that minute the lock is free
        free = f"{minutes // 60 % 24:02}:{minutes % 60:02} UTC"
        super().__init__(f"another sync runs: {holder}; wait until it ends, or until {free} if it was killed")
        self.holder = holder
        self.since_ms = since_ms
        self.until_ms = until_ms


class SyncFenced(SyncRefused):
    """Another run has taken the lock since; what this one still writes is refused."""


class GenerationRefused(SyncRefused):
    """A generation failed its checks, or there is none to go back to; the live one stays."""


class BudgetReached(SyncRefused):
    """The run has embedded as much as it may; what it embedded is kept for the next."""


class SyncHeld(SyncRefused):
    """This state of the source was rolled back, so it is not published again by itself."""
