"""The card of a handoff: who waits and why, and what can be done about it, at a glance. Pure. Agents read English."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.mrkdwn import inline
from bot.channels.slack.parts import buttons, formatted, people_wrote, small
from bot.channels.slack.rendering import Block, Piece, Rendered, button, link_button, packed
from bot.channels.slack.splitting import shortened
from bot.core.conversation import Channel, ConversationId, Kind, Message, Role, Status
from bot.core.markdown import plain_text

MOST_MESSAGES = 5
LONGEST_QUOTE = 300  # characters of a message on a card; its whole text is in the console
LONGEST_SUMMARY = 1_300
LONGEST_LINE = 300
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What a card says. *status* is where its spell has come to; *resolution* how it ended, in words.

    *last* are the newest messages, oldest first, *guests* who else wrote any of them, by seq; *holder* is the agent's display name.
    """

    conversation: ConversationId
    spell: int
    status: Status
    customer: str
    verified: bool
    reason_text: str
    evidence: str
    channel: Channel
    summary: str | None = None
    last: tuple[Message, ...] = ()
    guests: Mapping[int, str] = field(default_factory=dict)
    holder: str | None = None
    console_url: str | None = None
    waiting_since_ms: int | None = None
    lease_until_ms: int | None = None
    resolution: str = ""


def card(facts: CardFacts, *, now_ms: int) -> Rendered:
    """Return the one card of a spell."""
    pieces = (*_head(facts, now_ms), *_why(facts), *_messages(facts), *buttons(_buttons(facts)))
    return packed(pieces)[0]


def waiting_again(facts: CardFacts) -> Rendered:
    """Return what the whole channel is told when a customer whom an agent had is back in the queue."""
    return packed((formatted(f"*{inline(facts.customer)}* is waiting for a person again."),))[0]


def moment(at_ms: int) -> str:
    """Return a time in mrkdwn, which each reader sees in their own zone."""
    return f"<!date^{at_ms // 1000}^{{date_short_pretty}} {{time}}|{_utc(at_ms)}>"


def _utc(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _head(facts: CardFacts, now_ms: int) -> Iterator[Piece]:
    who = f"*{inline(shortened(facts.customer, LONGEST_NAME))}*"
    yield formatted(f"{who} {_standing(facts)}")
    yield small(" · ".join(_marks(facts, now_ms)))


def _standing(facts: CardFacts) -> str:
    match facts.status:
        case Status.QUEUED:
            return "is waiting for a person"
        case Status.CLAIMED:
            return f"is with *{inline(shortened(facts.holder or 'a colleague', LONGEST_NAME))}*"
        case Status.BOT:
            return "is with the bot again"
        case Status.RESOLVED:
            return f"is done{f': {inline(facts.resolution)}' if facts.resolution else ''}"


def _marks(facts: CardFacts, now_ms: int) -> Iterator[str]:
    yield "Verified" if facts.verified else "Not verified"
    yield _CHANNELS[facts.channel]
    since, until = facts.waiting_since_ms, facts.lease_until_ms
    if facts.status in (Status.QUEUED, Status.CLAIMED) and since is not None:
        yield f"Waiting since {moment(since)}"
    if facts.status is Status.CLAIMED and until is not None and until > now_ms:
        yield f"Claimed until {moment(until)}"


def _why(facts: CardFacts) -> Iterator[Piece]:
    lines = [f"*Why:* {inline(shortened(facts.reason_text, LONGEST_LINE))}"]
    if facts.evidence:
        lines.append(f"*Evidence:* {inline(shortened(facts.evidence, LONGEST_LINE))}")
    yield formatted("\n".join(lines))
    if facts.summary:
        yield small("*Summary*")
        yield from people_wrote(shortened(facts.summary, LONGEST_SUMMARY))


def _messages(facts: CardFacts) -> Iterator[Piece]:
    quoted = (_quote(message, facts.guests.get(message.seq)) for message in facts.last[-MOST_MESSAGES:])
    shown = [line for line in quoted if line]
    if shown:
        yield small("*Last messages*")
        yield from people_wrote("\n".join(shown))


def _quote(message: Message, guest: str | None) -> str:
    text = plain_text(message.text) if message.role is Role.BOT else message.text
    said = shortened(" ".join(text.split()), LONGEST_QUOTE)
    if message.verdict is not None:
        said = "the answer helped" if message.verdict else "the answer did not help"
    elif message.kind is Kind.FILE:
        said = f"file: {said}"
    who = _ROLES[message.role] if guest is None else shortened(guest, LONGEST_NAME)
    return f"{who}: {said}" if said else ""


def _buttons(facts: CardFacts) -> Iterator[Block]:
    value = ButtonValue(conversation=facts.conversation, spell=facts.spell).to_value()
    for action, label, says in _OFFERED.get(facts.status, ()):
        style = "primary" if action in (Action.CLAIM, Action.REPLY) else None
        yield button(label, action=action, value=value, says=says.format(name=facts.customer), style=style)
    if facts.console_url:
        says = f"Open the conversation with {facts.customer} in the console"
        yield link_button("Open in console", action=Action.CONSOLE, url=facts.console_url, says=says)


_CHANNELS = {Channel.WIDGET: "Widget", Channel.SLACK: "Slack", Channel.TERMINAL: "Terminal"}
_ROLES = {Role.CUSTOMER: "Customer", Role.BOT: "Bot", Role.AGENT: "Agent"}
_OFFERED = {
    Status.QUEUED: ((Action.CLAIM, "Claim", "Claim the conversation with {name}"),),
    Status.CLAIMED: (
        (Action.REPLY, "Reply", "Reply to {name}"),
        (Action.RETURN, "Return to bot", "Return {name} to the bot"),
        (Action.RESOLVE, "Resolve", "Resolve the conversation with {name}"),
        (Action.RELEASE, "Release", "Put {name} back into the queue"),
    ),
}
