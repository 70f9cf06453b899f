"""Builds the agents' desk over the stores: its moves, what waiting customers are told, the relay, the numbers."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC

from bot.channels.console.roster import Roster
from bot.core.business_hours import BusinessHours
from bot.core.conversation import AgentId
from bot.core.desk_numbers import Calendar
from bot.core.replies import Replies
from bot.desk_ports import AccountStore, DeskObserver
from bot.notifier_wiring import LIMITS_S, Notifiers
from bot.ports import Clock, ConversationStore
from bot.service.customer import TurnStarter
from bot.service.desk import DeskService
from bot.service.live import LiveHub
from bot.service.numbers import Numbers
from bot.service.relay import Relay
from bot.service.waiting import Waiting
from bot.settings import Settings
from bot.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What goes on beside the agents' moves. `posts_everything` when each message is announced, not only handoffs."""

    agents: AccountStore
    names: Callable[[], Awaitable[Mapping[AgentId, str]]]
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
        ratings=parts.stores.ratings,
        attachments=parts.stores.attachments,
    )


def desk_of(settings: Settings, parts: DeskParts) -> Desk:
    """Return the desk; Misconfigured when BUSINESS_HOURS cannot be read."""
    store, desk, clock = parts.store, parts.stores.desk, parts.clock
    hours = None if settings.business_hours is None else BusinessHours.from_text(settings.business_hours)
    return Desk(
        agents=parts.stores.accounts,
        names=Roster(accounts=parts.stores.accounts, clock=clock).names,
        waiting=Waiting(
            store=store, desk=desk, clock=clock, live=parts.live, replies=parts.replies, hours=hours
        ),
        relay=Relay(
            store=store,
            notifiers=parts.notifiers,
            clock=clock,
            observer=parts.observer,
            jitter=random.random,
            duties=parts.stores.duties,
            limits_s=LIMITS_S,
        ),
        numbers=Numbers(
            desk=desk,
            clock=clock,
            observer=parts.observer,
            calendar=Calendar(zone=UTC if hours is None else hours.zone),
            ratings=parts.stores.ratings,
        ),
        posts_everything=settings.webhook_url is not None or settings.slack_bot_token is not None,
    )
