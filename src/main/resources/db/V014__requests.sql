-- Works with programs since schema 7.
-- requests: one row for each admitted request. Ids begin with the time, so their order is that of the arrival.
CREATE TABLE request (
    id text PRIMARY KEY,
    at bigint NOT NULL,
    node text NOT NULL,
    client text NOT NULL,
    credential text NOT NULL,
    hook text NOT NULL,
    mapping text NOT NULL,
    body_bytes bigint NOT NULL,
    status integer NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    micros bigint NOT NULL,
    became text NOT NULL
);
CREATE INDEX request_refused ON request (id) WHERE status >= 400;
-- acceptance: the request that a run or an event came from; null where it is unknown, or there was none.
ALTER TABLE run ADD COLUMN request_id text;
ALTER TABLE event ADD COLUMN request_id text;
