"""Drops what no generation has any more: collections with their indexes, manifests, and vectors whose texts are in no kept passage.

The vectors of a build that was never published stay: the next build is likely to need them.
"""

from collections.abc import Iterable, Sequence

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.knowledge_build import MANIFESTS, VECTORS
from bot.adapters.mongo.knowledge_documents import articles_in, passages_in
from bot.adapters.mongo.knowledge_state import StateDocument

_OURS = (articles_in("g"), passages_in("g"))  # how the names of generations' collections begin
_AT_ONCE = 1_000  # digests in one request


def drop_unused(state: StateDocument) -> None:
    """Drop the collections of generations that the state does not name.

    The state is read last: what another sync begins meanwhile is then not among what was looked at, and what is gone never comes back.
    """
    there = [name for name in state.database.collections() if name.startswith(_OURS)]
    manifests = [str(one["_id"]) for one in state.database.find(MANIFESTS, {}, fields={"_id": 1})]
    kept = [one.id for one in state.read().generations]
    own = {name for one in kept for name in (articles_in(one), passages_in(one))}
    gone = [name for name in there if name not in own]
    published = [one for one in manifests if one not in kept]
    if not gone and not published:
        return
    _drop_vectors(state.database, [passages_in(one) for one in published], kept)
    state.database.drop(gone)
    state.database.delete(MANIFESTS, {"_id": {"$in": published}})


def _drop_vectors(database: BlockingDatabase, gone: Sequence[str], kept: Iterable[str]) -> None:
    needed = {digest for one in kept for digest in _digests(database, passages_in(one))}
    for collection in gone:
        unneeded = sorted(_digests(database, collection) - needed)
        for start in range(0, len(unneeded), _AT_ONCE):
            database.delete(VECTORS, {"digest": {"$in": unneeded[start : start + _AT_ONCE]}})


def _digests(database: BlockingDatabase, collection: str) -> set[str]:
    return {str(one["digest"]) for one in database.find(collection, {}, fields={"digest": 1})}
