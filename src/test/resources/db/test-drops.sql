-- Works with programs since schema 9.
ALTER TABLE run DROP COLUMN tools;
