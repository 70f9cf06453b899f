"""Builds the console's channel over the desk and the accounts."""

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.prompt_files import Language
from bot.channels.console.guard import Guard
from bot.channels.console.routes import Console
from bot.channels.console.throttle import Throttle
from bot.channels.open_sockets import OpenSockets, SocketObserver
from bot.channels.proxies import Proxies
from bot.desk_wiring import Desk
from bot.service.accounts import Accounts
from bot.service.desk import DeskService
from bot.settings import Settings
from bot.turn_wiring import Parts, suggesting, turn_policy


def console_of(
    settings: Settings,
    agents: DeskService,
    desk: Desk,
    spoken: Language,
    parts: Parts,
    sockets: SocketObserver,
) -> Console:
    """Return the channel; agents read it in the language of KB_LOCALE."""
    accounts = Accounts(store=desk.agents, passwords=Argon2Passwords(), clock=parts.clock)
    return Console(
        desk=agents,
        guard=Guard(accounts=accounts, proxies=Proxies(networks=settings.trusted_proxies)),
        accounts=desk.agents,
        replies=spoken.replies,
        clock=parts.clock,
        numbers=desk.numbers,
        suggesting=suggesting(parts, spoken, turn_policy(settings)),
        locale=settings.kb_locale,
        throttle=Throttle(places=OpenSockets(channel="console", observer=sockets)),
    )
