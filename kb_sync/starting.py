"""What the command line asks for, put together out of the settings: the source, the knowledge side, the job and its pings."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bot.adapters.system_clock import SystemClock
from bot.knowledge_wiring import Knowledge, opened_knowledge
from bot.places import articles_at, database_file
from bot.settings import Settings
from kb_sync.change import Allowed
from kb_sync.job import KnowledgeSync, SyncSetup
from kb_sync.locking import lease_of_this_process
from kb_sync.pings import opened_pings
from kb_sync.priority import give_way
from kb_sync.questions import read_questions
from kb_sync.rollback import roll_back
from kb_sync.runs import Request, Runs, show_rollback
from kb_sync.sources.opening import SourceAccess, source_of
from kb_sync.telling import tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The command line as it was typed; without a source the settings name one. `interval_s` is None for a single run."""

    source: str | None
    is_dry_run: bool
    as_json: bool
    allowed: Allowed
    interval_s: int | None


async def sync_now(options: Options, settings: Settings) -> int:
    """Sync as *options* say and return the exit code; CandorError when it could not be begun."""
    with _place(settings, is_dry_run=options.is_dry_run) as place:
        return await _sync(options, place)


async def roll_back_now(settings: Settings, *, as_json: bool) -> int:
    """Go back to the generation before and return the exit code."""
    async with opened_knowledge(settings) as knowledge:
        fingerprint = str(knowledge.embedder.fingerprint)
        done = await roll_back(
            knowledge.writer, SystemClock(), lease_of_this_process(), fingerprint=fingerprint
        )
    return show_rollback(done, as_json=as_json)


@contextmanager
def _place(settings: Settings, *, is_dry_run: bool) -> Iterator[Settings]:
    """Give a dry run without a database a place of its own, so that it leaves none behind."""
    if not is_dry_run or articles_at(settings) is not None or database_file(settings).exists():
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="candor-dry-run-") as folder:
        yield settings.model_copy(update={"data_dir": Path(folder)})


async def _sync(options: Options, settings: Settings) -> int:
    request = Request(
        source=source_of(options.source or settings.kb_source or "", _access(settings)),
        allowed=replace(options.allowed, tokens=options.allowed.tokens or settings.kb_budget_tokens),
        is_dry_run=options.is_dry_run,
        as_json=options.as_json,
        interval_s=options.interval_s,
    )
    setup = SyncSetup(
        lease=lease_of_this_process(),
        golden=read_questions(settings.kb_golden) if settings.kb_golden else (),
        interval_s=options.interval_s or settings.kb_sync_every,
    )
    url = settings.kb_ping_url.get_secret_value() if settings.kb_ping_url else None
    async with (
        opened_knowledge(settings, begin_thread=give_way) as knowledge,
        opened_pings(url, tell) as pings,
    ):
        job = _job(knowledge, setup)
        if not request.is_dry_run:
            await job.ship_calibration(knowledge.shipped)
        return await Runs(job=job, request=request, pings=pings).run()


def _access(settings: Settings) -> SourceAccess:
    token = settings.zendesk_api_token
    return SourceAccess(
        zendesk_email=settings.zendesk_email, zendesk_token=token.get_secret_value() if token else None
    )


def _job(knowledge: Knowledge, setup: SyncSetup) -> KnowledgeSync:
    return KnowledgeSync(
        embedder=knowledge.embedder,
        index=knowledge.index,
        writer=knowledge.writer,
        clock=SystemClock(),
        setup=setup,
    )
