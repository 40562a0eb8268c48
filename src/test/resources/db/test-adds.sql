-- Works with programs since schema 8.
ALTER TABLE run ADD COLUMN later text;
