-- Works with programs since schema 7.
-- acceptance: when and why the last heartbeat came to nothing that did; null where none has.
ALTER TABLE session ADD COLUMN missed_at bigint;
ALTER TABLE session ADD COLUMN missed_why text;
-- acceptance: sessions in the order of their use, of all agents or of one, a page at a time.
CREATE INDEX session_used ON session (used_at, key, agent_id);
