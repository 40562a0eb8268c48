-- Works with programs since schema 7.
-- acceptance: the mapping whose turn queue the run waits in; null for a run that waits in its hook's, as those of programs before
-- this step do.
ALTER TABLE run ADD COLUMN mapping_queue text;
