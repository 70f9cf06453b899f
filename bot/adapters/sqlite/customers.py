"""The customer store on SQLite. Each method is one transaction, so that of two that come at once the second sees the first."""

import sqlite3
from collections.abc import Iterable

from bot.adapters.sqlite.conversation_reads import conversation_state
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.rows import to_conversation
from bot.core.conversation import Conversation, ConversationId
from bot.core.customers import Customer, Page, Profile, Subject, first_profile, latest_open

_SAVE = """
INSERT OR REPLACE INTO customers
    (conversation, subject, name, email, page_url, page_title, identity_ms, token_epoch)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_OF_SUBJECT = """
SELECT c.* FROM customers AS u JOIN conversations AS c ON c.id = u.conversation
WHERE u.subject = ? ORDER BY c.created_ms DESC, c.rowid DESC
"""
_SIGN_OUT = """
INSERT INTO sign_outs (subject, at_ms) VALUES (?, ?)
ON CONFLICT (subject) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)
"""


class SqliteCustomerStore:
    """The customers' side of the file that the conversations are in, which several processes may share."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    async def profile(self, conversation: ConversationId) -> Profile:
        return await self._database.read(lambda c: profile(c, conversation))

    async def save_profile(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> None:
        await self._database.write(
            lambda c: _save_profile(c, conversation, customer, page, identity_ms=identity_ms)
        )

    async def settle(
        self,
        conversation: ConversationId,
        customer: Customer,
        page: Page | None = None,
        *,
        identity_ms: int = 0,
    ) -> ConversationId:
        return await self._database.write(
            lambda c: _settle(c, conversation, customer, page, identity_ms=identity_ms)
        )

    async def conversations_of(self, subject: Subject) -> tuple[Conversation, ...]:
        return await self._database.read(lambda c: _conversations_of(c, subject))

    async def sign_out(self, conversation: ConversationId, *, at_ms: int) -> tuple[ConversationId, ...]:
        return await self._database.write(lambda c: _sign_out(c, conversation, at_ms))

    async def signed_out_ms(self, subject: Subject) -> int:
        return await self._database.read(lambda c: _signed_out_ms(c, subject))


def profile(connection: sqlite3.Connection, conversation: ConversationId) -> Profile:
    """Return what is known of a conversation's customer, inside the caller's transaction."""
    conversation_state(connection, conversation)
    return found_profile(connection, conversation) or Profile()


def to_customer(row: sqlite3.Row) -> Customer:
    """Read a customer; a conversation that is joined with none has nobody who is known."""
    subject = row["subject"]
    return Customer(
        subject=None if subject is None else Subject(subject), name=row["name"], email=row["email"]
    )


def found_profile(connection: sqlite3.Connection, conversation: ConversationId) -> Profile | None:
    """Return what is known of a customer; None where nothing was ever told."""
    row = connection.execute("SELECT * FROM customers WHERE conversation = ?", (conversation,)).fetchone()
    if row is None:
        return None
    page = None if row["page_url"] is None else Page(url=row["page_url"], title=row["page_title"])
    return Profile(
        customer=to_customer(row), page=page, identity_ms=row["identity_ms"], token_epoch=row["token_epoch"]
    )


def _save_profile(
    connection: sqlite3.Connection,
    conversation: ConversationId,
    customer: Customer,
    page: Page | None,
    *,
    identity_ms: int,
) -> None:
    last_seq = conversation_state(connection, conversation).last_seq
    before = found_profile(connection, conversation)
    if before is None:
        new = first_profile(customer, page, identity_ms=identity_ms, last_seq=last_seq)
    else:
        new = before.renewed(customer, page, identity_ms=identity_ms)
    _write(connection, conversation, new)


def _settle(
    connection: sqlite3.Connection,
    conversation: ConversationId,
    customer: Customer,
    page: Page | None,
    *,
    identity_ms: int,
) -> ConversationId:
    theirs = () if customer.subject is None else _conversations_of(connection, customer.subject)
    chosen = latest_open(theirs) or conversation
    _save_profile(connection, chosen, customer, page, identity_ms=identity_ms)
    return chosen


def _write(connection: sqlite3.Connection, conversation: ConversationId, new: Profile) -> None:
    customer, page = new.customer, new.page
    url, title = (None, None) if page is None else (page.url, page.title)
    connection.execute(
        _SAVE,
        (
            conversation, customer.subject, customer.name, customer.email, url, title, new.identity_ms, new.token_epoch,
        ),
    )  # fmt: skip


def _conversations_of(connection: sqlite3.Connection, subject: Subject) -> tuple[Conversation, ...]:
    rows: Iterable[sqlite3.Row] = connection.execute(_OF_SUBJECT, (subject,))
    return tuple(map(to_conversation, rows))


def _sign_out(
    connection: sqlite3.Connection, conversation: ConversationId, at_ms: int
) -> tuple[ConversationId, ...]:
    subject = profile(connection, conversation).customer.subject
    if subject is None:
        _void(connection, (conversation,))
        return (conversation,)
    theirs = tuple(state.id for state in _conversations_of(connection, subject))
    signed_ms = (profile.identity_ms for profile in _void(connection, theirs))
    connection.execute(_SIGN_OUT, (subject, max(at_ms, *signed_ms)))
    return theirs


def _void(connection: sqlite3.Connection, conversations: Iterable[ConversationId]) -> list[Profile]:
    voided = {one: (found_profile(connection, one) or Profile()).signed_out() for one in conversations}
    for conversation, signed_out in voided.items():
        _write(connection, conversation, signed_out)
    return list(voided.values())


def _signed_out_ms(connection: sqlite3.Connection, subject: Subject) -> int:
    row = connection.execute("SELECT at_ms FROM sign_outs WHERE subject = ?", (subject,)).fetchone()
    return 0 if row is None else int(row["at_ms"])
