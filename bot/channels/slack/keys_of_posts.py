"""What posts are kept under: one key for each thing that is shown in one place, so that none is posted twice. Pure."""

from collections.abc import Iterable

from bot.core.conversation import ConversationId
from bot.core.slack_rows import SlackPost


def customer_key(conversation: ConversationId, seq: int, part: int = 0) -> str:
    """Return the key of a part of a message on the customer's side."""
    return f"m:{conversation}:{seq}:{part}"


def customers_seq(post: SlackPost) -> int | None:
    """Return which message a post on the customer's side shows; None for a post elsewhere."""
    kind, _, rest = post.key.partition(":")
    return int(rest.split(":")[1]) if kind == "m" else None


def room_key(conversation: ConversationId, seq: int, part: int = 0) -> str:
    """Return the key of a part of a message in the agents' room."""
    return f"r:{conversation}:{seq}:{part}"


def note_key(conversation: ConversationId, seq: int, part: int = 0) -> str:
    """Return the key of a part of a note in the agents' room."""
    return f"n:{conversation}:{seq}:{part}"


def owner_key(conversation: ConversationId, epoch: int) -> str:
    """Return the key of the line that tells of a change of owner."""
    return f"o:{conversation}:{epoch}"


def card_key(conversation: ConversationId, spell: int) -> str:
    """Return the key of the card of a spell."""
    return f"card:{conversation}:{spell}"


def parts_of(key: str, posts: Iterable[SlackPost]) -> tuple[SlackPost, ...]:
    """Return the posts that are parts of the same as *key*, which is the first one's, in order."""
    stem = key.rpartition(":")[0]
    same = (post for post in posts if post.key.rpartition(":")[0] == stem)
    return tuple(sorted(same, key=lambda post: int(post.key.rpartition(":")[2])))
