"""What an agent in Slack is told of a refusal, and of what became of what they typed. Pure. `hints` has what needs buttons."""

from collections.abc import Mapping

from bot.errors import (
    ClaimLost,
    ClaimRefused,
    ConversationChanged,
    ConversationUnknown,
    CustomerWrote,
    InputRejected,
    MoveRefused,
    Refused,
)

A_COLLEAGUE = "A colleague"  # whose account is not known here
KEPT_DRAFT = (
    "Your reply was not sent. It is kept as your draft: the Reply button and the console show it again."
)
KEPT_NOTE = "Your text was not sent. It stays an internal note."

DELETED = "This conversation was deleted."
RESOLVED = "This conversation is resolved. It opens again when the customer writes."
REFUSED = "That cannot be done with this conversation."
NOT_YOURS = "You do not have this conversation. Claim it first."
RAN_OUT = "Your claim ran out. Claim the conversation again to go on."
KEPT_ALIVE = "The conversation stays yours for another 15 minutes."
SENT = "Sent to the customer."
TOO_LATE = (
    "This button could not be worked on when you pressed it, so nothing was done. Please press it again."
)
NO_FORM = "Slack did not open the form in time. Please press the button again."
NO_FILES = "Files do not reach the customer from here; only your text was sent."
NO_TEXT = "Not sent: there is no text after the >>, and files do not reach the customer from here."
NOT_MARKED = "Kept as an internal note: only what begins with exactly >> reaches the customer. To send it, post it again that way."
CHANGED_SINCE = (
    "Nothing was sent, because you have changed or deleted this message since. Post what the customer is to read as a new "
    "message that begins with >>."
)
STILL_SENT = (
    "The customer still sees what you sent before, because your text no longer begins with >>. Begin it with >> to change "
    "what the customer sees, or delete the message to take it back."
)
SEND_ANEW = (
    "An edit sends nothing. To send this to the customer, post it as a new message that begins with >>."
)


def refusal_in_words(refused: Refused, *, holder: str | None, is_own: bool = False) -> str:
    """Return why something was refused; *holder* is the name of who has the conversation, *is_own* whether it is who asks."""
    match refused:
        case ClaimRefused():
            return f"Already claimed by {holder}." if holder else "Nobody waits for an agent here any more."
        case ClaimLost() if is_own:
            return RAN_OUT
        case ClaimLost():
            return f"{holder} has this conversation now." if holder else NOT_YOURS
        case InputRejected():
            return f"Your text {refused.problem}; {refused.remedy}."
        case _:
            return next((words for kind, words in _WORDS.items() if isinstance(refused, kind)), REFUSED)


_WORDS: Mapping[type[Refused], str] = {
    CustomerWrote: "The customer has written again. Read it in the thread, then resolve the conversation.",
    ConversationChanged: "Something else happened to this conversation at the same moment. Please look, and try again.",
    ConversationUnknown: DELETED,
    MoveRefused: RESOLVED,
}
