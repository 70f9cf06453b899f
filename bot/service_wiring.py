"""Builds the service over what was opened: turns, customers, agents, and what goes on beside them."""

from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from bot.checks_wiring import checks_of
from bot.core.conversation import ConversationId
from bot.desk_wiring import Desk, DeskParts, desk_of, desk_service
from bot.guard_wiring import Guards
from bot.ports import ConversationStore
from bot.privacy_wiring import Privacy, privacy_of
from bot.service.arrivals import Arrivals
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.service.running import TurnRunner
from bot.service.summarising import Summarising
from bot.service.sweep import Sweep
from bot.service.sync_watch import SyncWatch
from bot.slack_wiring import Slack, slack_of
from bot.turn_wiring import Parts, turn_policy
from bot.turns_wiring import Opened, summaries_of, turns_of
from bot.web_wiring import WebParts, web_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Candor:
    """The running service."""

    parts: Parts
    store: ConversationStore
    customers: CustomerService
    runner: TurnRunner
    sweep: Sweep
    syncs: SyncWatch
    summaries: Summarising
    agents: DeskService
    desk: Desk
    guards: Guards
    privacy: Privacy
    slack: Slack | None
    web: web.Application


def assembled(opened: Opened) -> Candor:
    """Build the service over what was opened; Misconfigured when a setting cannot be read."""
    store, clock, policy = opened.store, opened.parts.clock, turn_policy(opened.settings)
    summaries, desk = summaries_of(opened), desk_of(opened.settings, _desk_parts(opened))
    syncs = _sync_watch(opened)
    turns = turns_of(opened, policy, handed_over=_heard_by(summaries, desk), articles_are_old=syncs.are_old)
    runner = TurnRunner(turns=turns)
    opened.live.when_erased(runner.drop)
    customers = CustomerService(
        store=store, turns=runner, clock=clock, live=opened.live, marks=opened.stores.desk
    )
    agents = desk_service(_desk_parts(opened), runner)
    slack = slack_of(opened, customers, agents)
    return Candor(
        parts=opened.parts,
        store=store,
        customers=customers,
        runner=runner,
        sweep=Sweep(
            store=store,
            turns=turns,
            runner=runner,
            clock=clock,
            deadlines=policy.deadlines,
            desk=agents,
            duties=opened.stores.duties,
        ),
        syncs=syncs,
        summaries=summaries,
        agents=agents,
        desk=desk,
        guards=opened.guards,
        privacy=privacy_of(opened.settings, opened.stores, clock, opened.live, slack=opened.speech),
        slack=slack,
        web=web_of(opened.settings, _web_parts(opened, customers, agents, desk, syncs, slack)),
    )


def _web_parts(
    opened: Opened,
    customers: CustomerService,
    agents: DeskService,
    desk: Desk,
    syncs: SyncWatch,
    slack: Slack | None,
) -> WebParts:
    own = checks_of(opened.settings, opened.store, opened.parts)
    observer = opened.guards.observer
    return WebParts(
        parts=opened.parts,
        arrivals=Arrivals(
            customers=customers,
            store=opened.stores.customers,
            identity_required=opened.settings.widget_identity_required,
        ),
        stores=opened.stores,
        agents=agents,
        desk=desk,
        spoken=opened.spoken,
        checks={**own.by_name(), **opened.guards.checks(), **({"slack": slack.check} if slack else {})},
        metrics=observer.text,
        refresh=syncs.look,
        sockets=observer.server,
        slack=slack.door if slack else None,
    )


def _sync_watch(opened: Opened) -> SyncWatch:
    return SyncWatch(
        status=opened.parts.index.status,
        clock=opened.parts.clock,
        observer=opened.guards.observer.server,
        expected_s=opened.settings.kb_sync_every,
    )


def _desk_parts(opened: Opened) -> DeskParts:
    return DeskParts(
        store=opened.store,
        stores=opened.stores,
        notifiers=opened.notifiers,
        replies=opened.spoken.replies,
        clock=opened.parts.clock,
        live=opened.live,
        observer=opened.guards.observer,
    )


def _heard_by(summaries: Summarising, desk: Desk) -> Callable[[ConversationId], None]:
    def handed_over(conversation: ConversationId) -> None:
        summaries.start(conversation)
        desk.waiting.handed_over(conversation)
        desk.relay.wake()

    return handed_over
