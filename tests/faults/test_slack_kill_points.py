"""Kill -9 at each named point between the receipt of an event and the end of the work on it (FAULTS SL2, R-S7).

Slack sends again what was not acknowledged, and nothing else: in the end each message is stored, once. Each process but the first
repairs what the kill before it left.
"""

import json
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.channels.slack.signing import signed
from bot.core.conversation import Channel, Conversation
from tests.channels.slack.payloads_sent import a_message, an_event
from tests.faults.moments import Moment, around, inside
from tests.faults.slack_process import CONVERSATION, SECRET, SlackPlan, SlackService
from tests.waiting import wait_until

KILLED = -9
REST_S = 60  # after so long what a dead process kept is everybody's

KEEPING = [
    Moment(name="before keep"),
    *inside("keep", "BEGIN", "INSERT INTO slack_inbox", "COMMIT"),
    Moment(name="after keep"),
]
NOT_KEPT = KEEPING[:-1]
WORKING = [
    *around("dispatch"),
    *inside("receive", "INSERT INTO messages", "COMMIT"),
    *inside("done", "UPDATE slack_inbox", "COMMIT"),
    Moment(name="after done"),
]


class Workspace:
    """Slack over one file and its processes: what was not acknowledged is sent again to the next."""

    def __init__(self, folder: Path, http: aiohttp.ClientSession) -> None:
        self.file = folder / "candor.db"
        self.http = http
        self.processes: list[SlackService] = []
        self.unacknowledged: list[bytes] = []
        self.sent = 0

    async def start(self, dies_at: Moment | None) -> str:
        """Start the next process, let it repair what was left, and return its address."""
        number = len(self.processes)
        plan = SlackPlan(
            file=self.file,
            log=self.file.with_name(f"{number}.log"),
            dies_at=dies_at,
            armed_by=f"T1:Ev{self.sent + 1}",
            ahead_s=number * REST_S,
        )
        self.processes.append(SlackService(plan))
        address = await self.processes[-1].address()
        for body in self.unacknowledged:
            assert await self.post(address, body)
        self.unacknowledged.clear()
        await wait_until(self.all_is_done, deadline_s=30)
        return address

    async def says(self, address: str) -> None:
        """Send the next event; when it is not acknowledged it is sent again later."""
        self.sent += 1
        event = a_message(ts=f"{self.sent}.1", text=f"Question {self.sent}")
        body = json.dumps(an_event(event, event_id=f"Ev{self.sent}")).encode()
        if not await self.post(address, body):
            self.unacknowledged.append(body)

    async def post(self, address: str, body: bytes) -> bool:
        at_s = str(int(time.time()))
        headers = {
            "X-Slack-Request-Timestamp": at_s,
            "X-Slack-Signature": signed(body, secret=SECRET, timestamp=at_s),
        }
        try:
            async with self.http.post(f"{address}/slack/events", data=body, headers=headers) as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    def all_is_done(self) -> bool:
        """Whether every event that was sent is in the inbox, worked on, and stored once."""
        with closing(sqlite3.connect(self.file)) as connection:
            done = connection.execute("SELECT count(*) FROM slack_inbox WHERE done_ms IS NOT NULL").fetchone()
            left = connection.execute("SELECT count(*) FROM slack_inbox WHERE done_ms IS NULL").fetchone()
            stored = connection.execute("SELECT text FROM messages ORDER BY text").fetchall()
        expected = sorted(f"Question {number}" for number in range(1, self.sent + 1))
        assert len(stored) <= len(expected)
        return (done[0], left[0], [text for (text,) in stored]) == (self.sent, 0, expected)


@pytest.fixture
async def workspace(tmp_path: Path, http: aiohttp.ClientSession) -> AsyncIterator[Workspace]:
    workspace = Workspace(tmp_path, http)
    with closing(SqliteDatabase.open(workspace.file)) as database:
        await SqliteConversationStore(database).open_conversation(
            Conversation(id=CONVERSATION, channel=Channel.SLACK, locale="en")
        )
    yield workspace
    for process in workspace.processes:
        await process.kill()


@pytest.mark.timeout(300)
async def test_an_event_is_worked_on_once_whenever_the_process_was_killed(workspace):
    for moment in (*KEEPING, *WORKING):
        address = await workspace.start(dies_at=moment)
        await workspace.says(address)
        assert await workspace.processes[-1].exit_code() == KILLED, f"{moment} never came"
        assert workspace.unacknowledged or moment not in NOT_KEPT, f"acknowledged {moment}, and not kept"

    await workspace.start(dies_at=None)
