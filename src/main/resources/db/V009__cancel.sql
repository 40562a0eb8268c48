-- Works with programs since schema 7.
-- acceptance: since when an operator wants a run to end that is going on; set while it has not ended, it is not begun again.
ALTER TABLE run ADD COLUMN cancel_at bigint;
CREATE INDEX run_cancel ON run (cancel_at) WHERE cancel_at IS NOT NULL AND finished_at IS NULL;
