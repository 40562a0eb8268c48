-- channel: deliveries are numbered in the order of their adding, and sent to one recipient in that order, each in parts
-- one after the other. Who sends is noted, so that one node does; failures counts the attempts since the last part that
-- was taken; outcome is the run's, whose text is why there is no reply unless it succeeded.
ALTER TABLE delivery ADD COLUMN seq bigint NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN sender text;
ALTER TABLE delivery ADD COLUMN failures integer NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN outcome text NOT NULL DEFAULT 'succeeded';
CREATE INDEX delivery_order ON delivery (channel, COALESCE(recipient, ''), seq) WHERE next_at IS NOT NULL;
UPDATE delivery SET seq = created_at;
CREATE INDEX delivery_seq ON delivery (seq);
DROP INDEX delivery_target;
CREATE INDEX delivery_target ON delivery (agent_id, seq) WHERE channel <> 'inbox';
CREATE TABLE delivery_part (
    delivery_id text NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    sent_at bigint,
    message_id text,
    PRIMARY KEY (delivery_id, number)
);
