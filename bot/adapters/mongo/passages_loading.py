"""What a search must know before it asks the vector index: which generation is live, of what it consists, and the words of its passages.

It is read once for each revision of the knowledge base, in memory, and is small beside the passages themselves.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.adapters.mongo.database import MongoDatabase
from bot.adapters.mongo.knowledge_build import MANIFESTS
from bot.adapters.mongo.knowledge_documents import articles_in, passages_in, to_standing
from bot.adapters.mongo.knowledge_state import COLLECTION, ID, State, to_state
from bot.core.indexing import Contents, statuses_in_force
from bot.core.knowledge import ArticleId, ArticleStatus, PassageId
from bot.core.lexical import Counted, Words, bm25_counted, counted
from bot.sync_ports import GenerationState, RunRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A passage of the live generation: its article, and the status and locale that it is searched under.

    `carried` is the status that its document carries, another one for as long as a decision is being written down.
    """

    article: ArticleId
    status: ArticleStatus
    carried: str
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The knowledge base as of one revision."""

    revision: int
    contents: Contents
    generation: str | None = None
    recorded: tuple[RunRecord, ...] = ()
    articles: int = 0
    dimension: int = 0
    digests: Mapping[ArticleId, str] = field(default_factory=dict)
    statuses: Mapping[ArticleId, ArticleStatus] = field(default_factory=dict)
    places: Mapping[PassageId, Placed] = field(default_factory=dict)
    passage_words: Counted = field(default_factory=lambda: counted({}))
    article_words: Counted = field(default_factory=lambda: counted({}))

    def locales(self, statuses: Iterable[ArticleStatus]) -> Counter[str]:
        """Return how many passages of these statuses each locale has."""
        wanted = frozenset(statuses)
        return Counter(one.locale for one in self.places.values() if one.status in wanted)

    def carried(self, statuses: Iterable[ArticleStatus]) -> frozenset[str]:
        """Return what documents carry whose passages are of these statuses."""
        wanted = frozenset(statuses)
        late = {one.carried for one in self.places.values() if one.status in wanted}
        return frozenset(map(str, wanted)) | late

    def worded(self, wanted: Sequence[Words]) -> Mapping[str, float]:
        """Return the BM25 of the words wanted by the id of each passage and article that holds any."""
        scores: dict[str, float] = defaultdict(float)
        for words in wanted:
            for texts in (self.passage_words, self.article_words):
                for id_, score in bm25_counted(words.terms, texts).items():
                    scores[id_] += words.weight * score
        return scores


async def state_of_knowledge(database: MongoDatabase) -> State:
    """Return the state of the knowledge base; an empty one before the first sync."""
    found: Any = await database.find_one(COLLECTION, {"_id": ID})
    return State() if found is None else to_state(found)


async def load(database: MongoDatabase, state: State) -> Loaded:
    """Read the live generation."""
    live = state.in_state(GenerationState.LIVE)
    if live is None:
        building = state.in_state(GenerationState.BUILDING) is not None
        contents = Contents(live_fingerprint=None, building=building)
        return Loaded(revision=state.revision, contents=contents, recorded=state.recorded)
    manifest: Any = await database.find_one(MANIFESTS, {"_id": live.id})
    members = {} if manifest is None else {ArticleId(one): str(digest) for one, digest in manifest["members"]}
    articles = [one for one in await _articles(database, live.id) if members.get(one["_id"]) == one["digest"]]
    statuses = statuses_in_force(state.decided(map(to_standing, articles)))
    rows = [
        one
        for one in await _passages(database, live.id)
        if members.get(one["article_id"]) == one["article_digest"]
    ]
    places = dict(_places(rows, statuses))
    return Loaded(
        revision=state.revision,
        contents=Contents(
            live_fingerprint=live.fingerprint,
            building=False,
            passages=len(places),
            searchable=sum(one.status is ArticleStatus.ACTIVE for one in places.values()),
        ),
        generation=live.id,
        recorded=state.recorded,
        articles=sum(status is not ArticleStatus.RETIRED for status in statuses.values()),
        dimension=await _dimension(database, live.id),
        digests=members,
        statuses=statuses,
        places=places,
        passage_words=counted({one["_id"]: one["terms"] for one in rows}),
        article_words=counted({one["_id"]: one["terms"] for one in articles}),
    )


async def _articles(database: MongoDatabase, generation: str) -> list[Any]:
    return await database.find(articles_in(generation), {}, fields={"body": 0})


async def _passages(database: MongoDatabase, generation: str) -> list[Any]:
    fields = {"article_id": 1, "article_digest": 1, "status": 1, "locale": 1, "terms": 1}
    return await database.find(passages_in(generation), {}, fields=fields)


async def _dimension(database: MongoDatabase, generation: str) -> int:
    found: list[Any] = await database.find(passages_in(generation), {}, limit=1, fields={"vector": 1})
    return len(found[0]["vector"]) if found else 0


def _places(
    rows: Iterable[Any], statuses: Mapping[ArticleId, ArticleStatus]
) -> Iterator[tuple[PassageId, Placed]]:
    """Yield each passage with its place; those of retired articles have none."""
    for one in rows:
        article = ArticleId(one["article_id"])
        status = statuses.get(article, ArticleStatus.RETIRED)
        if status is not ArticleStatus.RETIRED:
            place = Placed(article=article, status=status, carried=one["status"], locale=one["locale"])
            yield PassageId(one["_id"]), place
