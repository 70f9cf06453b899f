"""The migration for the agents' desk: what it adds to the conversations' tables, and its own tables. Kept as `tables` says."""

DESK = """
ALTER TABLE conversations ADD COLUMN owned_since_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_open ON conversations (waiting_since_ms, id) WHERE status IN ('queued', 'claimed');

ALTER TABLE messages ADD COLUMN author TEXT;

ALTER TABLE handoffs ADD COLUMN claimed_ms INTEGER;
ALTER TABLE handoffs ADD COLUMN replied_ms INTEGER;
CREATE INDEX handoffs_by_time ON handoffs (opened_ms);

ALTER TABLE audit ADD COLUMN agent TEXT;
ALTER TABLE audit ADD COLUMN detail TEXT NOT NULL DEFAULT '';

ALTER TABLE outbox ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN seq INTEGER;
ALTER TABLE outbox ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN due_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX outbox_of_conversation ON outbox (conversation, number) WHERE delivered_ms IS NULL;

UPDATE conversations SET owned_since_ms = coalesce(
    (SELECT min(at_ms) FROM audit WHERE audit.conversation = conversations.id AND audit.epoch = conversations.epoch), created_ms
);
UPDATE outbox SET epoch = coalesce(
    (SELECT h.epoch FROM handoffs AS h WHERE h.conversation = outbox.conversation AND outbox.key = 'handoff:' || h.conversation || ':' || h.epoch), 0
);

CREATE INDEX handoffs_replied ON handoffs (replied_ms) WHERE replied_ms IS NOT NULL;
CREATE INDEX turns_by_time ON turns (settled_ms);
CREATE INDEX audit_claims ON audit (at_ms) WHERE after = 'claimed' AND before <> 'claimed';

CREATE TABLE marks (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    agent TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    remark TEXT NOT NULL,
    UNIQUE (conversation, kind, seq)
) STRICT;
CREATE INDEX marks_by_time ON marks (kind, at_ms);

CREATE TABLE unsent_replies (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    agent TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (conversation, agent)
) STRICT;

CREATE TABLE read_marks (
    conversation TEXT PRIMARY KEY REFERENCES conversations (id),
    customer INTEGER NOT NULL,
    agent INTEGER NOT NULL
) STRICT;

CREATE TABLE canned_replies (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    locale TEXT NOT NULL
) STRICT;

CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    password_hash TEXT,
    disabled_ms INTEGER
) STRICT;

CREATE TABLE invitations (
    digest TEXT PRIMARY KEY,
    agent TEXT NOT NULL UNIQUE REFERENCES agents (id),
    expires_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    agent TEXT NOT NULL REFERENCES agents (id),
    csrf TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_agent ON sessions (agent);
CREATE INDEX sessions_by_end ON sessions (expires_ms);

CREATE VIRTUAL TABLE message_words USING fts5 (
    conversation UNINDEXED, seq UNINDEXED, text, tokenize = "unicode61 remove_diacritics 2", prefix = "1 2"
);
CREATE TRIGGER messages_are_searched AFTER INSERT ON messages WHEN new.kind <> 'note' BEGIN
    INSERT INTO message_words (conversation, seq, text) VALUES (new.conversation, new.seq, new.text);
END;
INSERT INTO message_words (conversation, seq, text)
    SELECT conversation, seq, text FROM messages WHERE kind <> 'note' ORDER BY rowid;
"""
