"""Opens what answers questions about records: the database, and the model that plans what to ask of it. Both, or nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from bot.adapters.prompt_files import Language
from bot.model_ports import Planner
from bot.model_wiring import claude_access, surroundings
from bot.ports import Clock, ConversationStore
from bot.records_ports import Records
from bot.records_wiring import opened_records
from bot.service.own_records import OwnRecordsOnly
from bot.service.records_route import RecordsParts
from bot.settings import Settings
from bot.stores import Stores

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsSide:
    """A database of customers' own rows, and who plans what to ask of it."""

    records: Records
    planner: Planner


@asynccontextmanager
async def opened_records_side(
    settings: Settings, prompts: Path, clock: Clock
) -> AsyncIterator[RecordsSide | None]:
    """Open both; None where no records are named, or no model that could plan. Misconfigured."""
    if settings.records_url is None or settings.anthropic_api_key is None:
        yield None
        return
    async with opened_records(settings) as records, _opened_planner(settings, prompts, clock) as planner:
        yield None if records is None else RecordsSide(records=records, planner=planner)


@asynccontextmanager
async def _opened_planner(settings: Settings, prompts: Path, clock: Clock) -> AsyncIterator[Planner]:
    from bot.adapters.claude.records import ClaudePlanner, load_records_prompts  # noqa: PLC0415 - takes seconds
    from bot.adapters.claude.tool_calls import opened_tool_caller  # noqa: PLC0415

    access, loaded = claude_access(settings), load_records_prompts(prompts)
    async with opened_tool_caller(access, surroundings(clock)) as caller:
        yield ClaudePlanner(caller=caller, prompts=loaded, max_tokens=access.max_tokens)


def route_parts(
    side: RecordsSide | None,
    spoken: Language,
    *,
    store: ConversationStore | None = None,
    stores: Stores | None = None,
) -> RecordsParts | None:
    """Return what the records route waits for. Without what is kept of customers everybody is unknown to it."""
    if side is None:
        return None
    customers = None if stores is None else stores.customers
    return RecordsParts(
        records=OwnRecordsOnly(records=side.records, store=store, customers=customers),
        planner=side.planner,
        replies=spoken.replies,
    )
