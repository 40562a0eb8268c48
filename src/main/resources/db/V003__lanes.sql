-- acceptance: lanes that somebody holds, so that those of nodes that are gone are found without reading all sessions.
CREATE INDEX session_owner ON session (owner) WHERE owner IS NOT NULL;
