"""The migration for generations that share what they have in common: articles as versions, and who is a member of what.

Words keep their numbers, so nothing is indexed anew. An article's body was not kept before: its passages stand in for it until the
next sync, which takes every article for a changed one because of its digest, and embeds none since all vectors are kept.
"""

GENERATIONS = """
DELETE FROM generations WHERE state <> 'live';

CREATE TABLE versions (
    number INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    category TEXT NOT NULL,
    tags TEXT NOT NULL,
    locale TEXT NOT NULL,
    status TEXT NOT NULL,
    supersedes TEXT NOT NULL,
    last_modified_ms INTEGER,
    evergreen INTEGER NOT NULL,
    written_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (fingerprint, id, digest)
) STRICT;
INSERT INTO versions
    SELECT w.number, g.fingerprint, a.id, 'version 9: ' || a.digest, a.title, a.url, a.category, a.tags, a.locale,
        a.status, a.supersedes, a.last_modified_ms, a.evergreen, coalesce(g.published_ms, g.created_ms),
        coalesce((
            SELECT group_concat(text, char(10, 10)) FROM (
                SELECT text FROM passages p WHERE p.generation = a.generation AND p.article_id = a.id ORDER BY position
            )
        ), '')
    FROM articles a JOIN generations g ON g.id = a.generation
    JOIN worded w ON w.generation = a.generation AND w.article_id = a.id AND w.passage_id IS NULL;

INSERT OR IGNORE INTO vectors
    SELECT g.fingerprint, p.digest, p.vector FROM passages p JOIN generations g ON g.id = p.generation;
CREATE TABLE version_passages (
    number INTEGER PRIMARY KEY,
    version INTEGER NOT NULL REFERENCES versions (number) ON DELETE CASCADE,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    digest TEXT NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    embedded_text TEXT NOT NULL
) STRICT;
INSERT INTO version_passages
    SELECT w.number, v.number, p.id, p.position, p.digest, p.headings, p.text, p.embedded_text
    FROM passages p JOIN versions v ON v.id = p.article_id
    JOIN worded w ON w.generation = p.generation AND w.article_id = p.article_id AND w.passage_id = p.id;
DROP TABLE worded;
DROP TABLE passages;
DROP TABLE articles;
ALTER TABLE version_passages RENAME TO passages;
-- With the digest, so that loading a generation reads no text.
CREATE UNIQUE INDEX passages_of_version ON passages (version, id, digest);
CREATE INDEX passages_by_digest ON passages (digest);
CREATE TRIGGER passage_gone AFTER DELETE ON passages BEGIN
    DELETE FROM passage_words WHERE rowid = old.number;
END;
CREATE TRIGGER version_gone AFTER DELETE ON versions BEGIN
    DELETE FROM article_words WHERE rowid = old.number;
END;

CREATE TABLE kept_generations (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('building', 'live', 'previous', 'old')),
    created_ms INTEGER NOT NULL,
    published_ms INTEGER,
    checked TEXT
) STRICT;
INSERT INTO kept_generations (id, fingerprint, state, created_ms, published_ms)
    SELECT id, fingerprint, state, created_ms, published_ms FROM generations;
DROP TABLE generations;
ALTER TABLE kept_generations RENAME TO generations;
CREATE UNIQUE INDEX generations_one_live ON generations (state) WHERE state = 'live';

CREATE TABLE members (
    generation TEXT NOT NULL REFERENCES generations (id),
    article_id TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions (number),
    retired INTEGER NOT NULL,
    added_ms INTEGER NOT NULL,
    PRIMARY KEY (generation, article_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_version ON members (version);
INSERT INTO members
    SELECT g.id, v.id, v.number, v.status = 'retired', g.created_ms FROM versions v, generations g;

ALTER TABLE kb_state ADD COLUMN rolled_back TEXT NOT NULL DEFAULT '';
ALTER TABLE kb_state ADD COLUMN done_ms INTEGER;
ALTER TABLE kb_state ADD COLUMN interval_s INTEGER;
ALTER TABLE kb_state ADD COLUMN newest_ms INTEGER NOT NULL DEFAULT 0;
UPDATE kb_state SET newest_ms = (SELECT coalesce(max(created_ms), 0) FROM generations);
UPDATE kb_state SET done_ms = (
    SELECT max(json_extract(document, '$.ended_ms')) FROM sync_runs WHERE json_extract(document, '$.error') = ''
);
CREATE INDEX sync_runs_by_start ON sync_runs (started_ms);

CREATE TABLE sync_lock (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    token INTEGER NOT NULL,
    holder TEXT,
    taken_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
) STRICT;
INSERT INTO sync_lock (only, token, taken_ms, until_ms) VALUES (1, 0, 0, 0);

CREATE TABLE article_decisions (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('superseded', 'distinct')),
    loser TEXT NOT NULL,
    winner TEXT NOT NULL,
    who TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE TRIGGER decision_made AFTER INSERT ON article_decisions BEGIN
    UPDATE kb_state SET revision = revision + 1;
END;
CREATE TRIGGER decision_changed AFTER UPDATE ON article_decisions BEGIN
    UPDATE kb_state SET revision = revision + 1;
END;
CREATE TRIGGER decision_withdrawn AFTER DELETE ON article_decisions BEGIN
    UPDATE kb_state SET revision = revision + 1;
END;
"""
