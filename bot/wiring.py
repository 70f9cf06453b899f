"""The composition root: opens what the settings choose, builds the service, and closes in reverse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prompt_files import Language, static_context
from bot.guard_wiring import Guards, guards_of
from bot.model_ports import Summarizer
from bot.model_wiring import opened_summarizer
from bot.ports import ConversationStore
from bot.service.customer import CustomerService
from bot.service.live import LiveHub, Progressed
from bot.service.running import TurnRunner
from bot.service.summarising import Summarising
from bot.service.sweep import Sweep
from bot.service.turns import TurnService
from bot.settings import Settings
from bot.store_wiring import opened_stores
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
from bot.web_wiring import Checks, web_of

DRAIN_S = 12.0  # with the sockets' 10 s this stays below the 25 s in which a stop must be over (FAULTS W11)
SUMMARIES_DRAIN_S = 2.0  # what is not written by then, the next process writes

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
    guards: Guards
    web: web.Application


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """Everything that was opened, with its guards around it."""

    settings: Settings
    spoken: Language
    parts: Parts
    store: ConversationStore
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
        stores = stack.enter_context(opened_stores(settings))
        summarizer = await stack.enter_async_context(opened_summarizer(settings, PROMPTS, parts.clock))
        guards = guards_of(settings, stores.ledger, parts.clock)
        candor = _assembled(
            _Opened(
                settings=settings,
                spoken=spoken,
                parts=guards.around(parts, policy.deadlines),
                store=wrap_store(stores.conversations),
                summarizer=guards.around_summarizer(summarizer),
                guards=guards,
            )
        )
        stack.push_async_callback(candor.summaries.drain, grace_s=SUMMARIES_DRAIN_S)
        stack.push_async_callback(candor.runner.drain, grace_s=DRAIN_S)
        await candor.sweep.resume()
        await stack.enter_async_context(_running(candor.sweep.run_forever()))
        await stack.enter_async_context(_running(candor.summaries.run_forever()))
        yield candor


def _assembled(opened: _Opened) -> Candor:
    parts, store, observer = opened.parts, opened.store, opened.guards.observer
    policy, live, clock = turn_policy(opened.settings), LiveHub(), parts.clock
    summaries = _summaries(opened)
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
        handed_over=summaries.start,
    )
    runner = TurnRunner(turns=turns)
    customers = CustomerService(store=store, turns=runner, clock=clock, live=live)
    checks = {**Checks(store=store, parts=parts, policy=policy).by_name(), **opened.guards.checks()}
    return Candor(
        parts=parts,
        store=store,
        customers=customers,
        runner=runner,
        sweep=Sweep(store=store, turns=turns, runner=runner, clock=clock, deadlines=policy.deadlines),
        summaries=summaries,
        guards=opened.guards,
        web=web_of(opened.settings, parts, customers, checks, metrics=observer.text),
    )


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
