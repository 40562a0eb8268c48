-- Works with programs since schema 7.
-- channel: no query asks for an agent's deliveries any more, and none asks for those without a run. What is due is found by the index
-- delivery_order, which holds the first delivery of each recipient.
DROP INDEX delivery_target;
DROP INDEX delivery_next;
DROP INDEX delivery_run;
CREATE INDEX delivery_run ON delivery (run_id) WHERE run_id IS NOT NULL;
