-- Works with programs since schema 7.
-- console: what operators had done.
CREATE TABLE audit (
    id text PRIMARY KEY,
    at bigint NOT NULL,
    who text NOT NULL,
    client text NOT NULL,
    act text NOT NULL,
    subject text NOT NULL,
    outcome text
);
CREATE INDEX audit_at ON audit (at);
