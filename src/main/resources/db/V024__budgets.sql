-- Works with programs since schema 7.
-- budget: the time of the last warning of each budget. The row without an id is the one that claimers of turns lock.
CREATE TABLE budget (
    id text PRIMARY KEY,
    warned_at bigint NOT NULL
);
INSERT INTO budget (id, warned_at) VALUES ('', 0);
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
