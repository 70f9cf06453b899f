"""What messages, cards and forms are put together from: texts of people, of the bot, and lines that say whose they are. Pure."""

from collections.abc import Iterable, Iterator

from bot.channels.slack.markdown import to_mrkdwn
from bot.channels.slack.mrkdwn import escaped, isolated
from bot.channels.slack.rendering import (
    LONGEST_SECTION,
    Block,
    Piece,
    actions,
    context,
    mrkdwn,
    plain,
    section,
)
from bot.channels.slack.splitting import shortened, size, split_mrkdwn, split_plain

_LONGEST_PLAIN = 2_600  # leaves room for what keeps each line of a part from turning the next
_NOTHING = "—"


def people_wrote(text: str) -> tuple[Piece, ...]:
    """Return what a customer or an agent wrote, in which nothing is a sign."""
    return tuple(_plain_pieces(text, _LONGEST_PLAIN)) or (_plain_piece(_NOTHING),)


def bot_wrote(markdown: str, *, site: str = "") -> tuple[Piece, ...]:
    """Return the bot's Markdown."""
    parts = split_mrkdwn(to_mrkdwn(markdown, site=site), LONGEST_SECTION) or (_NOTHING,)
    return tuple(formatted(part) for part in parts)


def formatted(text: str) -> Piece:
    """Return a section of mrkdwn; what has no room in one is left out."""
    shown = shortened(text, LONGEST_SECTION)
    return Piece(block=section(mrkdwn(shown)), text=shown, size=size(shown))


def small(text: str) -> Piece:
    """Return a line of small mrkdwn: whose a message is, what happened."""
    shown = shortened(text, LONGEST_SECTION)
    return Piece(block=context(mrkdwn(shown)), text=shown, size=size(shown))


def buttons(elements: Iterable[Block]) -> tuple[Piece, ...]:
    """Return a row of buttons; no row for none. What they say is read out from the buttons themselves."""
    row = tuple(elements)
    return (Piece(block=actions(*row)),) if row else ()


def _plain_pieces(text: str, limit: int) -> Iterator[Piece]:
    for part in split_plain(text, limit):
        piece = _plain_piece(part)
        # Hundreds of short lines that turn need more room; a third is enough for any text.
        yield from (piece,) if piece.size <= LONGEST_SECTION else _plain_pieces(part, limit // 3)


def _plain_piece(part: str) -> Piece:
    shown = isolated(part)
    return Piece(block=section(plain(shown)), text=escaped(part), size=size(shown))
