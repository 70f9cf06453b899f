"""The migrations: TABLES, then what was added to them. Once released none is ever edited; a change is a new one."""

_CONVERSATIONS = """
CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    locale TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('bot', 'queued', 'claimed', 'resolved')),
    epoch INTEGER NOT NULL,
    episode INTEGER NOT NULL,
    agent TEXT,
    lease_until_ms INTEGER,
    last_seq INTEGER NOT NULL,
    last_customer_seq INTEGER NOT NULL,
    answered_seq INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    waiting_since_ms INTEGER,
    CHECK ((status = 'claimed') = (agent IS NOT NULL))
) STRICT;
CREATE INDEX conversations_owing ON conversations (id) WHERE status = 'bot' AND answered_seq < last_customer_seq;

CREATE TABLE messages (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    refusal INTEGER NOT NULL,
    interrupted INTEGER NOT NULL,
    reason TEXT,
    sources TEXT NOT NULL,
    options TEXT NOT NULL,
    turn TEXT,
    channel_message_id TEXT,
    PRIMARY KEY (conversation, seq),
    UNIQUE (conversation, channel_message_id)
) STRICT;

CREATE TABLE draft_blocks (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    position INTEGER NOT NULL,
    turn TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (conversation, position)
) STRICT;

CREATE TABLE turns (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    settled_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT,
    record TEXT NOT NULL
) STRICT;
CREATE INDEX turns_of_conversation ON turns (conversation, settled_ms);

CREATE TABLE handoffs (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    turn TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    reason TEXT NOT NULL,
    opened_ms INTEGER NOT NULL,
    closed_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX handoffs_one_open ON handoffs (conversation) WHERE closed_ms IS NULL;
CREATE INDEX handoffs_of_conversation ON handoffs (conversation);

CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    at_ms INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    epoch INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_of_conversation ON audit (conversation);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE TABLE outbox (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    created_ms INTEGER NOT NULL,
    delivered_ms INTEGER
) STRICT;
CREATE INDEX outbox_undelivered ON outbox (number) WHERE delivered_ms IS NULL;

CREATE TABLE store_state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    pings INTEGER NOT NULL
) STRICT;
INSERT INTO store_state (only, pings) VALUES (1, 0);
"""

_KNOWLEDGE = """
CREATE TABLE generations (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('building', 'live', 'old')),
    created_ms INTEGER NOT NULL,
    published_ms INTEGER
) STRICT;

CREATE TABLE articles (
    generation TEXT NOT NULL REFERENCES generations (id) ON DELETE CASCADE,
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
    PRIMARY KEY (generation, id)
) STRICT;

CREATE TABLE passages (
    generation TEXT NOT NULL,
    id TEXT NOT NULL,
    article_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL,
    embedded_text TEXT NOT NULL,
    digest TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (generation, id),
    FOREIGN KEY (generation, article_id) REFERENCES articles (generation, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX passages_of_article ON passages (generation, article_id);

CREATE TABLE vectors (
    fingerprint TEXT NOT NULL,
    digest TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (fingerprint, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE calibrations (
    fingerprint TEXT PRIMARY KEY,
    document TEXT NOT NULL
) STRICT;

CREATE TABLE sync_runs (
    id TEXT PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

CREATE TABLE kb_state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO kb_state (only, revision) VALUES (1, 0);
"""

TABLES = _CONVERSATIONS + _KNOWLEDGE

NOTES = """
CREATE TABLE notes (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    key TEXT,
    PRIMARY KEY (conversation, seq),
    UNIQUE (conversation, key)
) STRICT;
"""

SPENDING = """
CREATE TABLE spending (
    turn TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    at_ms INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    micro_usd INTEGER NOT NULL
) STRICT;
CREATE INDEX spending_of_conversation ON spending (conversation, at_ms);
CREATE INDEX spending_by_time ON spending (at_ms, tokens, micro_usd);
"""

WORDS = """
CREATE TABLE worded (
    number INTEGER PRIMARY KEY,
    generation TEXT NOT NULL,
    article_id TEXT NOT NULL,
    passage_id TEXT,
    FOREIGN KEY (generation, article_id) REFERENCES articles (generation, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX worded_of_article ON worded (generation, article_id);
CREATE VIRTUAL TABLE passage_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE article_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 0");
CREATE TRIGGER worded_gone AFTER DELETE ON worded BEGIN
    DELETE FROM passage_words WHERE rowid = old.number;
    DELETE FROM article_words WHERE rowid = old.number;
END;
INSERT INTO worded (generation, article_id, passage_id) SELECT generation, article_id, id FROM passages;
INSERT INTO worded (generation, article_id) SELECT generation, id FROM articles;
INSERT INTO passage_words (rowid, words)
    SELECT w.number, terms(p.embedded_text) FROM worded w
    JOIN passages p ON p.generation = w.generation AND p.id = w.passage_id;
INSERT INTO article_words (rowid, words)
    SELECT w.number, terms(a.title || ' ' || coalesce(
        (SELECT group_concat(p.text, ' ') FROM passages p WHERE p.generation = a.generation AND p.article_id = a.id), ''
    ))
    FROM worded w JOIN articles a ON a.generation = w.generation AND a.id = w.article_id WHERE w.passage_id IS NULL;
"""
