"""The composition root: opens what the settings choose, builds the service, and closes in reverse."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from bot.checks_wiring import check_gate
from bot.guard_wiring import guards_of
from bot.model_wiring import opened_summarizer
from bot.notifier_wiring import opened_notifiers, told_of
from bot.ports import ConversationStore
from bot.service.lag import LoopLag
from bot.service.live import LiveHub
from bot.service.relay import wake_on_changes
from bot.service.waking import Waking
from bot.service_wiring import Candor, assembled
from bot.settings import Settings
from bot.slack_speech_wiring import SpeechParts, speech_of
from bot.store_wiring import opened_stores
from bot.turn_wiring import PROMPTS, Wrap, language, opened_parts, turn_policy, unwrapped
from bot.turns_wiring import Opened

DRAIN_S = 12.0  # with the sockets' 10 s this stays below the 25 s in which a stop must be over (FAULTS W11)
SUMMARIES_DRAIN_S = 2.0  # what is not written by then, the next process writes
NOTICES_DRAIN_S = 1.0  # the same
SLACK_DRAIN_S = 2.0  # what was kept and is not worked on by then, the next process works on
RELAY_DRAIN_S = 2.0  # what is not delivered by then, the next process delivers

Drain = Callable[..., Coroutine[None, None, None]]
WrapStore = Callable[[ConversationStore], ConversationStore]


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
        stores = await stack.enter_async_context(opened_stores(settings, told=told_of(settings)))
        store = wrap_store(stores.conversations)
        guards = guards_of(settings, stores.ledger, parts.clock)
        seen = guards.observer.slack
        heard = SpeechParts(
            store=store, stores=stores, replies=spoken.replies, clock=parts.clock, observer=seen
        )
        speech = speech_of(settings, heard)
        notifiers = await stack.enter_async_context(
            opened_notifiers(settings, stores, parts.clock, live, slack=speech)
        )
        summarizer = await stack.enter_async_context(opened_summarizer(settings, PROMPTS, parts.clock))
        candor = assembled(
            Opened(
                settings=settings,
                spoken=spoken,
                parts=guards.around(parts, policy.deadlines),
                store=store,
                stores=stores,
                notifiers=notifiers,
                live=live,
                summarizer=guards.around_summarizer(summarizer),
                guards=guards,
                speech=speech,
            )
        )
        for drain, grace_s in _drains(candor):
            stack.push_async_callback(drain, grace_s=grace_s)
        waking = Waking(elsewhere=stores.elsewhere, live=live)
        await _set_going(candor, stack, [*_rounds(candor, live), waking.run_forever()])
        yield candor


async def _set_going(
    candor: Candor, stack: AsyncExitStack, rounds: Sequence[Coroutine[None, None, None]]
) -> None:
    """Do what an earlier process left undone, then begin what goes on until *stack* is closed."""
    await candor.privacy.erasing.resume()
    await candor.sweep.resume()
    for work in rounds:
        await stack.enter_async_context(_running(work))


def _drains(candor: Candor) -> list[tuple[Drain, float]]:
    """Return what is finished at the end; the last is finished first, because the others tell of what it does."""
    slack = [] if candor.slack is None else [(candor.slack.drain, SLACK_DRAIN_S)]
    return [
        (candor.desk.relay.drain, RELAY_DRAIN_S),
        (candor.desk.waiting.drain, NOTICES_DRAIN_S),
        (candor.summaries.drain, SUMMARIES_DRAIN_S),
        (candor.runner.drain, DRAIN_S),
        *slack,
    ]


def _rounds(candor: Candor, live: LiveHub) -> list[Coroutine[None, None, None]]:
    """Return what goes on for as long as the service does."""
    desk = candor.desk
    rounds = [
        candor.sweep.run_forever(),
        candor.syncs.run_forever(),
        candor.privacy.erasing.run_forever(),
        candor.privacy.retention.run_forever(),
        LoopLag(clock=candor.parts.clock, observer=candor.guards.observer.loop).run_forever(),
        candor.summaries.run_forever(),
        desk.waiting.run_forever(),
        desk.numbers.run_forever(),
        desk.relay.run_forever(),
        *(candor.slack.rounds if candor.slack else ()),
    ]
    return [*rounds, wake_on_changes(desk.relay, live)] if desk.posts_everything else rounds


@asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
