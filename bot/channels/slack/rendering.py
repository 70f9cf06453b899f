"""Messages as Slack takes them: blocks within Slack's limits, and the same in words for notifications and screen readers. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.channels.slack.splitting import shortened, size

Block = dict[str, object]

LONGEST_SECTION = 3_000
LONGEST_MESSAGE = 12_000  # of text in all blocks of a message
LONGEST_FALLBACK = 4_000  # bytes; a longer one could not be changed later
MOST_BLOCKS = 50
LONGEST_LABEL = 75  # of a button, and of what is read out in its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """One message: *text* stands for the blocks where they cannot be shown. It is mrkdwn."""

    text: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One block and what it says in words; *size* is how much text it holds."""

    block: Block
    text: str = ""
    size: int = 0


def mrkdwn(text: str) -> Block:
    """Return a text object; what looks like an address or a name in it stays text."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def plain(text: str) -> Block:
    """Return a text object in which nothing is a sign: no formatting, no mention, no emoji."""
    return {"type": "plain_text", "text": text, "emoji": False}


def section(text: Block) -> Block:
    """Return a block of running text."""
    return {"type": "section", "text": text}


def context(*texts: Block) -> Block:
    """Return a block of small text."""
    return {"type": "context", "elements": list(texts)}


def actions(*elements: Block) -> Block:
    """Return a block of buttons."""
    return {"type": "actions", "elements": list(elements)}


def button(label: str, *, action: str, value: str, says: str, style: str | None = None) -> Block:
    """Return a button; *says* is what a screen reader reads in place of its label."""
    return {
        "type": "button",
        "text": plain(shortened(label, LONGEST_LABEL)),
        "action_id": action,
        "value": value,
        "accessibility_label": shortened(says, LONGEST_LABEL),
        **({"style": style} if style else {}),
    }


def link_button(label: str, *, action: str, url: str, says: str) -> Block:
    """Return a button that opens a page."""
    return {
        "type": "button",
        "text": plain(shortened(label, LONGEST_LABEL)),
        "action_id": action,
        "url": url,
        "accessibility_label": shortened(says, LONGEST_LABEL),
    }


def packed(pieces: Sequence[Piece]) -> tuple[Rendered, ...]:
    """Put the pieces into as few messages as they fit in, in order."""
    messages: list[list[Piece]] = []
    for piece in pieces:
        if not messages or not _has_room(messages[-1], piece):
            messages.append([])
        messages[-1].append(piece)
    return tuple(_message(held) for held in messages)


def in_words(texts: Iterable[str]) -> str:
    """Join what blocks say to the text that stands for them."""
    text = "\n\n".join(filter(None, texts))
    kept = text.encode()[: LONGEST_FALLBACK - len(" …".encode())].decode(errors="ignore")
    return text if len(text.encode()) <= LONGEST_FALLBACK else shortened(text, size(kept))


def _has_room(held: Sequence[Piece], piece: Piece) -> bool:
    used = sum(one.size for one in held)
    return len(held) < MOST_BLOCKS and used + piece.size <= LONGEST_MESSAGE


def _message(held: Sequence[Piece]) -> Rendered:
    return Rendered(text=in_words(one.text for one in held), blocks=tuple(one.block for one in held))
