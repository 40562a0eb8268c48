-- acceptance: lanes that somebody holds, so that those of nodes that are gone are found without reading all sessions.
CREATE INDEX session_owner ON session (owner) WHERE owner IS NOT NULL;

-- acceptance: since a heartbeat failed, none is begun before this moment.
ALTER TABLE session ADD COLUMN beat_not_before bigint;

-- acceptance: summaries that wait, so that the oldest of too many are found.
CREATE INDEX event_summary ON event (session_key, seq) WHERE taken_at IS NULL AND kind = 'summary';
