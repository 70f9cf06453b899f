"""What another process wrote to the file is found out, and what this one wrote itself wakes nobody."""

import pytest

from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.elsewhere import SqliteElsewhere
from tests.builders import CONVERSATION, a_conversation, a_customer_message

OTHER = "c2"


@pytest.fixture
def here(tmp_path):
    database = SqliteDatabase.open(tmp_path / "candor.sqlite3")
    yield database
    database.close()


@pytest.fixture
def there(tmp_path, here):
    database = SqliteDatabase.open(tmp_path / "candor.sqlite3")
    yield database
    database.close()


async def _written(database: SqliteDatabase, conversation: str, *, message_id: str = "m1") -> None:
    store = SqliteConversationStore(database)
    await store.open_conversation(a_conversation(id=conversation))
    message = a_customer_message(conversation=conversation, channel_message_id=message_id)
    await store.receive(message, at_ms=1_000)


async def test_only_conversations_that_others_wrote_to_are_told_and_once(here, there):
    await _written(here, OTHER)
    elsewhere = SqliteElsewhere(here)
    first = await elsewhere.changed()

    await _written(there, CONVERSATION)

    looks = [first, await elsewhere.changed(), await elsewhere.changed()]
    assert looks == [frozenset(), {CONVERSATION}, frozenset()]


async def test_what_this_process_wrote_itself_is_not_told(here, there):
    elsewhere = SqliteElsewhere(here)
    await elsewhere.changed()

    await _written(here, CONVERSATION)

    assert await elsewhere.changed() == frozenset()


async def test_a_file_that_was_packed_anew_is_followed_on(here, there):
    elsewhere = SqliteElsewhere(here)
    await _written(there, CONVERSATION)
    await elsewhere.changed()

    await there.maintain(lambda connection: connection.execute("VACUUM"))
    await elsewhere.changed()
    await _written(there, CONVERSATION, message_id="m2")

    assert await elsewhere.changed() == frozenset({CONVERSATION})
