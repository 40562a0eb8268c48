-- Works with programs since schema 7.
-- acceptance: a queued run whose provider was down waits until retry_at. retry_since is the time of the first such failure since it
-- was accepted, retries their number, retry_reason the sentence of the last.
ALTER TABLE run ADD COLUMN retry_at bigint;
ALTER TABLE run ADD COLUMN retry_since bigint;
ALTER TABLE run ADD COLUMN retry_reason text;
ALTER TABLE run ADD COLUMN retries integer NOT NULL DEFAULT 0;
-- acceptance: the models that the mapping names for a provider that is down, each on a line, and the model that answered in their place.
ALTER TABLE run ADD COLUMN fallbacks text;
ALTER TABLE run ADD COLUMN answered_model text;
-- acceptance: the time until which the first queued run of a session waits; ready_at is null until then.
ALTER TABLE session ADD COLUMN retry_at bigint;
CREATE INDEX session_retry ON session (retry_at) WHERE retry_at IS NOT NULL;
