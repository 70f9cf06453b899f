"""`agents`: who may use the console. An invitation's link is printed once and kept nowhere but in whose hands it is."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address

from rich.console import Console

from bot.adapters.system_clock import SystemClock
from bot.core.accounts import Agent, AgentRole
from bot.places import require_data
from bot.service.inviting import Invited, Inviting
from bot.settings import Settings
from bot.store_wiring import opened_stores
from bot.terminal.texts import isolated, titled


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An invitation as it is handed over; `only_here` when its address leads nowhere from another machine."""

    agent: Agent
    url: str
    expires_ms: int
    only_here: bool


async def add(settings: Settings, email: str, *, name: str, role: AgentRole, url: str | None) -> Link:
    """Make an account and its first link; a data file is made when there is none yet."""
    async with _opened(settings) as inviting:
        return _link(settings, await inviting.add(email, name=name, role=role), url)


async def invite(settings: Settings, email: str, *, url: str | None) -> Link:
    """Make a new link, with which a new password can be set."""
    async with _existing(settings) as inviting:
        return _link(settings, await inviting.invite(email), url)


async def listed(settings: Settings) -> tuple[Agent, ...]:
    """Return every agent by e-mail address."""
    async with _existing(settings) as inviting:
        return await inviting.store.agents()


async def disable(settings: Settings, email: str) -> Agent:
    """Shut an agent out at once, wherever it is signed in."""
    async with _existing(settings) as inviting:
        return await inviting.disable(email)


async def enable(settings: Settings, email: str) -> Agent:
    """Let a disabled agent in again."""
    async with _existing(settings) as inviting:
        return await inviting.enable(email)


def to_json(agents: Sequence[Agent]) -> Mapping[str, object]:
    """Return the agents as `agents list --json` prints them."""
    return {"agents": [_to_row(agent) for agent in agents]}


def to_link_json(link: Link) -> Mapping[str, object]:
    """Return a link as `agents add --json` and `agents invite --json` print it."""
    return {**_to_row(link.agent), "url": link.url, "expires_ms": link.expires_ms}


def show(agents: Sequence[Agent], console: Console) -> None:
    """Print the agents for a person."""
    if not agents:
        console.print("There are no agents yet: python -m bot agents add EMAIL --name NAME")
        return
    table = titled("Agents")
    for heading in ("e-mail address", "name", "role", "since", "may sign in"):
        table.add_column(heading)
    for agent in agents:
        since = datetime.fromtimestamp(agent.created_ms / 1000, tz=UTC).date().isoformat()
        table.add_row(isolated(agent.email), isolated(agent.name), agent.role, since, _may_sign_in(agent))
    console.print(table)


def show_link(link: Link, console: Console) -> None:
    """Print a link so that it can be copied whole, and what to do with it."""
    until = datetime.fromtimestamp(link.expires_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
    console.print(isolated(f"{link.agent.name} <{link.agent.email}>, {link.agent.role}"))
    console.print("Send this link to nobody else; it sets the password, works once, and until", until)
    console.print(isolated(link.url), soft_wrap=True)
    if link.only_here:
        console.print("It works on this machine only: name the address agents use with --url or PUBLIC_URL.")


@asynccontextmanager
async def _existing(settings: Settings) -> AsyncIterator[Inviting]:
    require_data(settings)
    async with _opened(settings) as inviting:
        yield inviting


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Inviting]:
    async with opened_stores(settings) as stores:
        yield Inviting(store=stores.accounts, clock=SystemClock())


def _link(settings: Settings, invited: Invited, url: str | None) -> Link:
    public = url or settings.public_url
    address = public or f"http://{_reachable(settings.host)}:{settings.port}"
    return Link(
        agent=invited.agent,
        # Behind the # nothing is sent to a server, so no log on the way has it.
        url=f"{address.rstrip('/')}/console/join#{invited.secret}",
        expires_ms=invited.expires_ms,
        only_here=public is None,
    )


def _reachable(host: str) -> str:
    """Return where a browser on this machine finds a service that listens on *host*."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return "127.0.0.1"
    return f"[{host}]" if address.version == 6 else host


def _to_row(agent: Agent) -> Mapping[str, object]:
    return {
        "id": agent.id,
        "email": agent.email,
        "name": agent.name,
        "role": agent.role,
        "created_ms": agent.created_ms,
        "disabled_ms": agent.disabled_ms,
        "has_password": agent.password_hash is not None,
    }


def _may_sign_in(agent: Agent) -> str:
    if agent.disabled_ms is not None:
        return "no, disabled"
    return "yes" if agent.password_hash is not None else "once the password is set"
