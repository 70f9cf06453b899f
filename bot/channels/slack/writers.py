"""Who wrote what came from Slack: everybody in a thread may ask, so the id of each message says whose it is. Pure."""

import re
from collections.abc import Iterable, Iterator

from bot.core.conversation import Message, Role
from bot.core.slack_rows import Place, Side, SlackThread

SOMEBODY_ELSE = "Somebody else"  # in the customer's thread, whom Slack does not name
_WRITER = re.compile(r"@([A-Za-z0-9]+)(?:#|$)")


def message_id(place: Place, ts: str, user: str) -> str:
    """Return the id of a message that *user* wrote in Slack."""
    return signed(_place_and_time(place, ts), user)


def signed(about: str, user: str) -> str:
    """Return the id of something that *user* wrote or pressed."""
    return f"{about}@{user}"


def is_at(message: Message, place: Place, ts: str) -> bool:
    """Whether a message is the one at that time in a place, whoever wrote it."""
    return (message.channel_message_id or "").startswith(signed(_place_and_time(place, ts), ""))


def guests(messages: Iterable[Message], threads: Iterable[SlackThread]) -> Iterator[tuple[int, str, str]]:
    """Yield the seq, the team and the user of each message by somebody else than the customer who began the thread."""
    theirs = next((thread for thread in threads if thread.side is Side.CUSTOMER), None)
    if theirs is None:
        return
    for message in messages:
        user = _writer(message) if message.role is Role.CUSTOMER else None
        if user is not None and user != theirs.user:
            yield message.seq, theirs.place.team, user


def _writer(message: Message) -> str | None:
    found = _WRITER.search(message.channel_message_id or "")
    return found[1] if found else None


def _place_and_time(place: Place, ts: str) -> str:
    return f"slack:{place.team}:{place.channel}:{ts}"
