"""Opens the stores on MongoDB. Imported only where MongoDB is chosen, because its drivers take a while to import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.adapters.mongo.accounts import MongoAccountStore
from bot.adapters.mongo.attachments import MongoAttachmentStore
from bot.adapters.mongo.conversations import MongoConversationStore
from bot.adapters.mongo.customers import MongoCustomerStore
from bot.adapters.mongo.desk import MongoDeskStore
from bot.adapters.mongo.duties import MongoDuties
from bot.adapters.mongo.elsewhere import opened_elsewhere
from bot.adapters.mongo.erasure import MongoErasure
from bot.adapters.mongo.indexes import require_indexes
from bot.adapters.mongo.ledger import MongoLedger
from bot.adapters.mongo.opening import MongoAccess, opened_database, require_let_in
from bot.adapters.mongo.ratings import MongoRatingStore
from bot.adapters.mongo.slack import MongoSlackStore
from bot.adapters.mongo.traffic import MongoTraffic
from bot.adapters.system_clock import SystemClock
from bot.core.outbox import Told
from bot.privacy_ports import NotedErasures
from bot.stores import Stores


@asynccontextmanager
async def opened_mongo_stores(
    access: MongoAccess, *, told: Told, noted: NotedErasures
) -> AsyncIterator[Stores]:
    """Open the stores in a database that `migrate` has made ready; Misconfigured when it has not, or lets nobody in."""
    clock = SystemClock()
    async with opened_database(access) as database:
        await require_let_in(database, access)
        await require_indexes(database)
        duties = MongoDuties(database, clock=clock)
        async with opened_elsewhere(database, clock=clock) as elsewhere:
            yield Stores(
                conversations=MongoConversationStore(database, told=told),
                ledger=MongoLedger(database),
                desk=MongoDeskStore(database),
                customers=MongoCustomerStore(database),
                ratings=MongoRatingStore(database),
                attachments=MongoAttachmentStore(database),
                accounts=MongoAccountStore(database),
                erasure=MongoErasure(database, noted=noted),
                elsewhere=elsewhere,
                duties=duties,
                traffic=MongoTraffic(database),
                slack=MongoSlackStore(database),
            )
        await duties.give_back()
