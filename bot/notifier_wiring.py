"""Opens whoever is told of what happens in conversations, and says what the stores have to announce for them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from bot.adapters.webhook.notifier import WebhookAccess, opened_webhook
from bot.core.outbox import DESK, SLACK, WEBHOOKS, Announcement, Told
from bot.desk_ports import Notifier
from bot.ports import Clock
from bot.service.live import LiveHub
from bot.service.relay import ConsoleNotifier
from bot.settings import Settings
from bot.slack_speech_wiring import SlackSpeech
from bot.stores import Stores

Notifiers = Mapping[Announcement, Notifier]

# How long telling of one row may take: a channel of Slack takes a message a second, and many may wait for it.
LIMITS_S: Mapping[Announcement, float] = {Announcement.SLACK: 120.0}


def told_of(settings: Settings) -> Told:
    """Return what the stores have to announce: handoffs always, the rest where a webhook is set, or Slack."""
    to_webhook = frozenset() if settings.webhook_url is None else WEBHOOKS
    to_slack = frozenset() if settings.slack_bot_token is None else SLACK
    return DESK | to_webhook | to_slack


@asynccontextmanager
async def opened_notifiers(
    settings: Settings, stores: Stores, clock: Clock, live: LiveHub, *, slack: SlackSpeech | None = None
) -> AsyncIterator[Notifiers]:
    """Open whoever is told of what happens, and close them at the end; *slack* shows there what concerns it."""
    desk: Notifiers = {Announcement.HANDOFF: ConsoleNotifier(live=live)}
    if slack is not None:
        desk = {**desk, Announcement.SLACK: slack.notifier}
    if settings.webhook_url is None or settings.webhook_secret is None:
        yield desk
        return
    access = WebhookAccess(
        url=settings.webhook_url.get_secret_value(), secret=settings.webhook_secret.get_secret_value()
    )
    async with opened_webhook(
        access, store=stores.conversations, account=stores.accounts.agent, clock=clock
    ) as webhook:
        yield {**desk, **dict.fromkeys(WEBHOOKS, webhook)}
