"""Opens what keeps conversations, as the settings choose; this version has SQLite."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.adapters.sqlite.accounts import SqliteAccountStore
from bot.adapters.sqlite.attachments import SqliteAttachmentStore
from bot.adapters.sqlite.conversations import SqliteConversationStore
from bot.adapters.sqlite.customers import SqliteCustomerStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.desk import SqliteDeskStore
from bot.adapters.sqlite.elsewhere import SqliteElsewhere
from bot.adapters.sqlite.erasure import SqliteErasure
from bot.adapters.sqlite.ledger import SqliteLedger
from bot.adapters.sqlite.ratings import SqliteRatingStore
from bot.adapters.sqlite.traffic import SqliteTraffic
from bot.core.outbox import DESK, Told
from bot.customer_ports import AttachmentStore, CustomerStore, RatingStore
from bot.desk_ports import AccountStore, DeskStore
from bot.knowledge_wiring import database_file
from bot.ports import ConversationStore, Elsewhere, Ledger
from bot.privacy_ports import Erasure
from bot.settings import Settings
from bot.traffic_ports import TrafficReads


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """What is kept: conversations, what their drafts used, what agents read and write beside them, the customers, and the agents."""

    conversations: ConversationStore
    ledger: Ledger
    desk: DeskStore
    customers: CustomerStore
    ratings: RatingStore
    attachments: AttachmentStore
    accounts: AccountStore
    erasure: Erasure
    elsewhere: Elsewhere
    traffic: TrafficReads


@contextmanager
def opened_stores(settings: Settings, *, told: Told = DESK) -> Iterator[Stores]:
    """Open the stores, and close them at the end; Misconfigured says what is wrong with its file.

    *told* is what somebody outside is there to be told of.
    """
    database = SqliteDatabase.open(database_file(settings))
    try:
        yield Stores(
            conversations=SqliteConversationStore(database, told=told),
            ledger=SqliteLedger(database),
            desk=SqliteDeskStore(database),
            customers=SqliteCustomerStore(database),
            ratings=SqliteRatingStore(database),
            attachments=SqliteAttachmentStore(database),
            accounts=SqliteAccountStore(database),
            erasure=SqliteErasure(database),
            elsewhere=SqliteElsewhere(database),
            traffic=SqliteTraffic(database),
        )
    finally:
        database.close()
