"""Builds what shows conversations in Slack: both sides, and the answers that appear there block by block."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.channels.slack.card_facts import CardReading
from bot.channels.slack.health import NobodyWatches, SlackObserver
from bot.channels.slack.seen import Seeing
from bot.channels.slack.showing import SlackNotifier
from bot.channels.slack.showing_customer import CustomerShowing
from bot.channels.slack.showing_desk import DeskShowing
from bot.channels.slack.streams import AnswerStreams
from bot.channels.wording import Names
from bot.core.conversation import ConversationId
from bot.core.replies import Replies
from bot.core.slack_rows import Place
from bot.desk_ports import AccountStore
from bot.ports import Clock, ConversationStore
from bot.settings import Settings
from bot.slack_calls_wiring import SlackCalls, calls_of
from bot.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackSpeech:
    """What speaks in Slack, and what the listeners need of it."""

    calls: SlackCalls
    streams: AnswerStreams
    notifier: SlackNotifier

    async def take_back(self, conversation: ConversationId) -> None:
        """Remove what was posted of a conversation that is about to be erased, as far as Slack allows; never raises."""
        await self.notifier.forget(conversation)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechParts:
    """What it is built over; `store` is that of the conversations, with whatever is around it."""

    store: ConversationStore
    stores: Stores
    replies: Replies
    clock: Clock
    observer: SlackObserver = field(default_factory=NobodyWatches)


def speech_of(settings: Settings, parts: SpeechParts) -> SlackSpeech | None:
    """Return what speaks in Slack; None where no token is set."""
    if settings.slack_bot_token is None:
        return None
    store, clock = parts.stores.slack, parts.clock
    token = settings.slack_bot_token.get_secret_value()
    calls = calls_of(settings, token, store, clock, parts.observer)
    streams = AnswerStreams(
        client=calls.client,
        attempting=calls.attempting,
        store=store,
        conversations=parts.store,
        clock=clock,
    )
    notifier = SlackNotifier(
        seeing=Seeing(store=parts.store, names=_names_in(parts.stores.accounts), called=calls.people.called),
        store=store,
        speaking=calls.speaking,
        customers=CustomerShowing(
            speaking=calls.speaking,
            store=store,
            replies=parts.replies,
            streams=streams,
            site=settings.public_url or "",
        ),
        desk=_desk(settings, parts, calls),
    )
    return SlackSpeech(calls=calls, streams=streams, notifier=notifier)


def _names_in(accounts: AccountStore) -> Callable[[], Awaitable[Names]]:
    """Read names anew each time: the very press that a card shows may have made the account."""

    async def names() -> Names:
        return {agent.id: agent.name for agent in await accounts.agents()}

    return names


def _desk(settings: Settings, parts: SpeechParts, calls: SlackCalls) -> DeskShowing | None:
    """Return what shows agents their cards; None without a channel, where they have the console alone."""
    channel = settings.slack_handoff_channel
    if channel is None:
        return None

    async def home() -> Place:
        return Place(team=await calls.identity.team(), channel=channel)

    reading = CardReading(
        store=parts.store,
        desk=parts.stores.desk,
        replies=parts.replies,
        clock=parts.clock,
        public_url=settings.public_url,
    )
    return DeskShowing(
        speaking=calls.speaking, store=parts.stores.slack, reading=reading, clock=parts.clock, home=home
    )
