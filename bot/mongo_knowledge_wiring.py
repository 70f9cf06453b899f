"""Opens the knowledge base on MongoDB: the service waits through the driver of the settings, kb_sync blocks through another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.adapters.mongo.access import MongoAccess
from bot.adapters.mongo.catalogue import MongoArticleCatalogue
from bot.adapters.mongo.knowledge import MongoKnowledgeWriter
from bot.adapters.mongo.opening import opened_blocking, opened_database, require_let_in
from bot.adapters.mongo.passages import MongoPassageIndex
from bot.adapters.system_clock import SystemClock
from bot.stores import ArticleStores


@asynccontextmanager
async def opened_mongo_articles(access: MongoAccess, fingerprint: str) -> AsyncIterator[ArticleStores]:
    """Open what reads and writes articles; Misconfigured when the server keeps us out."""
    clock = SystemClock()
    with opened_blocking(access) as blocking:
        async with opened_database(access) as database:
            await require_let_in(database, access)
            yield ArticleStores(
                index=MongoPassageIndex(database, fingerprint=fingerprint, clock=clock),
                writer=MongoKnowledgeWriter(blocking, monotonic_s=clock.monotonic_s),
                catalogue=MongoArticleCatalogue(database),
            )
