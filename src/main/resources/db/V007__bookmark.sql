-- acceptance: how far a source that Postern reads by itself was read, and the node that reads it.
CREATE TABLE bookmark (
    source text PRIMARY KEY,
    place text,
    reader text,
    changed_at bigint NOT NULL
);
