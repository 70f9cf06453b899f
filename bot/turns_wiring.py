"""Builds what settles turns and what sums up handoffs, over everything that was opened."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.adapters.prompt_files import Language, static_context
from bot.core.conversation import ConversationId
from bot.core.policy import TurnPolicy
from bot.guard_wiring import Guards
from bot.model_ports import Summarizer
from bot.notifier_wiring import Notifiers
from bot.planner_wiring import route_parts
from bot.ports import ConversationStore
from bot.service.live import LiveHub, Progressed
from bot.service.summarising import Summarising
from bot.service.turns import TurnService
from bot.settings import Settings
from bot.slack_speech_wiring import SlackSpeech
from bot.stores import Stores
from bot.turn_wiring import PROMPTS, Parts, answering


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
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
    speech: SlackSpeech | None = None


def turns_of(
    opened: Opened,
    policy: TurnPolicy,
    *,
    handed_over: Callable[[ConversationId], None],
    articles_are_old: Callable[[], Awaitable[bool]],
) -> TurnService:
    """Return what settles turns; *handed_over* is told of each handoff, *articles_are_old* is asked with each answer."""
    live = opened.live
    steps = answering(
        opened.parts,
        opened.spoken,
        policy,
        tell=lambda asked, step: live.publish(asked, Progressed(step=step)),
    )
    known = route_parts(opened.parts.records, opened.spoken, store=opened.store, stores=opened.stores)
    return TurnService(
        store=opened.store,
        answering=opened.guards.counting(replace(steps, records=known)),
        replies=opened.spoken.replies,
        metering=opened.guards.metering,
        clock=opened.parts.clock,
        live=live,
        observer=opened.guards.observer,
        static_context=static_context(PROMPTS),
        handed_over=handed_over,
        articles_are_old=articles_are_old,
    )


def summaries_of(opened: Opened) -> Summarising:
    """Return what sums up handoffs for agents."""
    return Summarising(
        store=opened.store,
        replies=opened.spoken.replies,
        rules=opened.spoken.rules,
        clock=opened.parts.clock,
        locale=opened.settings.kb_locale,
        summarizer=opened.summarizer,
        live=opened.live,
    )
