-- Works with programs since schema 7.
-- channel: the attempts since the last accepted part of which it is unknown whether they sent one, and the attempts since the last
-- stored result whose node ended. Programs before this step count neither.
ALTER TABLE delivery ADD COLUMN unclear integer NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN interrupted integer NOT NULL DEFAULT 0;
