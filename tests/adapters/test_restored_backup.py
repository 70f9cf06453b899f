"""A file that was put back from last night's backup: whoever has seen more starts over, and nothing is told under another name."""

import sqlite3
from contextlib import closing, contextmanager

from bot.adapters.memory.clock import ManualClock
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.channels.widget.feed import resumed
from bot.channels.widget.standing import Standings
from bot.core.outbox import EVERYTHING
from bot.service.customer import CustomerService
from bot.service.live import LiveHub
from tests.builders import a_handoff
from tests.contract.scene import Scene


class NoTurns:
    """Starts nothing: these customers are with an agent."""

    def start(self, conversation):
        raise AssertionError(f"a turn was started in {conversation}")

    def drop(self, conversation):
        raise AssertionError(f"a turn was dropped in {conversation}")


@contextmanager
def opened(path):
    database = SqliteDatabase.open(path)
    with closing(database):
        store = SqliteConversationStore(database, told=EVERYTHING)
        marks = SqliteDeskStore(database)
        yield (
            store,
            CustomerService(store=store, turns=NoTurns(), clock=ManualClock(), live=LiveHub(), marks=marks),
        )


def back_up(path, to):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM INTO ?", (str(to),))


async def keys_to_tell(store) -> list[str]:
    return [row.key for row in await store.outbox(limit=99)]


async def last_night(path, to) -> tuple[Scene, list[str]]:
    """Hand a conversation over and back the file up before anybody was told."""
    with opened(path) as (store, _):
        scene = await Scene.open(store)
        await scene.bot_hands_over(a_handoff())
        waiting = await keys_to_tell(store)
        back_up(path, to)
        for key in waiting:
            await store.delivered(key, at_ms=1)
        await scene.agent_claims()
        await scene.agent_replies(id="r1")
        return scene, waiting


async def test_after_a_restore_customers_start_over_and_the_outside_hears_under_the_same_keys(tmp_path):
    """FAULTS R-D8."""
    backup = tmp_path / "backup.db"
    scene, waiting = await last_night(tmp_path / "candor.db", backup)

    with opened(backup) as (store, customers):
        shown = await resumed(customers, Standings(), scene.id, after=3)
        again = await keys_to_tell(store)

    assert (shown.reset, [m.seq for m in shown.snapshot.messages]) == (True, [1, 2])
    assert again == waiting


async def test_what_was_written_after_the_backup_and_is_sent_again_takes_the_next_seq(tmp_path):
    """FAULTS R-D8: the widget keeps what was not acknowledged for good, and its id makes a repeat harmless."""
    backup = tmp_path / "backup.db"
    await last_night(tmp_path / "candor.db", backup)

    with opened(backup) as (store, _):
        restored = Scene(store, (await store.conversations_with_turns(since_ms=0))[0])
        first = await restored.customer_writes("are you there?", channel_message_id="late")
        again = await restored.customer_writes("are you there?", channel_message_id="late")

    assert (first.message.seq, first.duplicate) == (3, False)
    assert (again.message, again.duplicate) == (first.message, True)
