-- acceptance: what a mapping tells the agent beside the text; the names of tools stand on a line each.
ALTER TABLE run ADD COLUMN instructions text;
ALTER TABLE run ADD COLUMN tools text;
