-- Works with programs since schema 7.
-- acceptance: the mapping whose turn queue the run waits in; null for a run that waits in its hook's, as those of programs before
-- this step do.
ALTER TABLE run ADD COLUMN mapping_queue text;
-- The rest is for PostgreSQL alone.
-- all: ids begin with the time, so the order of their bytes is that of their creation. Some languages sort z before t, or aa behind z.
-- The columns that hold or are compared with such ids sort by bytes, whatever the database's language. The tables stay in place; their
-- indexes are built again.
ALTER TABLE run ALTER COLUMN id TYPE text COLLATE "C";
ALTER TABLE request ALTER COLUMN id TYPE text COLLATE "C", ALTER COLUMN replay_of TYPE text COLLATE "C";
ALTER TABLE request_payload ALTER COLUMN request_id TYPE text COLLATE "C";
ALTER TABLE approval ALTER COLUMN id TYPE text COLLATE "C";
ALTER TABLE audit ALTER COLUMN id TYPE text COLLATE "C";
ALTER TABLE request_group ALTER COLUMN action_id TYPE text COLLATE "C";
ALTER TABLE delivery ALTER COLUMN run_id TYPE text COLLATE "C";
