"""Builds the console's channel over the desk, the accounts and the articles."""

from dataclasses import dataclass

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.prompt_files import Language
from bot.channels.console.guard import Guard
from bot.channels.console.routes import Console
from bot.channels.console.throttle import Throttle
from bot.channels.open_sockets import OpenSockets, SocketObserver
from bot.channels.proxies import Proxies
from bot.content_wiring import content_of
from bot.desk_wiring import Desk
from bot.service.accounts import Accounts
from bot.service.desk import DeskService
from bot.service.suggesting import Suggesting
from bot.settings import Settings
from bot.traffic_ports import TrafficReads
from bot.turn_wiring import Parts, turn_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleParts:
    """What agents and the content team see and do."""

    agents: DeskService
    desk: Desk
    spoken: Language
    parts: Parts
    traffic: TrafficReads
    sockets: SocketObserver


def console_of(settings: Settings, given: ConsoleParts) -> Console:
    """Return the channel; agents read it in the language of KB_LOCALE."""
    desk, spoken, parts = given.desk, given.spoken, given.parts
    accounts = Accounts(store=desk.agents, passwords=Argon2Passwords(), clock=parts.clock)
    return Console(
        desk=given.agents,
        guard=Guard(accounts=accounts, proxies=Proxies(networks=settings.trusted_proxies)),
        accounts=desk.agents,
        replies=spoken.replies,
        clock=parts.clock,
        numbers=desk.numbers,
        suggesting=Suggesting(
            index=parts.index,
            embedder=parts.embedder,
            rules=spoken.rules,
            policy=turn_policy(settings),
            clock=parts.clock,
        ),
        locale=settings.kb_locale,
        throttle=Throttle(places=OpenSockets(channel="console", observer=given.sockets)),
        content=content_of(settings, parts, spoken, given.traffic),
    )
