"""`check`: is the installation usable."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bot.channels.health import Check, Detail
from bot.channels.slack.health import NobodyWatches
from bot.checks_wiring import check_gate, checks_of
from bot.errors import CandorError
from bot.model_ports import Answerer, Probed
from bot.settings import Settings
from bot.slack_calls_wiring import calls_of
from bot.store_wiring import opened_stores
from bot.stores import Stores
from bot.terminal.texts import isolated
from bot.turn_wiring import Parts, language, opened_parts, turn_policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One part and what it says of itself, line by line, or what is wrong with it and what to do."""

    part: str
    ok: bool
    said: tuple[str, ...]


async def check(settings: Settings) -> tuple[Checked, ...]:
    """Open every part as `serve` would and ask it; a part that cannot be opened at all is Misconfigured."""
    spoken, policy = language(), turn_policy(settings)
    async with opened_parts(settings, spoken) as parts, opened_stores(settings) as stores:
        await check_gate(parts, policy)
        checks = checks_of(settings, stores.conversations, parts).by_name()
        asked = {
            **checks,
            "answerer": lambda: _would_answer(parts.answerer),
            **_slack(settings, stores, parts),
        }
        return tuple([await _asked(part, look) for part, look in asked.items()])


async def _would_answer(answerer: Answerer) -> Detail:
    if isinstance(answerer, Probed):
        await answerer.ping()
    return {"name": answerer.name}


def _slack(settings: Settings, stores: Stores, parts: Parts) -> Mapping[str, Check]:
    """Return what asks Slack; nothing where no token is set."""
    if settings.slack_bot_token is None:
        return {}
    token = settings.slack_bot_token.get_secret_value()
    calls = calls_of(settings, token, stores.slack, parts.clock, NobodyWatches())
    return {"slack": calls.probe.look}


async def _asked(part: str, look: Check) -> Checked:
    try:
        found = await look()
    except CandorError as problem:
        return Checked(part=part, ok=False, said=(str(problem),))
    return Checked(part=part, ok=True, said=tuple(f"{name} {value}" for name, value in found.items()))


def to_json(checked: tuple[Checked, ...]) -> Mapping[str, object]:
    """Return the parts as `check --json` prints them."""
    return {
        "ok": all(one.ok for one in checked),
        "parts": {one.part: {"ok": one.ok, "said": ", ".join(one.said)} for one in checked},
    }


def show(checked: tuple[Checked, ...], console: Console) -> None:
    """Print the parts for a person."""
    table = Table(show_header=False, box=None)
    for one in checked:
        mark = "[green]ok[/green]" if one.ok else "[red]not usable[/red]"
        table.add_row(one.part.replace("_", " "), mark, isolated("\n".join(one.said)))
    console.print(table)
