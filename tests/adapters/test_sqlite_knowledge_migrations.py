"""What was synced with an older version stays searchable once its file is migrated, and the next sync embeds none of it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.adapters.sqlite import schema
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.sqlite.knowledge_tables import GENERATIONS
from bot.adapters.sqlite.matrix import to_bytes
from bot.adapters.sqlite.opening import migrate_file
from bot.adapters.sqlite.tables import WORDS
from bot.adapters.sqlite.words import register
from bot.core.indexing import passage_digest
from bot.core.knowledge import ArticleStatus, IndexState, SearchQuery
from bot.core.lexical import Words, terms
from bot.errors import Misconfigured
from bot.sync_ports import GenerationState
from tests.contract.knowledge_rig import FINGERPRINT, KnowledgeRig, knowledge_rig, one_passage
from tests.knowledge_builders import an_article, toward

BEFORE_WORDS = schema.MIGRATIONS.index(WORDS)
BEFORE_GENERATIONS = schema.MIGRATIONS.index(GENERATIONS)
LIVE = "g1000-abcdef"
RUNS = """
INSERT INTO sync_runs VALUES ('r1', 1000, '{"id": "r1", "source": "kb", "started_ms": 1000, "ended_ms": 2000, "outcome": "done", "error": ""}');
INSERT INTO sync_runs VALUES ('r2', 3000, '{"id": "r2", "source": "kb", "started_ms": 3000, "ended_ms": 4000, "outcome": "failed", "error": "gone"}');
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "var" / "candor.db"


@pytest.mark.parametrize("version", [BEFORE_WORDS, BEFORE_GENERATIONS])
async def test_an_older_file_is_searched_as_before_once_it_is_migrated(path, version):
    _older_file(path, version)

    with pytest.raises(Misconfigured, match="run `python -m bot migrate`"):
        SqliteDatabase.open(path)
    assert migrate_file(path) == (version, schema.VERSION)

    with knowledge_rig("sqlite", path.parent) as rig:
        found = await _worded(rig)
        status = await rig.index.status()
    assert [(one.passage.id, one.title, one.status) for one in found] == [
        ("KB1#0", "Café", ArticleStatus.ACTIVE),
        ("KB1#1", "Café", ArticleStatus.ACTIVE),
        ("KB2#0", "Opening", ArticleStatus.ACTIVE),
    ]
    assert [one.lexical > 0 for one in found] == [True, False, False]
    assert [one.article_lexical > 0 for one in found] == [True, True, False]
    assert (status.state, status.generation, status.articles) == (IndexState.READY, LIVE, 3)


def test_the_record_of_runs_and_the_time_of_the_last_good_one_survive(path):
    _older_file(path, BEFORE_GENERATIONS)
    migrate_file(path)

    with knowledge_rig("sqlite", path.parent) as rig:
        (live,) = rig.writer.generations()
        assert [(run.id, run.outcome, run.withheld) for run in rig.writer.runs(limit=9)] == [
            ("r2", "failed", 0),
            ("r1", "done", 0),
        ]
    assert (live.id, live.state, live.articles, live.passages) == (LIVE, GenerationState.LIVE, 3, 4)


async def test_the_last_good_sync_is_the_one_before_the_migration(path):
    _older_file(path, BEFORE_GENERATIONS)
    migrate_file(path)

    with knowledge_rig("sqlite", path.parent) as rig:
        assert (await rig.index.status()).last_sync_ms == 2_000


def test_the_next_sync_writes_every_article_again_and_embeds_none(path):
    """Its body was not kept; its vectors were, also the one that lay only beside its passage."""
    _older_file(path, BEFORE_GENERATIONS)
    migrate_file(path)
    texts = ["By voucher: E-4711", "Or by card", "Open."]

    with knowledge_rig("sqlite", path.parent) as rig:
        digests = rig.writer.article_digests(LIVE)
        assert len(rig.writer.known_vectors(FINGERPRINT, list(map(passage_digest, texts)))) == len(texts)
        assert rig.writer.retired_articles(LIVE) == {"KB4"}
    assert digests.keys() == {"KB1", "KB2", "KB3"}
    assert not {f"digest of {one}" for one in digests} & {*digests.values()}


async def test_what_a_migrated_file_holds_of_words_goes_with_its_articles(path):
    _older_file(path, BEFORE_GENERATIONS)
    migrate_file(path)

    with knowledge_rig("sqlite", path.parent) as rig:
        for _ in range(2):
            rig.publish_passages(one_passage(an_article("KB5")), one_passage(an_article("KB6")))

        assert not any(one.lexical or one.article_lexical for one in await _worded(rig))
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("SELECT count(*) FROM passage_words").fetchone()
    assert kept == (2,)


def test_what_was_being_built_is_begun_again(path):
    _older_file(path, BEFORE_GENERATIONS)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO generations VALUES ('g5', 'local/next', 'building', 5000, NULL)")
    migrate_file(path)

    with knowledge_rig("sqlite", path.parent) as rig:
        assert [one.id for one in rig.writer.generations()] == [LIVE]


async def _worded(rig: KnowledgeRig):
    words = Words(terms=frozenset(terms("cafe e-4711")))
    query = SearchQuery(vector=toward(0), locales=("en",), words=(words,))
    return (await rig.index.search(query)).passages


def _older_file(path: Path, version: int) -> None:
    """Write a file as that version wrote it: three articles, one of them superseded by no more than its word, and a retired one."""
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        register(connection)
        schema.migrate(connection, schema.MIGRATIONS[:BEFORE_WORDS])
        connection.execute("INSERT INTO generations VALUES (?, ?, 'live', 1000, 2000)", (LIVE, FINGERPRINT))
        _article(connection, "KB1", "Café", {"By voucher: E-4711": 0, "Or by card": 1})
        _article(connection, "KB2", "Opening", {"Open.": 50}, supersedes='["KB3"]')
        _article(connection, "KB3", "Opening hours before", {"Closed.": 60})
        _article(connection, "KB4", "Gone", {"Gone.": 70}, status="retired")
        schema.migrate(connection, schema.MIGRATIONS[:version])
        connection.executescript(RUNS)


def _article(
    connection: sqlite3.Connection,
    article: str,
    title: str,
    texts: dict[str, int],
    *,
    status: str = "active",
    supersedes: str = "[]",
) -> None:
    connection.execute(
        "INSERT INTO articles VALUES (?, ?, ?, ?, '', '', '[]', 'en', ?, ?, NULL, 0)",
        (LIVE, article, f"digest of {article}", title, status, supersedes),
    )
    for position, (text, degrees) in enumerate(texts.items()):
        row = (f"{article}#{position}", article, position, "[]", text, text)
        vector = to_bytes(toward(degrees))
        connection.execute(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (LIVE, *row, passage_digest(text), vector),
        )
