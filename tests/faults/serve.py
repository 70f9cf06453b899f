"""What a child process runs: `serve` itself, with a switch between the service and everything that it waits for."""

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from bot.adapters.mongo.conversations import MongoConversationStore
from bot.logs import configure_logs
from bot.ports import Clock
from bot.settings import Settings
from bot.terminal.serving import serve
from bot.turn_wiring import Parts
from tests.faults.moments import Moment, Streaming, Switch, Watched, WatchedDatabase

WAITING, GO = "waiting", "go"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one process serves. At the moment where it waits it leaves the file `waiting`, and looks for `go`.

    When it *streams*, its answerer's blocks count as coming one after another.
    """

    settings: Settings
    log: Path
    dies_at: Moment | None = None
    waits_at: Moment | None = None
    armed_by: str | None = None
    ahead_s: int = 0
    streams: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterClock:
    """A clock that is ahead, as if the process had been started so much later."""

    real: Clock
    ahead_ms: int

    def now_ms(self) -> int:
        return self.real.now_ms() + self.ahead_ms

    def monotonic_s(self) -> float:
        return self.real.monotonic_s()

    def new_id(self) -> str:
        return self.real.new_id()


def run(plan: Plan) -> None:
    """Serve on a free port until SIGTERM; what it prints and logs goes to the plan's file."""
    log = os.open(plan.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    configure_logs("info")
    switch = Switch(
        dies_at=plan.dies_at,
        waits_at=plan.waits_at,
        waiting=plan.settings.data_dir / f"{WAITING}.{os.getpid()}",
        go=plan.settings.data_dir / GO,
        armed_by=plan.armed_by,
    )

    def wrap(parts: Parts) -> Parts:
        return replace(
            parts,
            index=Watched(parts.index, switch),
            embedder=Watched(parts.embedder, switch),
            answerer=(Streaming if plan.streams else Watched)(parts.answerer, switch),
            clock=LaterClock(real=parts.clock, ahead_ms=plan.ahead_s * 1000),
        )

    def wrap_store(store):
        if isinstance(store, MongoConversationStore):
            database = WatchedDatabase(store.database, switch)
            return Watched(MongoConversationStore(database, told=store._told), switch)
        store._database._writer.set_trace_callback(switch.statement)
        return Watched(store, switch)

    settings = plan.settings.model_copy(update={"port": 0})
    asyncio.run(serve(settings, Console(), wrap=wrap, wrap_store=wrap_store))
