"""One MongoDB database as the stores use it: each call has a deadline, and a driver's failure is a StoreUnavailable.

Both drivers, Motor and PyMongo's own asynchronous client, are reached through here and differ nowhere else.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pymongo
from pymongo.errors import BulkWriteError, DuplicateKeyError, PyMongoError

from bot.adapters.mongo.schemas import insisting_on
from bot.errors import StoreUnavailable

Document = dict[str, object]
Query = Mapping[str, object]
Order = Sequence[tuple[str, int]]
Write = pymongo.InsertOne[Document] | pymongo.UpdateOne | pymongo.ReplaceOne[Document]

OPERATION_S = 2.0  # for what a customer or an agent waits for (FAULTS M3)
_DUPLICATE = 11000
_BETWEEN_LOOKS_S = (
    0.1  # for servers that answer at once that nothing has changed, where others wait for a change
)
_NO_DOCUMENTS = [{"$project": {"operationType": 1}}]  # who is told looks, so nothing more need travel


class MongoDatabase:
    """The collections of one database. Every method may raise StoreUnavailable."""

    def __init__(self, database: Any, *, operation_s: float = OPERATION_S) -> None:
        self._database = database  # of one of two drivers, whose types have nothing in common
        self._operation_s = operation_s

    @property
    def name(self) -> str:
        return str(self._database.name)

    async def find_one(self, collection: str, query: Query, *, order: Order = ()) -> Document | None:
        """Return the first match in *order*; None when there is none."""
        found = await self.find(collection, query, order=order, limit=1)
        return found[0] if found else None

    async def find(
        self,
        collection: str,
        query: Query,
        *,
        order: Order = (),
        limit: int | None = None,
        fields: Mapping[str, int] | None = None,
    ) -> list[Document]:
        """Return the matches, all of them without a limit; with the *fields* of 1 and the id, or without those of 0."""
        if limit == 0:  # to the drivers that is no limit
            return []
        with self._within():
            cursor = self._of(collection).find(query, fields)
            if order:
                cursor = cursor.sort(list(order))
            if limit is not None:
                cursor = cursor.limit(limit)
            return list(await cursor.to_list(None))

    async def count(self, collection: str, query: Query) -> int:
        """Return how many match."""
        with self._within():
            return int(await self._of(collection).count_documents(query))

    async def insert(self, collection: str, document: Document) -> bool:
        """Write a new document; False, and nothing written, when a unique index has one like it."""
        with self._within():
            try:
                await self._of(collection).insert_one(document)
            except DuplicateKeyError:
                return False
            return True

    async def replace(self, collection: str, query: Query, document: Document) -> bool:
        """Put *document* in place of the match; False when nothing matches."""
        with self._within():
            return bool((await self._of(collection).replace_one(query, document)).matched_count)

    async def put(self, collection: str, document: Document, *, version: int) -> bool:
        """Write a document in place of its *version* before, 1 being the first; False when another was faster."""
        if version == 1:
            return await self.insert(collection, document)
        return await self.replace(collection, {"_id": document["_id"], "version": version - 1}, document)

    async def update(self, collection: str, query: Query, changes: Query, *, upsert: bool = False) -> bool:
        """Change the first match; False when nothing matched.

        Of two that insert the same document at once, one is refused by its index, and finds the other's when it tries again.
        """
        for is_last in (False, True):
            with self._within():
                try:
                    done = await self._of(collection).update_one(query, changes, upsert=upsert)
                except DuplicateKeyError:
                    if is_last or not upsert:
                        raise
                    continue
                return bool(done.matched_count)
        return False

    async def counted(self, name: str) -> int:
        """Return the next number of a counter, from 1."""
        with self._within():
            counter = await self._of("counters").find_one_and_update(
                {"_id": name}, {"$inc": {"n": 1}}, upsert=True, return_document=pymongo.ReturnDocument.AFTER
            )
            return int(counter["n"])

    async def update_all(self, collection: str, query: Query, changes: Query) -> int:
        """Change every match; return how many there were."""
        with self._within():
            return int((await self._of(collection).update_many(query, changes)).matched_count)

    async def write(self, collection: str, writes: Sequence[Write]) -> None:
        """Do several writes in order; those that insert what is there already are left out."""
        if not writes:
            return
        with self._within():
            try:
                await self._of(collection).bulk_write(writes, ordered=False)
            except BulkWriteError as exc:
                errors = (exc.details or {}).get("writeErrors", [])
                if any(error.get("code") != _DUPLICATE for error in errors):
                    raise

    async def delete(self, collection: str, query: Query) -> int:
        """Delete every match; return how many there were."""
        with self._within():
            return int((await self._of(collection).delete_many(query)).deleted_count)

    async def gather(self, collection: str, pipeline: Sequence[Query]) -> list[Document]:
        """Return what an aggregation comes to."""
        with self._within():
            cursor = self._of(collection).aggregate(list(pipeline))
            # PyMongo's client gives the cursor when it is awaited, Motor's at once.
            ready = await cursor if inspect.isawaitable(cursor) else cursor
            return list(await ready.to_list(None))

    async def vector_indexes(self, collection: str) -> list[Document]:
        """Return what the server says of a collection's search indexes."""
        with self._within():
            cursor = self._of(collection).list_search_indexes()
            ready = await cursor if inspect.isawaitable(cursor) else cursor
            return [dict(one) for one in await ready.to_list(None)]

    async def collections(self) -> tuple[str, ...]:
        """Return the names of the collections there are, in order."""
        with self._within():
            return tuple(sorted(await self._database.list_collection_names()))

    async def index_keys(self, collection: str) -> frozenset[tuple[tuple[str, int], ...]]:
        """Return the keys of the unique indexes of a collection; none when there is no such collection."""
        with self._within():
            described = await self._of(collection).index_information()
        return frozenset(
            tuple((name, int(way)) for name, way in one["key"])
            for one in described.values()
            if one.get("unique")
        )

    async def require_unique(self, collection: str, fields: Sequence[str]) -> None:
        """Create a unique index where there is none."""
        with self._within():
            await self._of(collection).create_index([(one, pymongo.ASCENDING) for one in fields], unique=True)

    async def add_index(self, collection: str, fields: Sequence[str]) -> None:
        """Create an index where there is none."""
        with self._within():
            await self._of(collection).create_index([(one, pymongo.ASCENDING) for one in fields])

    async def require_shape(self, collection: str, schema: Query, *, is_new: bool) -> None:
        """Let the server refuse documents that do not fit; the collection is created where it *is_new*."""
        with self._within():
            if is_new:
                await self._database.create_collection(collection)
            await self._database.command({"collMod": collection, **insisting_on(schema)})

    async def ping(self) -> None:
        """Raise StoreUnavailable unless a majority acknowledges a write."""
        await self.update("state", {"_id": "ping"}, {"$inc": {"pings": 1}}, upsert=True)

    async def changes(self, collection: str) -> AsyncIterator[Document]:
        """Yield the changes of a collection from now on; StoreUnavailable where the server has no change streams."""
        with self._translated():
            opened = self._of(collection).watch(_NO_DOCUMENTS)
            stream = await opened if inspect.isawaitable(opened) else opened
            async with stream:
                while stream.alive:
                    change = await stream.try_next()
                    if change is not None:
                        yield dict(change)
                        continue
                    await asyncio.sleep(_BETWEEN_LOOKS_S)

    def _of(self, collection: str) -> Any:
        return self._database[collection]

    @contextmanager
    def _within(self) -> Iterator[None]:
        with self._translated(), pymongo.timeout(self._operation_s):
            yield

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except PyMongoError as exc:
            raise StoreUnavailable(f"MongoDB database {self.name}: {type(exc).__name__}: {exc}") from exc
