"""What a generation is asked before it goes live: what is nearest, and some of its passages."""

import math
from collections.abc import Callable, Sequence

from bot.adapters.mongo.blocking import BlockingDatabase
from bot.adapters.mongo.knowledge_build import settle, standings_of
from bot.adapters.mongo.knowledge_documents import passages_in
from bot.adapters.mongo.knowledge_state import State
from bot.adapters.mongo.vector_index import MOST_CANDIDATES, cosine_of, search_stage
from bot.core.indexing import evenly_spread, statuses_in_force
from bot.core.knowledge import ArticleId, ArticleStatus, PassageId, Vector
from bot.sync_ports import GenerationState, Near

_PASSAGES_EACH = 50  # of one article that may stand before another article's first


def nearest(
    database: BlockingDatabase,
    state: State,
    generation: str,
    vectors: Sequence[Vector],
    *,
    limit: int,
    until_whole: Callable[[str], None],
) -> tuple[Near, ...]:
    """Return, for each vector, the active articles nearest to it, through the index that customers would be answered from."""
    build = state.in_state(GenerationState.BUILDING)
    if (
        build is not None and build.id == generation
    ):  # what was published is settled by whoever publishes or decides
        settle(database, state, generation, token=state.token)
    passages = database.count(passages_in(generation), {})
    if not passages or not vectors:
        return tuple(() for _ in vectors)
    until_whole(generation)
    active = _active(database, state, generation)
    return tuple(
        _nearest(database, generation, vector, active, limit=limit, passages=passages) for vector in vectors
    )


def sample_of(
    database: BlockingDatabase, state: State, generation: str, *, limit: int
) -> tuple[tuple[PassageId, ArticleId, str], ...]:
    """Return some passages of active articles, evenly spread."""
    articles = _active(database, state, generation)
    found = database.find(
        passages_in(generation),
        state.counting(generation),
        fields={"article_id": 1, "position": 1, "digest": 1},
    )
    active = [one for one in found if one["article_id"] in articles]
    ordered = sorted(active, key=lambda one: (one["article_id"], one["position"]))
    rows = [(PassageId(one["_id"]), ArticleId(one["article_id"]), str(one["digest"])) for one in ordered]
    return evenly_spread(rows, limit)


def _active(database: BlockingDatabase, state: State, generation: str) -> frozenset[ArticleId]:
    statuses = statuses_in_force(standings_of(database, state, generation))
    return frozenset(article for article, status in statuses.items() if status is ArticleStatus.ACTIVE)


def _nearest(
    database: BlockingDatabase,
    generation: str,
    vector: Vector,
    active: frozenset[ArticleId],
    *,
    limit: int,
    passages: int,
) -> Near:
    """Return the nearest of the *active* articles; the index may not have read the statuses of all passages yet."""
    most = min(passages, MOST_CANDIDATES, limit * _PASSAGES_EACH)
    wanted = {"status": [str(ArticleStatus.ACTIVE)]}
    stage = search_stage(vector, limit=most, passages=passages, wanted=wanted)
    shape = {"$project": {"article_id": 1, "score": {"$meta": "vectorSearchScore"}}}
    best: dict[ArticleId, float] = {}
    for one in database.gather(passages_in(generation), [stage, shape]):
        cosine = cosine_of(float(one["score"]), length=math.hypot(*vector))
        best[ArticleId(one["article_id"])] = max(cosine, best.get(ArticleId(one["article_id"]), -1.0))
    nearest_first = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple([pair for pair in nearest_first if pair[0] in active][:limit])
