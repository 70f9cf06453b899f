"""The composition root: opens what the settings choose, builds the service, and closes in reverse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prompt_files import Language, static_context
from bot.core.conversation import ConversationId
from bot.desk_wiring import (
    Desk,
    DeskParts,
    Notifiers,
    desk_of,
    desk_service,
    opened_notifiers,
    told_of,
)
from bot.guard_wiring import Guards, guards_of
from bot.model_ports import Summarizer
from bot.model_wiring import opened_summarizer
from bot.ports import ConversationStore
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.service.live import LiveHub, Progressed
from bot.service.relay import wake_on_changes
from bot.service.running import TurnRunner
from bot.service.summarising import Summarising
from bot.service.sweep import Sweep
from bot.service.turns import TurnService
from bot.settings import Settings
from bot.store_wiring import Stores, opened_stores
from bot.turn_wiring import (
    PROMPTS,
    Parts,
    Wrap,
    answering,
    check_gate,
    language,
    opened_parts,
    turn_policy,
    unwrapped,
)
from bot.web_wiring import Checks, WebParts, web_of

DRAIN_S = 12.0  # with the sockets' 10 s this stays below the 25 s in which a stop must be over (FAULTS W11)
SUMMARIES_DRAIN_S = 2.0  # what is not written by then, the next process writes
NOTICES_DRAIN_S = 1.0  # the same
RELAY_DRAIN_S = 2.0  # what is not delivered by then, the next process delivers

Drain = Callable[..., Coroutine[None, None, None]]
WrapStore = Callable[[ConversationStore], ConversationStore]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candor:
    """The running service."""

    parts: Parts
    store: ConversationStore
    customers: CustomerService
    runner: TurnRunner
    sweep: Sweep
    summaries: Summarising
    agents: DeskService
    desk: Desk
    guards: Guards
    web: web.Application


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """Everything that was opened, with its guards around it."""

    settings: Settings
    spoken: Language
    parts: Parts
    store: ConversationStore
    stores: Stores
    notifiers: Notifiers
    live: LiveHub
    summarizer: Summarizer | None
    guards: Guards


def unwrapped_store(store: ConversationStore) -> ConversationStore:
    """Leave the store as it is."""
    return store


@asynccontextmanager
async def opened(
    settings: Settings, *, wrap: Wrap = unwrapped, wrap_store: WrapStore = unwrapped_store
) -> AsyncIterator[Candor]:
    """Open everything that `serve` needs, resume what an earlier process left, and close in reverse.

    Misconfigured when something cannot be had, or when the gate's threshold could never work.
    """
    async with AsyncExitStack() as stack:
        spoken, policy = language(), turn_policy(settings)
        parts = await stack.enter_async_context(opened_parts(settings, spoken, wrap=wrap))
        await check_gate(parts, policy)
        live = LiveHub()
        stores = stack.enter_context(opened_stores(settings, told=told_of(settings)))
        notifiers = await stack.enter_async_context(opened_notifiers(settings, stores, parts.clock, live))
        summarizer = await stack.enter_async_context(opened_summarizer(settings, PROMPTS, parts.clock))
        guards = guards_of(settings, stores.ledger, parts.clock)
        candor = _assembled(
            _Opened(
                settings=settings,
                spoken=spoken,
                parts=guards.around(parts, policy.deadlines),
                store=wrap_store(stores.conversations),
                stores=stores,
                notifiers=notifiers,
                live=live,
                summarizer=guards.around_summarizer(summarizer),
                guards=guards,
            )
        )
        for drain, grace_s in _drains(candor):
            stack.push_async_callback(drain, grace_s=grace_s)
        await candor.sweep.resume()
        for work in _rounds(candor, live):
            await stack.enter_async_context(_running(work))
        yield candor


def _drains(candor: Candor) -> list[tuple[Drain, float]]:
    """Return what is finished at the end; the last is finished first, because the others tell of what it does."""
    return [
        (candor.desk.relay.drain, RELAY_DRAIN_S),
        (candor.desk.waiting.drain, NOTICES_DRAIN_S),
        (candor.summaries.drain, SUMMARIES_DRAIN_S),
        (candor.runner.drain, DRAIN_S),
    ]


def _rounds(candor: Candor, live: LiveHub) -> list[Coroutine[None, None, None]]:
    """Return what goes on for as long as the service does."""
    desk = candor.desk
    rounds = [
        candor.sweep.run_forever(),
        candor.summaries.run_forever(),
        desk.waiting.run_forever(),
        desk.numbers.run_forever(),
        desk.relay.run_forever(),
    ]
    return [*rounds, wake_on_changes(desk.relay, live)] if desk.posts_everything else rounds


def _assembled(opened: _Opened) -> Candor:
    parts, store, observer = opened.parts, opened.store, opened.guards.observer
    policy, live, clock = turn_policy(opened.settings), opened.live, parts.clock
    summaries, desk = _summaries(opened), desk_of(opened.settings, _desk_parts(opened))
    steps = answering(
        parts, opened.spoken, policy, tell=lambda asked, step: live.publish(asked, Progressed(step=step))
    )
    turns = TurnService(
        store=store,
        answering=opened.guards.counting(steps),
        replies=opened.spoken.replies,
        metering=opened.guards.metering,
        clock=clock,
        live=live,
        observer=observer,
        static_context=static_context(PROMPTS),
        handed_over=_heard_by(summaries, desk),
    )
    runner = TurnRunner(turns=turns)
    customers = CustomerService(store=store, turns=runner, clock=clock, live=live, marks=opened.stores.desk)
    agents = desk_service(_desk_parts(opened), runner)
    checks = {**Checks(store=store, parts=parts, policy=policy).by_name(), **opened.guards.checks()}
    return Candor(
        parts=parts,
        store=store,
        customers=customers,
        runner=runner,
        sweep=Sweep(
            store=store, turns=turns, runner=runner, clock=clock, deadlines=policy.deadlines, desk=agents
        ),
        summaries=summaries,
        agents=agents,
        desk=desk,
        guards=opened.guards,
        web=web_of(
            opened.settings,
            WebParts(
                parts=parts,
                customers=customers,
                agents=agents,
                desk=desk,
                spoken=opened.spoken,
                checks=checks,
                metrics=observer.text,
            ),
        ),
    )


def _desk_parts(opened: _Opened) -> DeskParts:
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


def _summaries(opened: _Opened) -> Summarising:
    return Summarising(
        store=opened.store,
        replies=opened.spoken.replies,
        rules=opened.spoken.rules,
        clock=opened.parts.clock,
        locale=opened.settings.kb_locale,
        summarizer=opened.summarizer,
    )


@asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
