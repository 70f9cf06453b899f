"""What rendered messages hold: their texts and their buttons."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.channels.slack.rendering import Block, Rendered


def texts_in(messages: Iterable[Rendered]) -> list[str]:
    """Return the texts that are no buttons' labels, in order."""
    return [text["text"] for message in messages for block in message.blocks for text in _texts(block)]


def buttons_in(messages: Iterable[Rendered]) -> Mapping[str, Mapping[str, Any]]:
    """Return the buttons by their action ids."""
    rows = (block for message in messages for block in message.blocks if block["type"] == "actions")
    return {button["action_id"]: button for row in rows for button in _elements(row)}


def blocks_of(form: Block) -> list[Any]:
    """Return the blocks of a form."""
    blocks = form["blocks"]
    return blocks if isinstance(blocks, list) else []


def _texts(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if block["type"] == "section":
        yield block["text"]
    elif block["type"] == "context":
        yield from _elements(block)


def _elements(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(block["elements"])
