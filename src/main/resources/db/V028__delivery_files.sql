-- Works with programs since schema 7.
-- channel: the name of the file that a part of a delivery is sent as; its text is the file's code, as a fenced block of Markdown. Null for
-- a part that is sent as a text.
ALTER TABLE delivery_part ADD COLUMN file_name text;
