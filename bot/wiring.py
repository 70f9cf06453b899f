"""The composition root: opens what the settings choose, builds the service, and closes in reverse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prometheus import PrometheusTurnObserver
from bot.adapters.prompt_files import Language, static_context
from bot.core.policy import TurnPolicy
from bot.model_wiring import opened_summarizer
from bot.ports import ConversationStore
from bot.service.customer import CustomerService
from bot.service.live import LiveHub, Progressed
from bot.service.running import TurnRunner
from bot.service.summarising import Summarising
from bot.service.sweep import Sweep
from bot.service.turns import TurnService
from bot.settings import Settings
from bot.store_wiring import opened_store
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
    web: web.Application


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
        store = wrap_store(stack.enter_context(opened_store(settings)))
        summarizer = await stack.enter_async_context(opened_summarizer(settings, PROMPTS, parts.clock))
        summaries = Summarising(
            store=store,
            replies=spoken.replies,
            rules=spoken.rules,
            clock=parts.clock,
            locale=settings.kb_locale,
            summarizer=summarizer,
        )
        candor = _assembled(settings, parts, store, spoken, policy, summaries)
        stack.push_async_callback(candor.summaries.drain, grace_s=SUMMARIES_DRAIN_S)
        stack.push_async_callback(candor.runner.drain, grace_s=DRAIN_S)
        await candor.sweep.resume()
        await stack.enter_async_context(_running(candor.sweep.run_forever()))
        await stack.enter_async_context(_running(candor.summaries.run_forever()))
        yield candor


def _assembled(
    settings: Settings,
    parts: Parts,
    store: ConversationStore,
    spoken: Language,
    policy: TurnPolicy,
    summaries: Summarising,
) -> Candor:
    live, observer, clock = LiveHub(), PrometheusTurnObserver(), parts.clock
    turns = TurnService(
        store=store,
        answering=answering(
            parts, spoken, policy, tell=lambda asked, step: live.publish(asked, Progressed(step=step))
        ),
        replies=spoken.replies,
        policy=policy,
        clock=clock,
        live=live,
        observer=observer,
        static_context=static_context(PROMPTS),
        handed_over=summaries.start,
    )
    runner = TurnRunner(turns=turns)
    customers = CustomerService(store=store, turns=runner, clock=clock, live=live)
    checks = Checks(store=store, parts=parts, policy=policy).by_name()
    return Candor(
        parts=parts,
        store=store,
        customers=customers,
        runner=runner,
        sweep=Sweep(store=store, turns=turns, runner=runner, clock=clock, deadlines=policy.deadlines),
        summaries=summaries,
        web=web_of(settings, parts, customers, checks, metrics=observer.text),
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
