-- Works with programs since schema 7.
-- requests: the encrypted payloads of requests, where the operator keeps them. The index is all that the size bound reads.
CREATE TABLE request_payload (
    request_id text PRIMARY KEY,
    key_id text NOT NULL,
    bytes bigint NOT NULL,
    sealed bytea NOT NULL
);
CREATE INDEX request_payload_size ON request_payload (request_id, bytes);
-- requests: the request that this one replays; null if it came from a sender.
ALTER TABLE request ADD COLUMN replay_of text;
CREATE INDEX request_replay ON request (replay_of) WHERE replay_of IS NOT NULL;
