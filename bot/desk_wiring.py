"""Builds the agents' desk over the stores: its moves, what waiting customers are told, the relay, the numbers, the accounts."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.webhook.notifier import WebhookAccess, opened_webhook
from bot.core.business_hours import BusinessHours
from bot.core.desk_numbers import Calendar
from bot.core.outbox import DESK, WEBHOOKS, Announcement, Told
from bot.core.replies import Replies
from bot.desk_ports import AccountStore, DeskObserver, Notifier
from bot.ports import Clock, ConversationStore
from bot.service.accounts import Accounts
from bot.service.customer import TurnStarter
from bot.service.desk import DeskService
from bot.service.live import LiveHub
from bot.service.numbers import Numbers
from bot.service.relay import ConsoleNotifier, Relay
from bot.service.waiting import Waiting
from bot.settings import Settings
from bot.store_wiring import Stores

Notifiers = Mapping[Announcement, Notifier]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What goes on beside the agents' moves. `posts_everything` when each message is announced, not only handoffs."""

    accounts: Accounts
    agents: AccountStore
    waiting: Waiting
    relay: Relay
    numbers: Numbers
    posts_everything: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskParts:
    """What the desk is built over."""

    store: ConversationStore
    stores: Stores
    notifiers: Notifiers
    replies: Replies
    clock: Clock
    live: LiveHub
    observer: DeskObserver


def told_of(settings: Settings) -> Told:
    """Return what the stores have to announce: handoffs always, the rest where a webhook is set."""
    return DESK if settings.webhook_url is None else DESK | WEBHOOKS


@asynccontextmanager
async def opened_notifiers(
    settings: Settings, stores: Stores, clock: Clock, live: LiveHub
) -> AsyncIterator[Notifiers]:
    """Open whoever is told of what happens, and close them at the end."""
    desk: Notifiers = {Announcement.HANDOFF: ConsoleNotifier(live=live)}
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


def desk_service(parts: DeskParts, turns: TurnStarter) -> DeskService:
    """Return what agents do."""
    return DeskService(
        store=parts.store,
        desk=parts.stores.desk,
        clock=parts.clock,
        live=parts.live,
        colleagues=parts.stores.accounts,
        turns=turns,
        replies=parts.replies,
    )


def desk_of(settings: Settings, parts: DeskParts) -> Desk:
    """Return the desk; Misconfigured when BUSINESS_HOURS cannot be read."""
    store, desk, clock = parts.store, parts.stores.desk, parts.clock
    hours = None if settings.business_hours is None else BusinessHours.from_text(settings.business_hours)
    return Desk(
        accounts=Accounts(store=parts.stores.accounts, passwords=Argon2Passwords(), clock=clock),
        agents=parts.stores.accounts,
        waiting=Waiting(
            store=store, desk=desk, clock=clock, live=parts.live, replies=parts.replies, hours=hours
        ),
        relay=Relay(
            store=store,
            notifiers=parts.notifiers,
            clock=clock,
            observer=parts.observer,
            jitter=random.random,
        ),
        numbers=Numbers(
            desk=desk,
            clock=clock,
            observer=parts.observer,
            calendar=Calendar(zone=UTC if hours is None else hours.zone),
        ),
        posts_everything=settings.webhook_url is not None,
    )
