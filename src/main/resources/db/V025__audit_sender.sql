-- Works with programs since schema 7.
-- console: the sender of the run or request that an operator acted on; null if that has none, or is no run or request.
ALTER TABLE audit ADD COLUMN sender text;
