"""`serve`: the service until it is told to stop."""

import asyncio
import signal
from collections.abc import Mapping

import structlog
from aiohttp import web
from rich.console import Console
from rich.table import Table

from bot.channels.alarms import accept_alarm
from bot.channels.web import serving
from bot.checks_wiring import checks_of
from bot.core.caps import allowed
from bot.core.knowledge import IndexState, IndexStatus
from bot.places import articles_at, articles_named, conversations_at, store_named
from bot.service_wiring import Candor
from bot.settings import Settings
from bot.terminal.choosing import records_chosen, slack_chosen
from bot.terminal.process import allow_many_sockets, settle_memory
from bot.terminal.texts import isolated
from bot.turn_wiring import Wrap, unwrapped
from bot.wiring import WrapStore, opened, unwrapped_store

log = structlog.get_logger()

UNUSABLE = "NOT USABLE"


async def serve(
    settings: Settings, console: Console, *, wrap: Wrap = unwrapped, wrap_store: WrapStore = unwrapped_store
) -> None:
    """Serve until SIGTERM or SIGINT, then let running turns finish; Misconfigured when it cannot start."""
    stop = _stopped_by_signals()
    allow_many_sockets()
    async with (
        opened(settings, wrap=wrap, wrap_store=wrap_store) as candor,
        serving(candor.web, host=settings.host, port=settings.port) as address,
    ):
        with accept_alarm(candor.guards.observer.server.accept_failed):
            await candor.guards.try_key(candor.parts)
            _warn_of_own_secret(settings)
            settle_memory()
            announce(address, await _choices(settings, candor), console)
            await stop.wait()
            log.info("stopping")


async def try_address(settings: Settings) -> None:
    """Take the address and give it back; Misconfigured when it cannot be had."""
    async with serving(web.Application(), host=settings.host, port=settings.port):
        pass


def announce(address: str, choices: Mapping[str, str], console: Console) -> None:
    """Say where the service is and what was chosen: in a table for a person at a terminal, else in the log."""
    if console.is_terminal:
        log.info("serving", address=address)
        console.print(_banner(address, choices))
    else:
        log.info("serving", address=address, **choices)


def _warn_of_own_secret(settings: Settings) -> None:
    """Processes on other machines would refuse the tokens that this one signs."""
    if conversations_at(settings) is not None and settings.secret_key is None:
        log.warning("secret_key_is_this_machines_own", remedy="set SECRET_KEY, the same for every process")


def _stopped_by_signals() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


async def _choices(settings: Settings, candor: Candor) -> dict[str, str]:
    """Say what was chosen, and why, in words."""
    status = await candor.parts.index.status()
    return {
        "data": str(settings.data_dir),
        "store": store_named(settings),
        **({} if articles_at(settings) is None else {"knowledge base": articles_named(settings)}),
        "embedder": _embedder(settings, candor),
        "answers": _answers(settings, candor),
        "records": records_chosen(settings),
        "slack": slack_chosen(settings),
        "articles": _indexed(status),
        "gate": await _gate(settings, candor),
        "caps": allowed(candor.guards.metering.caps),
    }


def _embedder(settings: Settings, candor: Candor) -> str:
    fingerprint = candor.parts.embedder.fingerprint
    if settings.voyage_api_key is None:
        return f"{fingerprint.model} on this machine (VOYAGE_API_KEY is not set)"
    return f"{fingerprint.provider}/{settings.voyage_model} at {settings.voyage_base_url}: the key is tried by the first question"


def _answers(settings: Settings, candor: Candor) -> str:
    name = candor.parts.answerer.name
    if trouble := candor.guards.answerer.trouble:
        return f"{UNUSABLE}: {name}: {trouble}. Until then every question goes to a person"
    if settings.anthropic_api_key is None:
        return f"{name}: quotes from articles (ANTHROPIC_API_KEY is not set)"
    return f"{name} at {settings.anthropic_base_url}: written from articles"


def _indexed(status: IndexStatus) -> str:
    if status.state is not IndexState.READY:
        return f"{status.state}: {status.detail}"
    return f"{status.articles:,} articles in {status.passages:,} passages"


async def _gate(settings: Settings, candor: Candor) -> str:
    checks = checks_of(settings, candor.store, candor.parts)
    try:
        found = await checks.gate_is_calibrated()
    except Exception as problem:  # noqa: BLE001 - a banner reports a broken part, it does not stop the service
        return str(problem)
    return f"answers from cosine {found['threshold']:.2f} up"


def _banner(address: str, choices: Mapping[str, str]) -> Table:
    table = Table(title=f"Candor answers at {address}", title_justify="left", show_header=False, box=None)
    for name, choice in choices.items():
        style = "bold red" if choice.startswith(UNUSABLE) else None
        table.add_row(f"[bold]{name}[/bold]", isolated(choice), style=style)
    table.add_row("[bold]stop[/bold]", "Ctrl-C")
    return table
