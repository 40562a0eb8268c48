-- Works with programs since schema 7.
-- acceptance, channel: the trace context that a run, an event or a delivery continues: the value of traceparent (W3C Trace Context),
-- and behind a space that of tracestate, if there is one. Null if there is none, and from programs before this step.
ALTER TABLE run ADD COLUMN trace_context text;
ALTER TABLE event ADD COLUMN trace_context text;
ALTER TABLE delivery ADD COLUMN trace_context text;
