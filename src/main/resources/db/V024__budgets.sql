-- Works with programs since schema 7.
-- budget: a row for each budget that a turn has counted against, which its claimers lock. warned_at is the time of the last warning.
CREATE TABLE budget (
    id text PRIMARY KEY,
    warned_at bigint
);
-- budget: what turns have used of a budget, by the time until which it is added up, a thousandth of the budget's window.
-- Older rows than the window are deleted.
CREATE TABLE budget_use (
    budget text NOT NULL,
    at bigint NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (budget, at)
);
-- acceptance: the budget that has no room for a queued run; null for any other. The index is all that their number reads.
ALTER TABLE run ADD COLUMN held_by text;
CREATE INDEX run_held ON run (held_by) WHERE held_by IS NOT NULL AND finished_at IS NULL;
