"""What one agent alone is told in the room: why something did not happen, and what became of it. Pure. Agents read English."""

from collections.abc import Iterable

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import buttons, formatted, people_wrote
from bot.channels.slack.rendering import Block, Rendered, button, packed

A_COLLEAGUE = "a colleague"


def already_claimed(holder: str | None) -> Rendered:
    """Another agent was first."""
    return _hint(f"Already claimed by {_name(holder)}.")


def already_yours() -> Rendered:
    """The agent has pressed twice."""
    return _hint("You have this conversation already.")


def expired() -> Rendered:
    """A button of a card whose spell is over."""
    return _hint("This card is of an earlier handoff. Please use the newest card of this conversation.")


def not_yours(holder: str | None, value: ButtonValue) -> Rendered:
    """Somebody else's conversation was answered with `>>`; *value* names what was written."""
    who = f"{_name(holder)} has" if holder else "You do not have"
    text = f"{who} this conversation, so your reply was not sent. It is kept as a note."
    take = button(
        "Take over and send",
        action=Action.TAKE_OVER,
        value=value.to_value(),
        says="Take the conversation over and send your reply",
        style="primary",
    )
    return _hint(text, (take,))


def kept_as_note(why: str) -> Rendered:
    """A reply could not go out; *why* is one of the constants below."""
    return _hint(f"Your reply was not sent, because {why}. It is kept as a note.")


CLOSED = "the conversation is closed"
WITH_BOT = "the bot has the conversation"
UNKNOWN_THREAD = "this thread belongs to no open conversation"
CUSTOMER_WROTE = "the customer has written meanwhile: read it, then send again"
TOO_LONG = "it is too long"


def kept_as_draft(text: str) -> Rendered:
    """The claim ran out before the reply went out."""
    said = formatted("Your claim has run out, so your reply was not sent. It is kept as your draft:")
    return packed((said, *people_wrote(text)))[0]


def customer_wrote(customer: str) -> Rendered:
    """The customer wrote what the agent had not seen, so nothing was done."""
    return _hint(
        f"*{inline(customer)}* has written meanwhile, so nothing was sent or closed. Please read it and try again."
    )


def not_allowed() -> Rendered:
    """The person is no agent, or may not do this."""
    return _hint("You are not allowed to do this. Ask an administrator to make you an agent.")


def lease_ends(value: ButtonValue, *, until: str) -> Rendered:
    """The claim runs out soon; *until* is the time in mrkdwn."""
    keep = button(
        "Keep", action=Action.KEEP, value=value.to_value(), says="Keep this conversation", style="primary"
    )
    release = button(
        "Release", action=Action.RELEASE, value=value.to_value(), says="Put it back into the queue"
    )
    return _hint(f"Your claim runs out {until}. Anything you write here keeps it.", (keep, release))


def not_working() -> Rendered:
    """Something failed on our side."""
    return _hint("This did not work just now. Please try again, or use the console.")


def _hint(text: str, elements: Iterable[Block] = ()) -> Rendered:
    return packed((formatted(text), *buttons(elements)))[0]


def _name(name: str | None) -> str:
    return f"*{inline(name)}*" if name else A_COLLEAGUE
