"""Builds the web application: the widget's channel, the article pages, and health from what the parts say of themselves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from bot.adapters.prompt_files import Language
from bot.adapters.secret_file import kept_secret
from bot.channels.articles.routes import Articles
from bot.channels.console.guard import Guard
from bot.channels.console.roster import Roster
from bot.channels.console.routes import Console
from bot.channels.health import Check, Detail, Health
from bot.channels.proxies import Proxies
from bot.channels.web import web_application
from bot.channels.widget.routes import Widget
from bot.channels.widget.standing import Standings
from bot.channels.widget.throttle import Throttle
from bot.channels.widget.tokens import SessionTokens
from bot.core.gate import threshold_for
from bot.core.knowledge import IndexState
from bot.core.policy import TurnPolicy
from bot.desk_wiring import Desk
from bot.errors import IndexNotReady
from bot.ports import ConversationStore
from bot.service.customer import CustomerService
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.turn_wiring import Parts, suggesting, turn_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """What the channels show and do."""

    parts: Parts
    customers: CustomerService
    agents: DeskService
    desk: Desk
    spoken: Language
    checks: Mapping[str, Check]
    metrics: Callable[[], bytes]


def web_of(settings: Settings, parts: WebParts) -> web.Application:
    """Return the application that `serve` runs."""
    proxies = Proxies(networks=settings.trusted_proxies)
    return web_application(
        widget=_widget(settings, parts, proxies),
        articles=Articles(read=parts.parts.index.article),
        console=_console(settings, parts, proxies),
        health=Health(checks=parts.checks, metrics=parts.metrics),
    )


def _widget(settings: Settings, parts: WebParts, proxies: Proxies) -> Widget:
    clock, desk = parts.parts.clock, parts.agents.desk
    return Widget(
        customers=parts.customers,
        tokens=SessionTokens((_signing_key(settings),), clock=clock, audience=settings.site),
        throttle=Throttle(),
        origins=frozenset(settings.widget_origins),
        proxies=proxies,
        standings=Standings(
            wait_of=parts.desk.waiting.of,
            names=Roster(accounts=parts.desk.agents, clock=clock).names,
            read_marks=desk.read_marks,
        ),
    )


def _console(settings: Settings, parts: WebParts, proxies: Proxies) -> Console:
    return Console(
        desk=parts.agents,
        guard=Guard(accounts=parts.desk.accounts, proxies=proxies),
        accounts=parts.desk.agents,
        replies=parts.spoken.replies,
        clock=parts.parts.clock,
        numbers=parts.desk.numbers,
        suggesting=suggesting(parts.parts, parts.spoken, turn_policy(settings)),
        locale=settings.kb_locale,
    )


def _signing_key(settings: Settings) -> str:
    given = settings.secret_key
    return given.get_secret_value() if given else kept_secret(settings.data_dir / "secret.key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """What `/readyz` asks; each raises when its dependency is not usable."""

    store: ConversationStore
    parts: Parts
    policy: TurnPolicy

    def by_name(self) -> Mapping[str, Check]:
        """Return the checks under the names that `/readyz` shows."""
        return {
            "store": self.store_answers,
            "knowledge_base": self.index_is_ready,
            "gate": self.gate_is_calibrated,
        }

    async def store_answers(self) -> Detail:
        """Say nothing more than that the store can be read and written."""
        await self.store.ping()
        return {}

    async def index_is_ready(self) -> Detail:
        """Name the index that searches use, and the age of the last good sync."""
        status = await self.parts.index.status()
        if status.state is not IndexState.READY:
            raise IndexNotReady(f"the passage index is {status.state}: {status.detail}")
        synced = status.last_sync_ms
        age_s = None if synced is None else (self.parts.clock.now_ms() - synced) // 1000
        return {
            "fingerprint": status.fingerprint,
            "generation": status.generation,
            "articles": status.articles,
            "passages": status.passages,
            "seconds_since_last_sync": age_s,
        }

    async def gate_is_calibrated(self) -> Detail:
        """Name the threshold in force and what it was measured on."""
        calibration = (await self.parts.index.status()).calibration
        can_abstain = self.parts.answerer.can_abstain
        threshold = threshold_for(calibration, self.policy, can_abstain=can_abstain)
        if calibration is None or threshold is None:
            raise IndexNotReady("uncalibrated: run `python -m bot calibrate`")
        return {"threshold": threshold, "measured_on": calibration.data}
