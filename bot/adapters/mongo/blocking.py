"""One MongoDB database as `kb_sync` writes it: PyMongo's synchronous client, whose calls block and have a deadline each."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pymongo
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError, PyMongoError
from pymongo.operations import SearchIndexModel

from bot.adapters.mongo.schemas import insisting_on
from bot.errors import StoreUnavailable

Document = dict[str, Any]
Query = Mapping[str, object]

OPERATION_S = 60.0  # nobody waits for a sync
SLICE = 200  # documents in one request


class BlockingDatabase:
    """The collections of one database. Every method may raise StoreUnavailable."""

    def __init__(
        self,
        database: Database[Document],
        *,
        operation_s: float = OPERATION_S,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._database = database
        self._operation_s = operation_s
        self.pause = pause

    @property
    def name(self) -> str:
        return self._database.name

    def find_one(self, collection: str, query: Query) -> Document | None:
        with self._within():
            return self._database[collection].find_one(query)

    def find(
        self, collection: str, query: Query, *, order: str = "_id", fields: Mapping[str, int] | None = None
    ) -> list[Document]:
        """Return the matches by the field *order*; with the *fields* of 1 and the id, or without those of 0."""
        with self._within():
            return list(self._database[collection].find(query, fields).sort(order, pymongo.ASCENDING))

    def insert(self, collection: str, document: Document) -> bool:
        """Write a new document; False, and nothing written, when its id is there already."""
        with self._within():
            try:
                self._database[collection].insert_one(document)
            except DuplicateKeyError:
                return False
            return True

    def insert_all(self, collection: str, documents: Sequence[Document]) -> None:
        """Write new documents, slice by slice."""
        for start in range(0, len(documents), SLICE):
            with self._within():
                self._database[collection].insert_many(documents[start : start + SLICE], ordered=False)

    def replace(self, collection: str, query: Query, document: Document) -> bool:
        """Put *document* in place of the match; False when nothing matches."""
        with self._within():
            return self._database[collection].replace_one(query, document).matched_count == 1

    def put(self, collection: str, document: Document) -> None:
        """Write a document, in place of the one with its id."""
        with self._within():
            self._database[collection].replace_one({"_id": document["_id"]}, document, upsert=True)

    def update_all(self, collection: str, query: Query, changes: Query) -> int:
        """Change every match; return how many there were."""
        with self._within():
            return self._database[collection].update_many(query, changes).matched_count

    def delete(self, collection: str, query: Query) -> int:
        """Delete every match; return how many there were."""
        with self._within():
            return self._database[collection].delete_many(query).deleted_count

    def count(self, collection: str, query: Query) -> int:
        """Return how many match."""
        with self._within():
            return self._database[collection].count_documents(query)

    def drop(self, collections: Iterable[str]) -> None:
        """Drop collections with their indexes; those that are not there are left alone."""
        for collection in collections:
            with self._within():
                self._database[collection].drop()

    def require_shape(self, collection: str, schema: Query) -> None:
        """Create a collection where there is none, and let the server refuse documents that do not fit."""
        with self._within():
            if collection not in self._database.list_collection_names():
                self._database.create_collection(collection)
            self._database.command({"collMod": collection, **insisting_on(schema)})

    def collections(self) -> tuple[str, ...]:
        """Return the names of the collections there are."""
        with self._within():
            return tuple(sorted(self._database.list_collection_names()))

    def gather(self, collection: str, pipeline: Sequence[Query]) -> list[Document]:
        """Return what an aggregation comes to."""
        with self._within():
            return list(self._database[collection].aggregate(list(pipeline)))

    def create_vector_index(self, collection: str, name: str, definition: Query) -> None:
        """Begin to build a vector index."""
        with self._within():
            model = SearchIndexModel(definition=definition, name=name, type="vectorSearch")
            self._database[collection].create_search_index(model)

    def vector_indexes(self, collection: str) -> list[Document]:
        """Return what the server says of a collection's search indexes."""
        with self._within():
            return [dict(one) for one in self._database[collection].list_search_indexes()]

    @contextmanager
    def _within(self) -> Iterator[None]:
        try:
            with pymongo.timeout(self._operation_s):
                yield
        except PyMongoError as exc:
            raise StoreUnavailable(f"MongoDB database {self.name}: {type(exc).__name__}: {exc}") from exc
