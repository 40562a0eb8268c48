-- Works with programs since schema 7.
-- acceptance: when an operator discarded the event, which taken_at repeats; null for one that waits or that a heartbeat took.
ALTER TABLE event ADD COLUMN discarded_at bigint;
