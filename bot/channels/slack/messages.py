"""Messages of a conversation as its customer sees them in Slack. Pure.

The bot's text is Markdown; what people wrote stays as they wrote it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.channels.slack.actions import Action, ButtonValue
from bot.channels.slack.markdown import followable
from bot.channels.slack.mrkdwn import escaped, inline, link
from bot.channels.slack.parts import bot_wrote, buttons, formatted, people_wrote, small
from bot.channels.slack.rendering import (
    LONGEST_LABEL,
    LONGEST_SECTION,
    Block,
    Piece,
    Rendered,
    button,
    packed,
)
from bot.channels.slack.splitting import fits, split_mrkdwn
from bot.core.conversation import ConversationId, Kind, Message, Role
from bot.core.outcome import ReasonCode
from bot.core.replies import Replies

MOST_OPTIONS = 24  # with the button for a person, a row of Slack's is full


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """For whom messages are rendered. *site* is where our own pages of articles are read; empty when nobody outside can."""

    conversation: ConversationId
    replies: Replies
    locale: str
    site: str = ""

    def text(self, key: str, **values: str) -> str:
        """Return a fixed sentence in the customer's language, as it is."""
        return self.replies.text(key, self.locale, **values)


def to_customer(
    message: Message, to: Audience, *, agent: str | None = None, last: bool = False, chosen: str | None = None
) -> tuple[Rendered, ...]:
    """Return what the customer sees of a message by the bot or an agent, whose display name *agent* is.

    Under the *last* message there is something to press, until *chosen* says what was pressed.
    """
    if message.kind is Kind.TOMBSTONE:
        return packed((small(escaped(to.text("message_deleted"))),))
    pieces = [*_said(message, to, agent), *_sources(message, to), *_below(message, to, chosen)]
    return packed((*pieces, *(_to_press(message, to) if last and chosen is None else ())))


def fixed(text: str) -> Rendered:
    """Return one of our fixed sentences as a message."""
    return packed(people_wrote(text))[0]


def _said(message: Message, to: Audience, agent: str | None) -> Iterator[Piece]:
    if message.role is Role.AGENT:
        name = inline(agent or "")
        who = to.text("from_agent", name=name) if name else escaped(to.text("transcript_agent"))
        yield small(f"*{who}*")
    if message.kind is Kind.FILE:
        yield from people_wrote(to.text("transcript_file", name=message.text))
    elif message.role is Role.BOT:
        yield from bot_wrote(message.text, site=to.site)
    else:
        yield from people_wrote(message.text)


def _sources(message: Message, to: Audience) -> Iterator[Piece]:
    if message.sources:
        listed = (_source(source.title, followable(source.url, site=to.site)) for source in message.sources)
        text = f"*{escaped(to.text('from_articles'))}*\n" + "\n".join(listed)
        yield from map(formatted, split_mrkdwn(text, LONGEST_SECTION))


def _source(title: str, url: str | None) -> str:
    return f"• {link(url, title) if url else inline(title)}"


def _below(message: Message, to: Audience, chosen: str | None) -> Iterator[Piece]:
    if message.interrupted:
        yield small(escaped(to.text("interrupted")))
    if chosen is not None:
        yield small(to.text("you_chose", option=inline(chosen)))
    if chosen == to.text("helped_yes"):  # after "no" the bot asks what was missing
        yield small(escaped(to.text("thanks_for_feedback")))


def _to_press(message: Message, to: Audience) -> Iterator[Piece]:
    """The same as the widget: options, else whether an answer helped; and a person at any time, unless one was just asked for.

    What could not be looked up can be tried again.
    """
    if message.reason == ReasonCode.RECORDS_UNAVAILABLE:
        yield from buttons((_retry(message, to),))
    if message.role is not Role.BOT or message.reason is not None:
        return
    person = to.text("offer_person")
    options = [option for option in message.options if option != person][:MOST_OPTIONS]
    # A label has less room than an option may need.
    cut = [option for option in options if not fits(option, LONGEST_LABEL)]
    if cut:
        yield from people_wrote("\n".join(f"{at}. {option}" for at, option in enumerate(options, start=1)))
    if not options and message.sources and not message.interrupted:
        yield small(escaped(to.text("did_it_help")))
    yield from buttons((*_answers(message, to, options), _person(message, to)))


def _answers(message: Message, to: Audience, options: list[str]) -> Iterator[Block]:
    about = to.conversation
    for at, option in enumerate(options):
        value = ButtonValue(conversation=about, seq=message.seq, text=option).to_value()
        yield button(option, action=f"{Action.OPTION}:{at}", value=value, says=option)
    if options or not message.sources or message.interrupted:
        return
    value = ButtonValue(conversation=about, seq=message.seq).to_value()
    for action, label, says in (
        (Action.HELPED, "helped_yes", "transcript_helped"),
        (Action.NOT_HELPED, "helped_no", "transcript_not_helped"),
    ):
        yield button(to.text(label), action=action, value=value, says=to.text(says))


def _retry(message: Message, to: Audience) -> Block:
    label = to.text("try_again")
    value = ButtonValue(conversation=to.conversation, seq=message.seq, text=label).to_value()
    return button(label, action=Action.RETRY, value=value, says=label)


def _person(message: Message, to: Audience) -> Block:
    value = ButtonValue(conversation=to.conversation, seq=message.seq).to_value()
    label = to.text("talk_to_person")
    return button(label, action=Action.PERSON, value=value, says=label)
