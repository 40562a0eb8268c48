-- Works with programs since schema 7.
-- channel: an operator finds the few deliveries that failed or wait, and the texts in the inbox, behind any number of others.
CREATE INDEX delivery_undelivered ON delivery (seq) WHERE state <> 'delivered';
CREATE INDEX delivery_inbox ON delivery (seq) WHERE channel = 'inbox' AND state = 'delivered';
