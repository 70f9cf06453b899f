"""Takes everything out of a data file that is only read, conversation by conversation, as it was at one moment."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from bot.adapters.sqlite import schema
from bot.adapters.sqlite import taking_out_rows as rows
from bot.adapters.sqlite.conversation_reads import conversation_state, messages_after, shown_draft
from bot.adapters.sqlite.customers import found_profile
from bot.adapters.sqlite.desk_marks import canned_replies, marks
from bot.adapters.sqlite.failures import meaning
from bot.adapters.sqlite.notes import notes
from bot.adapters.sqlite.slack import posts, threads
from bot.core.belongings import Belongings, Household
from bot.core.conversation import ConversationId
from bot.errors import Misconfigured


@contextmanager
def opened_to_read(path: Path) -> Iterator["SqliteContents"]:
    """Open a file without writing to it; Misconfigured when it is none of this version."""
    if not path.is_file():
        raise Misconfigured(f"{path}: there is no data file")
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error as exc:
        raise Misconfigured(f"{path}: {meaning(exc)}.") from exc
    try:
        connection.row_factory = sqlite3.Row
        _require_ours(connection, path)
        connection.execute("BEGIN")
        yield SqliteContents(connection)
    except sqlite3.Error as exc:
        raise Misconfigured(f"{path}: {meaning(exc)}.") from exc
    finally:
        connection.close()


class SqliteContents:
    """What a file holds. Everything is read within one transaction of its opener."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def conversations(self) -> tuple[ConversationId, ...]:
        """Return the ids, in order."""
        found = self.connection.execute("SELECT id FROM conversations ORDER BY id")
        return tuple(ConversationId(row["id"]) for row in found)

    def belongings(self, conversation: ConversationId) -> Belongings:
        """Return one conversation whole; ConversationUnknown."""
        connection = self.connection
        return Belongings(
            state=conversation_state(connection, conversation),
            draft=shown_draft(connection, conversation),
            profile=found_profile(connection, conversation),
            messages=messages_after(connection, conversation, seq=0),
            turns=rows.turns(connection, conversation),
            handoffs=rows.handoffs(connection, conversation),
            audit=rows.audit(connection, conversation),
            outbox=rows.outbox(connection, conversation),
            notes=notes(connection, conversation),
            marks=marks(connection, conversation),
            unsent_replies=rows.unsent_replies(connection, conversation),
            read_marks=rows.read_marks(connection, conversation),
            ratings=rows.ratings(connection, conversation),
            attachments=rows.attachments(connection, conversation),
            spending=rows.spending(connection, conversation),
            slack_threads=threads(connection, conversation),
            slack_posts=posts(connection, conversation),
        )

    def household(self) -> Household:
        """Return what belongs to no conversation."""
        connection = self.connection
        return Household(
            agents=rows.agents(connection),
            invitations=rows.invitations(connection),
            sessions=rows.sessions(connection),
            canned_replies=tuple(sorted(canned_replies(connection), key=lambda one: one.id)),
            sign_outs=rows.sign_outs(connection),
            erased=rows.erased(connection),
            audit=rows.audit_of_erased(connection),
            slack_people=rows.slack_people(connection),
            slack_inbox=rows.slack_inbox(connection),
        )


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    version = schema.version_of(connection)
    if version != schema.VERSION:
        raise Misconfigured(
            f"{path}: its schema version is {version} and this program's is {schema.VERSION}; bring it there first: "
            f"`CANDOR_DATA_DIR={path.parent} python -m bot migrate`, without MONGODB_URI"
        )
