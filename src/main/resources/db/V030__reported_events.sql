-- Works with programs since schema 7.
-- channel: the type of the event that a delivery reports to a channel that subscribes to it; its text is the event's data, as a JSON
-- object. Null for a text. Programs before this step send it as a text of the type delivery.created.
ALTER TABLE delivery ADD COLUMN event text;
