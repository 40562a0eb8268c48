-- Works with programs since schema 7.
-- store: the oldest schema whose programs can work with the database since this step; without it, the step's own.
ALTER TABLE schema_version ADD COLUMN oldest integer;
-- dispatch: the schema that a node's program knows; without it, 7.
ALTER TABLE node ADD COLUMN knows_schema integer;
