"""What one agent alone is told in the room: why something did not happen, and what became of it. Pure. Agents read English."""

from collections.abc import Iterable

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import buttons, formatted
from bot.channels.slack.rendering import Block, Rendered, button, packed


def expired() -> Rendered:
    """A button of a card whose spell is over."""
    return _hint("This card is of an earlier handoff. Please use the newest card of this conversation.")


def not_yours(holder: str | None, value: ButtonValue) -> Rendered:
    """Somebody else's conversation was answered with `>>`; *value* names the note that it became."""
    who = f"*{inline(holder)}* has" if holder else "You do not have"
    text = f"{who} this conversation, so your reply was not sent. It is kept as an internal note."
    take = button(
        "Take over and send",
        action=Action.TAKE_OVER,
        value=value.to_value(),
        says="Take the conversation over and send your reply",
        style="primary",
    )
    return _hint(text, (take,))


def closed() -> Rendered:
    """A reply to a conversation that is over."""
    return _hint("The conversation is closed, so your reply was not sent. It is kept as an internal note.")


def unknown_thread() -> Rendered:
    """A reply in a thread that is no room of ours: there is nowhere to keep it."""
    return _hint(
        "This thread belongs to no conversation, so your reply was not sent. It is only here in Slack."
    )


def no_thread() -> Rendered:
    """A reply beside the cards instead of below one."""
    return _hint(
        "Your reply was not sent: write it in the thread of the customer's card. It is only here in Slack."
    )


def lease_ends(value: ButtonValue, *, until: str) -> Rendered:
    """The claim runs out soon; *until* is the time in mrkdwn."""
    keep = button(
        "Keep", action=Action.KEEP, value=value.to_value(), says="Keep this conversation", style="primary"
    )
    release = button(
        "Release", action=Action.RELEASE, value=value.to_value(), says="Put it back into the queue"
    )
    return _hint(f"Your claim runs out {until}. Anything you write here keeps it.", (keep, release))


def _hint(text: str, elements: Iterable[Block] = ()) -> Rendered:
    return packed((formatted(text), *buttons(elements)))[0]
