"""The migration for erasure: which conversations were erased, and an audit that outlives its conversation. Kept as `tables` says.

The audit is written anew, because SQLite cannot take a reference back from a table; what it holds are ids and times.
"""

ERASURE = """
CREATE TABLE erased (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE TRIGGER erased_stay_erased BEFORE INSERT ON conversations
WHEN EXISTS (SELECT 1 FROM erased WHERE conversation = new.id) BEGIN
    SELECT RAISE(ABORT, 'the conversation was erased');
END;

CREATE TABLE lasting_audit (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    agent TEXT,
    detail TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO lasting_audit (number, conversation, at_ms, who, what, before, after, epoch, agent, detail)
    SELECT number, conversation, at_ms, who, what, before, after, epoch, agent, detail FROM audit;
DROP TABLE audit;
ALTER TABLE lasting_audit RENAME TO audit;
CREATE INDEX audit_of_conversation ON audit (conversation);
CREATE INDEX audit_claims ON audit (at_ms) WHERE after = 'claimed' AND before <> 'claimed';
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

CREATE INDEX outbox_by_conversation ON outbox (conversation);

ALTER TABLE turns ADD COLUMN reduced INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_with_evidence ON turns (settled_ms) WHERE reduced = 0;
"""
