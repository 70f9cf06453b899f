"""The migration for Slack: what came in, threads, posts and people. Kept as `tables` says."""

SLACK = """
CREATE TABLE slack_inbox (
    key TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    received_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    effect TEXT UNIQUE,
    attempts INTEGER NOT NULL,
    error TEXT,
    done_ms INTEGER,
    dead_ms INTEGER
) STRICT;
CREATE INDEX slack_inbox_due ON slack_inbox (due_ms) WHERE done_ms IS NULL AND dead_ms IS NULL;
CREATE INDEX slack_inbox_dead ON slack_inbox (received_ms) WHERE dead_ms IS NOT NULL;
CREATE INDEX slack_inbox_done ON slack_inbox (received_ms) WHERE done_ms IS NOT NULL;
CREATE INDEX slack_inbox_payloads ON slack_inbox (key) WHERE payload <> '';

CREATE TABLE slack_threads (
    conversation TEXT NOT NULL REFERENCES conversations (id),
    side TEXT NOT NULL,
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread_ts TEXT NOT NULL,
    user TEXT NOT NULL,
    spell INTEGER NOT NULL,
    shown_seq INTEGER NOT NULL,
    shown_note INTEGER NOT NULL,
    PRIMARY KEY (side, team, channel, thread_ts)
) STRICT;
CREATE INDEX slack_threads_of_conversation ON slack_threads (conversation);

CREATE TABLE slack_posts (
    key TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread_ts TEXT NOT NULL,
    begun_ms INTEGER NOT NULL,
    ts TEXT,
    digest TEXT NOT NULL
) STRICT;
CREATE INDEX slack_posts_of_conversation ON slack_posts (conversation);
CREATE INDEX slack_posts_at ON slack_posts (channel, ts);

CREATE TABLE slack_people (
    team TEXT NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    PRIMARY KEY (team, user)
) STRICT;
CREATE INDEX slack_people_of_agent ON slack_people (agent);
"""
