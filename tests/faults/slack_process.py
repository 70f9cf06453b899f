"""What a child process runs to hear Slack: the real routes, receiver and file, and a listener that stores what was said."""

import asyncio
import os
import random
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import structlog
from aiohttp import web

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.adapters.system_clock import SystemClock
from bot.channels.slack.health import SlackHealth
from bot.channels.slack.keys import payload_of
from bot.channels.slack.receiving import Receiver
from bot.channels.slack.routes import SlackDoor
from bot.channels.web import answer_in_json, serving
from bot.core.conversation import Channel, ConversationId
from bot.core.inbound import CustomerMessage
from bot.core.slack_rows import InboxRow
from bot.logs import configure_logs
from bot.ports import Clock, ConversationStore
from tests.faults.moments import Moment, Switch, Watched
from tests.faults.processes import FORKING, Service
from tests.faults.serve import LaterClock

CONVERSATION = ConversationId("conversation-in-slack")
SECRET = "a secret that Slack and we know"  # noqa: S105 - a test's own


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackPlan:
    """How one process hears: it dies at its moment once the row with the key *armed_by* comes in."""

    file: Path
    log: Path
    dies_at: Moment | None
    armed_by: str
    ahead_s: int


class InboxSwitch(Switch):
    """A switch that a row of the inbox arms."""

    async def call(self, name: str, real, *arguments, **named):
        if name == "keep" and arguments[0].key == self._armed_by:
            self._armed_by = None
        return await super().call(name, real, *arguments, **named)


class Listener:
    """What the customers' listener comes to: the message is stored, once whatever happens."""

    def __init__(self, store: ConversationStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def dispatch(self, row: InboxRow) -> None:
        event = payload_of(row)["event"]
        assert isinstance(event, dict)
        message = CustomerMessage(
            conversation=CONVERSATION,
            channel=Channel.SLACK,
            channel_message_id=f"slack:T1:{event['channel']}:{event['ts']}",
            text=event["text"],
        )
        await self._store.receive(message, at_ms=self._clock.now_ms())


class SlackService(Service):
    """One such process."""

    def __init__(self, plan: SlackPlan) -> None:
        self._log = plan.log
        self._process = FORKING.Process(target=run, args=(plan,), daemon=True)
        self._process.start()


def run(plan: SlackPlan) -> None:
    """Serve on a free port until it is killed; what it logs goes to the plan's file."""
    log = os.open(plan.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    configure_logs("info")
    with closing(SqliteDatabase.open(plan.file)) as database:
        asyncio.run(_serve(plan, database))


async def _serve(plan: SlackPlan, database: SqliteDatabase) -> None:
    nowhere = plan.file.with_name("nowhere")
    switch = InboxSwitch(
        dies_at=plan.dies_at, waits_at=None, waiting=nowhere, go=nowhere, armed_by=plan.armed_by
    )
    database._writer.set_trace_callback(switch.statement)
    clock = LaterClock(real=SystemClock(), ahead_ms=plan.ahead_s * 1000)
    listener = Listener(Watched(SqliteConversationStore(database), switch), clock)
    receiver = Receiver(
        store=Watched(SqliteSlackStore(database), switch),
        dispatch=Watched(listener, switch).dispatch,
        clock=clock,
        jitter=random.random,
        alarms=SlackHealth(),
        every_s=0.05,
    )
    app = web.Application(middlewares=[answer_in_json])
    app.add_routes(SlackDoor(secret=SECRET, receiver=receiver, clock=SystemClock()).routes())
    async with serving(app, host="127.0.0.1", port=0) as address:
        structlog.get_logger().info("serving", address=address)
        await receiver.run_forever()
