"""The migrations for customers: who writes in a conversation and where, who has signed out, ratings and images. Kept as `tables` says."""

CUSTOMERS = """
CREATE TABLE customers (
    conversation TEXT PRIMARY KEY REFERENCES conversations (id),
    subject TEXT,
    name TEXT,
    email TEXT,
    page_url TEXT,
    page_title TEXT,
    identity_ms INTEGER NOT NULL,
    token_epoch INTEGER NOT NULL
) STRICT;
CREATE INDEX customers_by_subject ON customers (subject) WHERE subject IS NOT NULL;

CREATE TABLE sign_outs (
    subject TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT;
"""

RATINGS = """
CREATE TABLE ratings (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    message_id TEXT NOT NULL,
    episode INTEGER NOT NULL,
    score INTEGER NOT NULL CHECK (score BETWEEN 1 AND 5),
    comment TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    UNIQUE (conversation, message_id)
) STRICT;
CREATE INDEX ratings_by_time ON ratings (at_ms);
"""

ATTACHMENTS = """
CREATE TABLE attachments (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    message_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (conversation, message_id)
) STRICT;
"""
