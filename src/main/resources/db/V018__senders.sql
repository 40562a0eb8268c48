-- Works with programs since schema 7.
-- acceptance, requests: the sender whose own token admitted the request; null for any other credential. The indexes on run and
-- event are all that the bound of a sender's pending actions reads.
ALTER TABLE run ADD COLUMN sender text;
CREATE INDEX run_sender_pending ON run (sender) WHERE sender IS NOT NULL AND finished_at IS NULL;
ALTER TABLE event ADD COLUMN sender text;
CREATE INDEX event_sender_pending ON event (sender) WHERE sender IS NOT NULL AND taken_at IS NULL;
ALTER TABLE request ADD COLUMN sender text;
-- requests: what the rate of a sender and its page read.
CREATE INDEX request_sender ON request (sender, at) WHERE sender IS NOT NULL;
