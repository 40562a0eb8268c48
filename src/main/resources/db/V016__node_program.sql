-- Works with programs since schema 7.
-- dispatch: the version of a node's program, and the most turns that the node runs at once; null where the program is older.
ALTER TABLE node ADD COLUMN version text;
ALTER TABLE node ADD COLUMN most_turns integer;
