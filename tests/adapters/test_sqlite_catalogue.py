"""How the SQLite file's near passages are found: in slices, each pair once, and anew only after a change."""

from itertools import combinations

import numpy as np
import pytest

from bot.adapters.sqlite.catalogue import SqliteArticleCatalogue
from bot.adapters.sqlite.catalogue_pairs import Nearest, articles_of, slices_of, with_slice
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge import SqliteKnowledgeWriter
from bot.adapters.sqlite.matrix import PassageMatrix, Place, groups_of
from bot.core.content import Decision, DecisionKind, PairKey
from bot.core.knowledge import ArticleId, ArticleStatus, PassageId
from tests.knowledge_builders import a_passage, an_article, publish_articles, publish_changes, toward
from tests.sqlite_file import new_file

FINGERPRINT = "local/test"
LEAST = 0.9


@pytest.fixture
def database(tmp_path):
    opened = SqliteDatabase.open(new_file(tmp_path / "candor.db"))
    yield opened
    opened.close()


def written(article: str, degrees: float = 0.0):
    return an_article(article), [(a_passage(f"{article}#0"), toward(degrees))]


def a_matrix(rows: int) -> PassageMatrix:
    """Return passages of two languages and two statuses in random directions, three of each article."""
    random = np.random.default_rng(7)
    places = sorted(
        Place(
            ArticleStatus.DRAFT if n % 10 == 0 else ArticleStatus.ACTIVE,
            "es" if n % 4 == 0 else "en",
            PassageId(f"A{n // 3:03}#{n % 3}"),
            n,
            f"digest {n}",
            ArticleId(f"A{n // 3:03}"),
        )
        for n in range(rows)
    )
    vectors = random.normal(size=(rows, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    row_of = {place.number: row for row, place in enumerate(places)}
    return PassageMatrix(places=tuple(places), row_of=row_of, rows=vectors, groups=groups_of(places))


def every_pair(matrix: PassageMatrix) -> dict[tuple[int, int], float]:
    """Multiply each with each."""
    rows = [row for row, place in enumerate(matrix.places) if place.status is ArticleStatus.ACTIVE]
    together = (
        (one, other, float(matrix.rows[one] @ matrix.rows[other]))
        for one, other in combinations(rows, 2)
        if matrix.places[one].locale == matrix.places[other].locale
        and matrix.places[one].article != matrix.places[other].article
    )
    return {(one, other): cosine for one, other, cosine in together if cosine >= LEAST}


def found_in_slices(matrix: PassageMatrix, *, limit: int) -> Nearest:
    articles, nearest = articles_of(matrix), Nearest()
    for some in slices_of(matrix):
        nearest = with_slice(nearest, matrix, articles, some, least=LEAST, limit=limit)
    return nearest


def test_slices_find_each_pair_once():
    matrix = a_matrix(900)
    assert len(list(slices_of(matrix))) > 3

    nearest = found_in_slices(matrix, limit=1_000_000)

    found = list(zip(nearest.left.tolist(), nearest.right.tolist(), strict=True))
    expected = every_pair(matrix)
    assert len(found) == len(set(found)) == len(expected)
    assert dict(zip(found, nearest.cosines.tolist(), strict=True)) == pytest.approx(expected, abs=1e-5)


def test_slices_keep_the_nearest_pairs_of_all():
    matrix = a_matrix(900)

    nearest = found_in_slices(matrix, limit=20)

    assert nearest.cosines.tolist() == pytest.approx(
        sorted(every_pair(matrix).values(), reverse=True)[:20], abs=1e-5
    )


async def test_near_passages_are_looked_for_again_only_after_a_change(database):
    writer, catalogue = SqliteKnowledgeWriter(database), SqliteArticleCatalogue(database)
    publish_articles(writer, FINGERPRINT, [written("A"), written("B", 10.0)])

    first = await catalogue.near_pairs(least=LEAST, limit=5)
    again = await catalogue.near_pairs(least=LEAST, limit=5)
    publish_changes(writer, FINGERPRINT, [written("C")])
    changed = await catalogue.near_pairs(least=LEAST, limit=5)

    assert again is first
    assert [len(pairs) for pairs in (first, changed)] == [1, 3]


def superseding(loser: str, winner: str) -> Decision:
    return Decision(
        key=PairKey(loser), kind=DecisionKind.SUPERSEDED, loser=ArticleId(loser), winner=ArticleId(winner), who="anna", at_ms=1
    )  # fmt: skip


@pytest.mark.parametrize("limit", [50, 6], ids=["all pairs", "as many as asked for"])
async def test_a_decision_leaves_the_pairs_that_a_fresh_look_would_find(database, limit):
    """Whether it only left some out, or had to look again because there were more than it was asked for."""
    articles = [written(name, degrees) for degrees, name in enumerate("ABCDE")]
    publish_articles(SqliteKnowledgeWriter(database), FINGERPRINT, articles)
    catalogue = SqliteArticleCatalogue(database)
    whole = await catalogue.near_pairs(least=LEAST, limit=limit)

    await catalogue.decide(superseding("A", "B"))
    after = await catalogue.near_pairs(least=LEAST, limit=limit)
    await catalogue.withdraw(PairKey("A"))
    undone = await catalogue.near_pairs(least=LEAST, limit=limit)

    assert len(after) == 6
    assert "A" not in {article for pair in after for article in pair.articles}
    assert undone == whole


async def test_another_process_sees_a_decision_at_once(database, tmp_path):
    publish_articles(SqliteKnowledgeWriter(database), FINGERPRINT, [written("A"), written("B")])
    other = SqliteDatabase.open(tmp_path / "candor.db")
    here, there = SqliteArticleCatalogue(database), SqliteArticleCatalogue(other)
    assert len(await there.near_pairs(least=LEAST, limit=5)) == 1

    await here.decide(superseding("A", "B"))

    assert await there.near_pairs(least=LEAST, limit=5) == ()
    other.close()
