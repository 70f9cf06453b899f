"""What one conversation has in each table, and what belongs to none, in the order in which it came about."""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from bot.adapters.sqlite.accounts import to_agent, to_session
from bot.adapters.sqlite.ratings import to_rating
from bot.core.accounts import Agent, Invitation, Session
from bot.core.attachments import Attachment, MediaType
from bot.core.audit import AuditRow
from bot.core.belongings import KeptAnnouncement, KeptInboxRow, KeptSpending, KeptTurn, UnsentReply
from bot.core.conversation import AgentId, ConversationId, TurnId
from bot.core.customers import Subject
from bot.core.desk import ReadMarks
from bot.core.erasure import Erased
from bot.core.handoffs import HandoffRow
from bot.core.ratings import Rating
from bot.core.slack_rows import SlackPerson
from bot.stored_rows import to_audit, to_handoff, to_outbox
from bot.stored_slack import to_kept_inbox, to_person

T = TypeVar("T")
_AUDIT_OF_ERASED = """
SELECT * FROM audit WHERE conversation NOT IN (SELECT id FROM conversations) ORDER BY conversation, number
"""


def turns(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[KeptTurn, ...]:
    return _of(
        connection, conversation, "SELECT * FROM turns WHERE conversation = ? ORDER BY number", _to_turn
    )


def handoffs(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[HandoffRow, ...]:
    asked = "SELECT * FROM handoffs WHERE conversation = ? ORDER BY number"
    return _of(connection, conversation, asked, to_handoff)


def audit(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[AuditRow, ...]:
    return _of(
        connection, conversation, "SELECT * FROM audit WHERE conversation = ? ORDER BY number", to_audit
    )


def outbox(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[KeptAnnouncement, ...]:
    asked = "SELECT * FROM outbox WHERE conversation = ? ORDER BY number"
    return _of(
        connection,
        conversation,
        asked,
        lambda row: KeptAnnouncement(row=to_outbox(row), delivered_ms=row["delivered_ms"]),
    )


def unsent_replies(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[UnsentReply, ...]:
    asked = "SELECT * FROM unsent_replies WHERE conversation = ? ORDER BY agent"
    return _of(
        connection,
        conversation,
        asked,
        lambda row: UnsentReply(agent=AgentId(row["agent"]), text=row["text"], at_ms=row["at_ms"]),
    )


def read_marks(connection: sqlite3.Connection, conversation: ConversationId) -> ReadMarks | None:
    asked = "SELECT * FROM read_marks WHERE conversation = ?"
    found = _of(
        connection,
        conversation,
        asked,
        lambda row: ReadMarks(customer=row["customer"], agent=row["agent"]),
    )
    return found[0] if found else None


def ratings(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Rating, ...]:
    asked = "SELECT * FROM ratings WHERE conversation = ? ORDER BY number"
    return _of(connection, conversation, asked, to_rating)


def attachments(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[Attachment, ...]:
    asked = "SELECT * FROM attachments WHERE conversation = ? ORDER BY rowid"
    return _of(connection, conversation, asked, _to_attachment)


def spending(connection: sqlite3.Connection, conversation: ConversationId) -> tuple[KeptSpending, ...]:
    asked = "SELECT * FROM spending WHERE conversation = ? ORDER BY turn"
    return _of(connection, conversation, asked, _to_spending)


def agents(connection: sqlite3.Connection) -> tuple[Agent, ...]:
    return tuple(map(to_agent, connection.execute("SELECT * FROM agents ORDER BY id")))


def invitations(connection: sqlite3.Connection) -> tuple[Invitation, ...]:
    found = connection.execute("SELECT digest, agent, expires_ms FROM invitations ORDER BY agent")
    return tuple(Invitation(**dict(row)) for row in found)


def sessions(connection: sqlite3.Connection) -> tuple[Session, ...]:
    return tuple(map(to_session, connection.execute("SELECT * FROM sessions ORDER BY digest")))


def sign_outs(connection: sqlite3.Connection) -> tuple[tuple[Subject, int], ...]:
    found = connection.execute("SELECT subject, at_ms FROM sign_outs ORDER BY subject")
    return tuple((Subject(row["subject"]), row["at_ms"]) for row in found)


def erased(connection: sqlite3.Connection) -> tuple[Erased, ...]:
    found = connection.execute("SELECT number, conversation, at_ms FROM erased ORDER BY number")
    return tuple(Erased(**dict(row)) for row in found)


def slack_people(connection: sqlite3.Connection) -> tuple[SlackPerson, ...]:
    return tuple(map(to_person, connection.execute("SELECT * FROM slack_people ORDER BY team, user")))


def slack_inbox(connection: sqlite3.Connection) -> tuple[KeptInboxRow, ...]:
    return tuple(map(to_kept_inbox, connection.execute("SELECT * FROM slack_inbox ORDER BY key")))


def audit_of_erased(connection: sqlite3.Connection) -> tuple[AuditRow, ...]:
    return tuple(map(to_audit, connection.execute(_AUDIT_OF_ERASED)))


def _of(
    connection: sqlite3.Connection, conversation: ConversationId, asked: str, read: Callable[[sqlite3.Row], T]
) -> tuple[T, ...]:
    return tuple(read(row) for row in connection.execute(asked, (conversation,)))


def _to_turn(row: sqlite3.Row) -> KeptTurn:
    return KeptTurn(
        id=TurnId(row["id"]),
        settled_ms=row["settled_ms"],
        outcome=row["outcome"],
        reason=row["reason"],
        record=row["record"],
        reduced=bool(row["reduced"]),
    )


def _to_attachment(row: sqlite3.Row) -> Attachment:
    return Attachment(
        message_id=row["message_id"],
        media_type=MediaType(row["media_type"]),
        content=row["content"],
        at_ms=row["at_ms"],
    )


def _to_spending(row: sqlite3.Row) -> KeptSpending:
    return KeptSpending(
        turn=TurnId(row["turn"]), at_ms=row["at_ms"], tokens=row["tokens"], micro_usd=row["micro_usd"]
    )
