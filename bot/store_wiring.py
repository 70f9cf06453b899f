"""Opens what keeps conversations, as the settings choose: the file, or a MongoDB database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.adapters.erasure_list import NAME, ErasureList
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
from bot.adapters.sqlite.slack import SqliteSlackStore
from bot.adapters.sqlite.traffic import SqliteTraffic
from bot.core.outbox import DESK, Told
from bot.places import conversations_at, database_file
from bot.service.duties import EveryDuty
from bot.settings import Settings
from bot.stores import Stores


@asynccontextmanager
async def opened_stores(settings: Settings, *, told: Told = DESK) -> AsyncIterator[Stores]:
    """Open the stores, and close them at the end; Misconfigured says what is wrong with the file or the database.

    *told* is what somebody outside is there to be told of.
    """
    noted = ErasureList(settings.data_dir / NAME)
    if (access := conversations_at(settings)) is not None:
        from bot.mongo_wiring import opened_mongo_stores  # noqa: PLC0415 - only where it is chosen

        async with opened_mongo_stores(access, told=told, noted=noted) as stores:
            yield stores
        return
    database = SqliteDatabase.open(database_file(settings))
    try:
        yield _in_file(database, told=told, noted=noted)
    finally:
        database.close()


def _in_file(database: SqliteDatabase, *, told: Told, noted: ErasureList) -> Stores:
    return Stores(
        conversations=SqliteConversationStore(database, told=told),
        ledger=SqliteLedger(database),
        desk=SqliteDeskStore(database),
        customers=SqliteCustomerStore(database),
        ratings=SqliteRatingStore(database),
        attachments=SqliteAttachmentStore(database),
        accounts=SqliteAccountStore(database),
        erasure=SqliteErasure(database, noted=noted),
        elsewhere=SqliteElsewhere(database),
        duties=EveryDuty(),
        traffic=SqliteTraffic(database),
        slack=SqliteSlackStore(database),
    )
