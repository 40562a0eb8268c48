-- Works with programs since schema 7.
-- channel: the hook whose text a delivery is, which has no agent then; null for a reply. With it stand the request that it came from,
-- the sender whose own token admitted that, the mapping that admits only so many pending actions, and the number of requests that
-- became the delivery; each null where there is none. One that waits for further requests is pending without next_at.
ALTER TABLE delivery ADD COLUMN hook text;
ALTER TABLE delivery ADD COLUMN request_id text;
ALTER TABLE delivery ADD COLUMN hook_sender text;
ALTER TABLE delivery ADD COLUMN limited_mapping text;
ALTER TABLE delivery ADD COLUMN items integer;
-- The indexes are all that the bounds of pending actions read.
CREATE INDEX delivery_hook_pending ON delivery (id) WHERE hook IS NOT NULL AND finished_at IS NULL;
CREATE INDEX delivery_sender_pending ON delivery (hook_sender) WHERE hook_sender IS NOT NULL AND finished_at IS NULL;
CREATE INDEX delivery_mapping_pending ON delivery (limited_mapping) WHERE limited_mapping IS NOT NULL AND finished_at IS NULL;
-- acceptance: when the group of a delivery is due; null for a run or event. Its due_at is never over, so that programs before this
-- step, which would lose it, do not close it.
ALTER TABLE request_group ADD COLUMN delivery_due_at bigint;
CREATE INDEX request_group_delivery_due ON request_group (delivery_due_at) WHERE delivery_due_at IS NOT NULL;
