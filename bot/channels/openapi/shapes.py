"""What both channels send of a conversation: messages and the running answer."""

from bot.channels.openapi.operations import Shape
from bot.core.conversation import Kind, Role


class Article(Shape):
    """An article that an answer rests on."""

    id: str
    title: str
    url: str | None
    """Where it can be read: an absolute address, or a path on this server; null when there is no safe one."""


class Message(Shape):
    """One message. Agents' and customers' texts are plain text: show them as text, never as HTML."""

    type: str
    """Always `message`."""
    seq: int
    """Its number in the conversation."""
    role: Role
    """Who wrote it."""
    automated: bool
    """Whether the bot wrote it. People must be told."""
    kind: Kind
    """What it is: `text` is said, the others are pressed, chosen or announced."""
    text: str
    """What it says; of the bot Markdown, of others plain text with line breaks."""
    html: str | None
    """The bot's text with a few safe tags, links with rel set; null for everybody else's."""
    at: int
    """When it was stored, Unix milliseconds."""
    sources: list[Article]
    """The articles that the bot's answer rests on."""
    options: list[str]
    """Answers to the bot's question that can be tapped; send the chosen one as the text of a message."""
    interrupted: bool
    """Whether it is the shown part of an answer that was never finished."""
    reason: str | None
    """Why the bot handed the conversation over: a reason code; null for other messages."""
    client_message_id: str | None
    """The id that the customer's browser chose; null for messages of the bot and of agents."""
    revises: int | None
    """The seq of the message that this one edits, or as a `tombstone` deletes: show it in that one's place. Null for all others."""
    agent: str | None
    """The display name of the agent who wrote it; null for others."""


class Block(Shape):
    """A verified part of the answer that is being written. The finished message takes the place of all of them."""

    position: int
    """Its place in the answer, from 0."""
    text: str
    html: str


MESSAGE = {
    "type": "message",
    "seq": 2,
    "role": "bot",
    "automated": True,
    "kind": "text",
    "text": "Open **My lessons** and choose **Reschedule**.",
    "html": "<p>Open <strong>My lessons</strong> and choose <strong>Reschedule</strong>.</p>\n",
    "at": 1_796_036_400_000,
    "sources": [
        {"id": "KB000003", "title": "How to reschedule a lesson", "url": "/articles/KB000003"},
    ],
    "options": [],
    "interrupted": False,
    "reason": None,
    "client_message_id": None,
    "revises": None,
    "agent": None,
}
