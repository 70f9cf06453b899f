"""The migration for edits and deletions of messages. Kept as `tables` says."""

# Of each message the newest revision, where it was written; the same as `core.revisions.current`.
REVISIONS = """
ALTER TABLE messages ADD COLUMN revises INTEGER;
CREATE INDEX messages_revising ON messages (conversation, revises) WHERE revises IS NOT NULL;
CREATE VIEW current_messages AS
SELECT m.* FROM messages AS m WHERE m.kind <> 'tombstone' AND NOT EXISTS (
    SELECT 1 FROM messages AS r WHERE r.conversation = m.conversation AND r.revises = coalesce(m.revises, m.seq)
    AND (m.revises IS NULL OR r.kind = 'tombstone' OR (r.channel_message_id, r.seq) > (m.channel_message_id, m.seq))
);
"""
