-- Works with programs since schema 7.
-- channel: the deliveries that an address got through a channel of kind mail, which the channel's limit counts for an hour. address is in
-- lower case. slot is less than the limit; a row whose hour is over is taken by the next delivery, or deleted.
CREATE TABLE sent_mail (
    channel text NOT NULL,
    address text NOT NULL,
    slot integer NOT NULL,
    delivery_id text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (channel, address, slot)
);
CREATE INDEX sent_mail_at ON sent_mail (at);
-- channel: the deliveries that are being sent, so that none is claimed beside another to its recipient. Where nodes share the database,
-- two may give the same seq, or a later one first.
CREATE INDEX delivery_sending ON delivery (sender, channel, COALESCE(recipient, '')) WHERE sender IS NOT NULL;
