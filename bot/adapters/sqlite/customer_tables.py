"""The migration for customers: who writes in a conversation and where, and who has signed out. Kept as `tables` says."""

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
